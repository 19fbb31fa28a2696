import { guardedLines, minute, oneLine } from "../findings/entry-text.ts";

/** Something that was not reviewed or not finished, and why. */
interface GaveUp {
  /** As in records. */
  readonly time: string;
  /** Who gave up: a reviewer or a role. */
  readonly who: string;
  /** What was to be done. */
  readonly what: string;
  readonly reason: string;
}

/** Encodes one `[Gave Up]` entry of PROGRESS.txt. */
export function encodeGaveUp({ time, who, what, reason }: GaveUp): string {
  return entry("Gave Up", { time, who }, [
    `### What was to be done\n${guardedLines(what)}`,
    `### Reason\n${guardedLines(reason === "" ? "It gave none." : reason)}`,
  ]);
}

/** Encodes one `[Stuck]` entry: the session ended incomplete, and why. */
export function encodeStuckEnd({
  time,
  reason,
}: {
  readonly time: string;
  readonly reason: string;
}): string {
  return entry("Stuck", { time, who: "builder" }, [`### Reason\n${guardedLines(reason)}`]);
}

/**
 * Encodes one `[Resumed]` entry: a person continued the session after its end; each open item gets
 * `attempts` more.
 */
export function encodeResumed({
  time,
  attempts,
}: {
  readonly time: string;
  readonly attempts: number;
}): string {
  const more = attempts === 1 ? "1 more attempt" : `${String(attempts)} more attempts`;
  return entry("Resumed", { time, who: "builder" }, [
    `### Reason\nA person had the session go on after it had ended. Each open finding and bug gets ${more}.`,
  ]);
}

/** Encodes one `[Dismissed]` entry: a person dismissed a finding or bug. */
export function encodeDismissed({
  time,
  reviewer,
  id,
  issue,
  why,
}: {
  readonly time: string;
  readonly reviewer: string;
  readonly id: string;
  readonly issue: string;
  readonly why: string;
}): string {
  return entry("Dismissed", { time, who: `${reviewer}/${id}` }, [
    `### Issue\n${guardedLines(issue)}`,
    `### Reason\n${guardedLines(why === "" ? "A person said so, and gave none." : why)}`,
  ]);
}

function entry(
  kind: string,
  { time, who }: { readonly time: string; readonly who: string },
  parts: readonly string[],
): string {
  return [`[${kind}] ${minute(time)} - ${oneLine(who)}`, ...parts, "---\n\n"].join("\n\n");
}
