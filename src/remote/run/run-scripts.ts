/**
 * How a command of a session is run at its place once, however often the link breaks: constant scripts for any POSIX
 * shell, as in the executors. The command's output and its exit code are kept in a folder of its own.
 */

/**
 * `<folder> <directory> <argv …>`: runs a command, unless it has run. The directory is relative to the work tree, in
 * which the script starts; one that is not there is left out.
 */
export const RUN_SCRIPT = `
folder="$1"
umask 077
[ ! -s "$folder/exit" ] || exit 0
mkdir -p -- "$folder" || exit 1
cd -- "./$2" 2>/dev/null
shift 2
"$@" < /dev/null > "$folder/out" 2> "$folder/err"
echo $? > "$folder/exit.part" && mv -f -- "$folder/exit.part" "$folder/exit"`;

/**
 * `<folder> <first byte, counted from 1>`: prints what the command writes to its standard error from there on. Ends
 * with 0 when the command has ended, and with 4 after some seconds if it has not.
 */
export const HEAR_SCRIPT = `
at="$2"
looks=0
while :; do
  over=no
  [ ! -s "$1/exit" ] || over=yes
  size=0
  [ ! -f "$1/err" ] || size=$(wc -c < "$1/err")
  if [ "$size" -ge "$at" ]; then
    tail -c "+$at" -- "$1/err" | head -c "$((size - at + 1))"
    at=$((size + 1))
  fi
  [ "$over" = no ] || exit 0
  looks=$((looks + 1))
  [ "$looks" -lt 30 ] || exit 4
  sleep 0.1
done`;

/** The exit code of \`HEAR_SCRIPT\` while the command still runs. */
export const STILL_RUNNING_EXIT = 4;

/**
 * `<folder> <home>`: prints the command's exit code, the sizes of the files of the home that people's commands write,
 * an empty line, and the command's standard output.
 */
export const RESULT_SCRIPT = `
cat -- "$1/exit" || exit 1
find "$2" -type f '(' -name human.log -o -name session.json ')' -exec wc -c {} ';'
echo
exec cat -- "$1/out"`;
