import type { Programs } from "../../base/ports/programs.ts";

/** Marks the processes of one call with a word of its own, so that they can be found when the call is cut off. */
export const CALL_VARIABLE = "WISP_CALL";

/**
 * `<mark>`: kills the session of the command that was started with this variable, since nothing else ends a command in
 * a container when the program that waits for it here is killed. Commands that were detached are in other sessions.
 * The parent of a command that comes from outside has the id 0.
 */
export const CUT_OFF_SCRIPT = `
fields() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null; }
for process in /proc/[0-9]*; do
  pid="\${process#/proc/}"
  if tr '\\0' '\\n' 2>/dev/null < "$process/environ" | grep -qxF -- "$1"; then
    set -- "$1" $(fields "$pid")
    [ "$3" = 0 ] && session="$5"
    set -- "$1"
  fi
done
[ -n "$session" ] || exit 0
for process in /proc/[0-9]*; do
  pid="\${process#/proc/}"
  set -- $(fields "$pid")
  [ "$4" = "$session" ] && kill -s KILL "$pid"
done
:`;

/** Programs of which those that are cut off here are also ended there, by a function that is given their mark. */
export function endingCutOff(programs: Programs, end: (mark: string) => Promise<void>): Programs {
  return {
    async stream(run) {
      const ran = await programs.stream(run);
      const mark = run.argv.find((word) => word.startsWith(`${CALL_VARIABLE}=`));
      if (ran.ok && ran.value.kind !== "exited" && mark !== undefined) await end(mark);
      return ran;
    },
  };
}
