/**
 * What runs at a place when no wisp is there yet: constant scripts for any POSIX shell, started as
 * `sh -c <script> wisp <arguments>`. Nothing is ever put into their text.
 */

/** `<cwd> [NAME=VALUE …] -- <argv …>`: runs a command in a directory. */
export const EXEC_SCRIPT = `
cd -- "$1" || exit 121
shift
while [ "$1" != -- ]; do export "$1"; shift; done
shift
exec "$@"`;

/** The exit code of scripts that a directory stopped. */
export const NO_DIRECTORY_EXIT = 121;

/**
 * `<path> <size in bytes> <mode> <root>`: writes standard input to a file, which appears whole or not at all. A place whose
 * root is gone is not made again by that.
 */
export const PUT_SCRIPT = `
umask 077
[ -d "$4" ] || { echo "$4 is not there any more" >&2; exit 121; }
part="$1.$$.part"
trap 'rm -f -- "$part"' EXIT
trap 'exit 129' HUP INT TERM
mkdir -p -- "$(dirname -- "$1")" && cat > "$part" || exit 1
[ "$(wc -c < "$part")" -eq "$2" ] || exit 122
chmod "$3" "$part" && mv -f -- "$part" "$1"`;

/** The exit code of \`PUT_SCRIPT\` if fewer bytes arrived than were announced: the link broke. */
export const SHORT_EXIT = 122;

/** `<path>`: prints a file. */
export const GET_SCRIPT = `
[ -f "$1" ] || exit 123
exec cat -- "$1"`;

/** The exit code of \`GET_SCRIPT\` and \`FOLLOW_SCRIPT\` if there is no such file. */
export const NO_FILE_EXIT = 123;

/**
 * `<path> <first byte, counted from 1>`: prints a file from there on, and goes on as it grows, until standard input
 * ends. That is the only sign of a broken link while the file does not grow.
 */
export const FOLLOW_SCRIPT = `
[ -f "$1" ] || exit 123
exec 3<&0
{ cat > /dev/null; kill -s TERM $$; } <&3 > /dev/null 2>&1 3<&- &
exec 3<&-
exec < /dev/null tail -c "+$2" -f -- "$1"`;

/**
 * Shell functions: `started <pid>` prints when a process started, in any form that never changes while it lives, and
 * nothing if it is gone or a zombie; `alive <note>` tells whether the process runs that a file names by id and start.
 */
export const STARTED = `
started() {
  if [ -r /proc/self/stat ]; then
    set -- $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null)
    [ "$1" = Z ] || [ $# -lt 20 ] || { shift 19; echo "$1"; }
  else
    ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' _
  fi
}
alive() {
  read -r pid start < "$1" 2>/dev/null || return 1
  [ -n "$pid" ] && [ -n "$start" ] && [ "$(started "$pid")" = "$start" ]
}`;

/**
 * `<root> <name> <cwd> [NAME=VALUE …] -- <argv …>`: starts a command in a session of its own, unless the one with this
 * name runs. Its process waits until its id is on disk, so that it can always be found again, and ends unless that is
 * the id on disk. The script ends only after that process has left its group, because what runs the script may end the
 * group with it. Of several at once, one goes on at a time; the lock ends with its holder, however that ends. Where
 * there is no \`flock\`, or the disk knows none, nothing is locked.
 */
export const DETACH_SCRIPT = `${STARTED}
umask 077
run="$1/run"
note="$run/$2.pid"
log="$run/$2.log"
cd -- "$3" && mkdir -p -- "$run" || exit 121
exec 9> "$run/$2.lock" || exit 1
flock 9 2>/dev/null
! alive "$note" || exit 0
shift 3
while [ "$1" != -- ]; do export "$1"; shift; done
shift
rm -f -- "$note" "$note.up"
setsid sh -c '
note=$1 looks=3000
shift
: > "$note.up"
while [ ! -s "$note" ] && [ "$looks" -gt 0 ]; do sleep 0.02; looks=$((looks - 1)); done
read -r pid start < "$note" && [ "$pid" = $$ ] || exit 1
exec "$@"' wisp "$note" "$@" < /dev/null >> "$log" 2>&1 9>&- &
pid=$! looks=3000
while [ ! -e "$note.up" ] && [ "$looks" -gt 0 ] && [ -n "$(started "$pid")" ]; do
  sleep 0.02
  looks=$((looks - 1))
done
rm -f -- "$note.up"
start="$(started "$pid")"
[ -n "$start" ] || exit 1
echo "$pid $start" > "$note.part" && mv -f -- "$note.part" "$note"`;

/** `<root> <name>`: ends with 0 if the detached command with this name runs, else with 3. */
export const IS_RUNNING_SCRIPT = `${STARTED}
alive "$1/run/$2.pid" || exit 3`;

/** `<root> <name> <signal>`: signals the group of the detached command; ends with 3 if it does not run. */
export const SIGNAL_SCRIPT = `${STARTED}
alive "$1/run/$2.pid" || exit 3
kill -s "$3" -- "-$pid"`;

/** The exit code of the two scripts above if the command does not run. */
export const NOT_RUNNING_EXIT = 3;

/**
 * A shell function: `kill_marked <root>` kills what was started at a place, also what has left the group of its command,
 * but not the shell itself.
 */
export const KILL_MARKED = `
kill_marked() {
  for process in /proc/[0-9]*; do
    if tr '\\0' '\\n' 2>/dev/null < "$process/environ" | grep -qxF -- "WISP_PLACE=$1"; then
      [ "\${process#/proc/}" -eq $$ ] || kill -s KILL "\${process#/proc/}" 2>/dev/null
    fi
  done
}`;

/** `<root>`: ends everything that runs at a place, and removes its root. */
export const DESTROY_SCRIPT = `${STARTED}${KILL_MARKED}
for note in "$1"/run/*.pid; do
  if alive "$note"; then kill -s KILL -- "-$pid"; fi
done
kill_marked "$1"
chmod -R u+rwX -- "$1" 2>/dev/null
rm -rf -- "$1"`;
