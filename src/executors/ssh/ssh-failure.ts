import {
  ExecutorRefused,
  ExecutorUnreachable,
  type ExecutorFailure,
} from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { isBroken } from "./ssh-link.ts";
import { wrongDestination, type SshOptions } from "./ssh-options.ts";

/** Words of ssh's after which the same attempt would fail again, until a person has changed something. */
const LASTING =
  /Host key verification failed|Permission denied \(|Too many authentication failures|no matching .* found|Bad owner or permissions|bad configuration option|hostname contains invalid/i;

/** What ssh says at greater length about keys of hosts. */
const ABOUT_KEYS: readonly (readonly [RegExp, string])[] = [
  [/host key is known for/, "its host key is not known here"],
  [/IDENTIFICATION HAS CHANGED|host key for .* has changed/i, "its host key is not the known one"],
];

/** The failure that an end of ssh stands for, if it means that the command was not run, or may have been cut off. */
export function sshFailure(options: SshOptions, end: ProgramEnd): ExecutorFailure | undefined {
  const { name: executor, destination } = options;
  const wrong = wrongDestination(options);
  if (wrong !== undefined) return ExecutorRefused({ executor, detail: wrong });
  if (end.kind === "killed") {
    return ExecutorUnreachable({ executor, detail: `ssh was ended by ${end.signalName}` });
  }
  if (!isBroken(end)) return undefined;
  const detail = lastLine(end.stderr);
  if (detail === "") return ExecutorUnreachable({ executor, detail: "the connection ended" });
  if (!LASTING.test(detail)) return ExecutorUnreachable({ executor, detail });
  const key = ABOUT_KEYS.find(([words]) => words.test(end.stderr))?.[1];
  return ExecutorRefused({
    executor,
    detail: key === undefined ? detail : `${key} (${detail})`,
    hint: `See to it by hand, then run the same command again: ssh ${shellWord(destination)}`,
  });
}

/** The last line that says something, without the full stop. */
export function lastLine(text: string): string {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  return line.trim().replace(/\.$/, "");
}
