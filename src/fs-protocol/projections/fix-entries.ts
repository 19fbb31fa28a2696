import { bulletText, guarded, guardedLines, minute, oneLine } from "../findings/entry-text.ts";
import { NOTHING } from "../findings/raw-finding.ts";

/** One attempt at a finding or bug, as the entries of PROGRESS.txt name it. */
export interface FixEntry {
  /** As in records. */
  readonly time: string;
  /** Who opened it. */
  readonly reviewer: string;
  /** Id of the finding. */
  readonly id: string;
  readonly attempt: number;
  readonly attemptsMax: number;
}

/** One `[Review Fix]` entry: `fixed` says what was fixed, `files` are the changed paths. */
export function encodeFix(
  entry: FixEntry & { readonly fixed: string; readonly files: readonly string[] },
): string {
  const files = entry.files.length === 0 ? [NOTHING] : entry.files;
  return entryOf("Review Fix", entry, [
    `### What was fixed\n- ${bulletText(entry.fixed)}`,
    `### Files changed\n${files.map((file) => `- ${guarded(oneLine(file))}`).join("\n")}`,
    attempts(entry),
  ]);
}

/**
 * One `[Review Fix Failed]` entry: `issue` is what could not be fixed, `reason` why not. With attempts
 * left it is a stalemate, unless `isLast` is false: then there is another one.
 */
export function encodeFixFailed(
  entry: FixEntry & {
    readonly issue: string;
    readonly reason: string;
    readonly isLast?: boolean;
  },
): string {
  return entryOf("Review Fix Failed", entry, [
    `### Issue\n- ${bulletText(entry.issue)}`,
    entry.isLast === false ? attempts(entry) : `${attempts(entry)} (${endOf(entry)})`,
    `### Reason\n${guardedLines(entry.reason)}`,
  ]);
}

/** One `[Review Fix Accepted]` entry: whoever opened the item closed it, by a fix or without a change. */
export function encodeFixAccepted(
  entry: FixEntry & {
    readonly issue: string;
    readonly of: "fixed" | "nochange" | undefined;
    readonly reason: string;
  },
): string {
  const why = oneLine(entry.reason);
  const how = {
    fixed: "The fix holds.",
    nochange: "Nothing was changed: it was agreed that nothing is to be changed.",
  }[entry.of ?? "fixed"];
  return entryOf("Review Fix Accepted", entry, [
    `### Issue\n- ${bulletText(entry.issue)}`,
    attempts(entry),
    why === "" ? how : `${how}\n\n${reasonOf(why)}`,
  ]);
}

/**
 * One entry about an attempt that closes nothing. `Unchanged`: the builder holds that nothing is to be changed.
 * `Reopened`: whoever opened the item did not accept the fix. `Unjudged`: they gave up looking at it.
 */
export function encodeFixWord(
  word: "Unchanged" | "Reopened" | "Unjudged",
  entry: FixEntry & { readonly issue: string; readonly reason: string },
): string {
  return entryOf(`Review Fix ${word}`, entry, [
    `### Issue\n- ${bulletText(entry.issue)}`,
    attempts(entry),
    reasonOf(entry.reason),
  ]);
}

function entryOf(kind: string, entry: FixEntry, parts: readonly string[]): string {
  const header = `[${kind}] ${minute(entry.time)} - ${oneLine(entry.reviewer)}/${entry.id}`;
  return [header, ...parts, "---\n\n"].join("\n\n");
}

function endOf({ attempt, attemptsMax }: FixEntry): string {
  return attempt < attemptsMax ? "stalemate" : "exhausted";
}

function attempts({ attempt, attemptsMax }: FixEntry): string {
  return `### Attempts\n${attempt} of ${attemptsMax}`;
}

function reasonOf(reason: string): string {
  return `### Reason\n${reason === "" ? "None was given." : guardedLines(reason)}`;
}
