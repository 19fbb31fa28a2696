import { DETACH_SCRIPT, KILL_MARKED, STARTED } from "../far-scripts.ts";

/** `<root>`: makes the root of a place, private. Nobody else may have made it, or a way to it, before. */
export const MAKE_ROOT_SCRIPT = `
umask 077
parent=$(dirname -- "$1")
mkdir -p -- "$1" && chmod 700 -- "$1" || exit 1
[ -O "$1" ] && [ ! -L "$1" ] || { echo "$1 belongs to somebody else" >&2; exit 1; }
case $parent in
  /var/tmp/*|/tmp/*) [ -O "$parent" ] && [ ! -L "$parent" ] || { echo "$parent belongs to somebody else" >&2; exit 1; } ;;
esac
mkdir -p -- "$1/run"`;

/**
 * `<root> <seconds of grace> <MAKE_ROOT_SCRIPT> <DETACH_SCRIPT> <new or kept>`: what a job runs for as long as it exists.
 * For `kept` it does not make the root: it takes over the files of a job that has ended. Whatever a
 * step starts is ended with that step, so detached commands are started here, at the request of a step
 * (\`REQUEST_SCRIPT\`). A job that was requeued has to find its files: without them it starts nothing.
 *
 * USR1 is the warning before the time limit: the commands are told, and then the job is requeued, for the same node if
 * Slurm lets it. TERM comes with the end of the job, whatever that is for. Signals are then ignored, since Slurm sends
 * TERM to \`scontrol\`, too. Not every cluster ends what has left the group of its command, so it is killed here.
 */
const BATCH_SCRIPT = `${STARTED}${KILL_MARKED}
root=$1 grace=$2 make=$3 detach=$4 kept=$5 told=
trap 'told=limit' USR1
trap 'told=end' TERM
end_commands() {
  for note in "$root"/run/*.pid; do
    if alive "$note"; then kill -s TERM -- "-$pid"; fi
  done
  looks=$((grace * 5))
  while [ "$looks" -gt 0 ]; do
    left=
    for note in "$root"/run/*.pid; do
      if alive "$note"; then left=1; fi
    done
    [ -n "$left" ] || return 0
    looks=$((looks - 1))
    sleep 0.2
  done
}
pin() { scontrol update "JobId=$SLURM_JOB_ID" "ReqNodeList=$SLURMD_NODENAME"; }
is_made=
[ "$kept" = kept ] || [ "\${SLURM_RESTART_COUNT:-0}" -gt 0 ] || is_made=no
while [ -z "$told" ]; do
  if [ "$is_made" = no ] && sh -c "$make" wisp "$root"; then is_made=yes; fi
  for asked in "$root"/run/*.ask; do
    [ -f "$asked" ] || continue
    base=\${asked%.ask}
    if alive "$base.by"; then
      xargs -0 -x sh -c "$detach" wisp < "$asked" > "$base.part" 2>&1
      echo $? >> "$base.part"
      mv -f -- "$base.part" "$base.end"
    fi
    rm -f -- "$asked" "$base.by"
  done
  sleep 0.2
done
trap '' USR1 TERM
end_commands
kill_marked "$root"
if [ "$told" = limit ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
pin
exit 0`;

/**
 * `<root> <id of the request> <cwd> <size in bytes>`: asks the job to start a detached command, and waits until that is
 * done. Standard input is what \`DETACH_SCRIPT\` is given, each word with a NUL after it. A request of which the step has
 * ended is not carried out any more.
 */
export const REQUEST_SCRIPT = `${STARTED}
umask 077
base="$1/run/$2"
[ -d "$1" ] && cd -- "$3" && mkdir -p -- "$1/run" || exit 121
trap 'rm -f -- "$base".*' EXIT
trap 'exit 129' HUP INT TERM
cat > "$base.new" || exit 1
[ "$(wc -c < "$base.new")" -eq "$4" ] || exit 122
echo "$$ $(started $$)" > "$base.by" && mv -f -- "$base.new" "$base.ask" || exit 1
while [ ! -f "$base.end" ]; do sleep 0.05; done
code=$(tail -n 1 "$base.end")
[ "$code" = 0 ] || { sed '$d' "$base.end" >&2; exit 1; }`;

/** `<root>`: ends with 0 if the root of a place is there, else with 3. */
export const HAS_ROOT_SCRIPT = `[ -d "$1/run" ] || exit 3`;

/**
 * `<argv …>`: runs a command, and tells on standard error how it ended. It ends with 0 itself, since srun would report
 * anything else, and not apart from its own failures.
 */
export const REPORT_SCRIPT = `"$@"
printf '\\n[wisp: it ended with %s]\\n' "$?" >&2`;

/** What srun says of each step where Slurm has no plugin for tasks, although no step asks for a binding. */
const NO_BINDING = /^srun: (?:warning: )?cluster configuration lacks support for cpu binding\n?/gmu;

/** The exit code that \`REPORT_SCRIPT\` told, and the standard error before it; \`undefined\` if it told none. */
export function reportIn(
  stderr: string,
): { readonly exitCode: number; readonly stderr: string } | undefined {
  const match = /^([^]*)\n\[wisp: it ended with (\d{1,3})\]\n/u.exec(stderr);
  if (match === null) return undefined;
  const [, before = "", code = ""] = match;
  return { exitCode: Number(code), stderr: before.replace(NO_BINDING, "") };
}

/** The words of a script for `sh -c` that make a batch script of the one above: it takes no arguments of its own. */
export function batchScript(root: string, graceS: number, files: "new" | "kept"): string {
  const words = [root, String(graceS), MAKE_ROOT_SCRIPT, DETACH_SCRIPT, files];
  return `#!/bin/sh\nset -- ${words.map(quoted).join(" ")}\n${BATCH_SCRIPT}\n`;
}

/** One word of a POSIX shell, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
