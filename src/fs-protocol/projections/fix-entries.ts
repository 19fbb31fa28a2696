import { bulletText, guarded, guardedLines, minute, oneLine } from "../findings/entry-text.ts";
import { NOTHING } from "../findings/raw-finding.ts";

/** One attempt at a finding or bug, as the entries of PROGRESS.txt name it. */
export interface FixEntry {
  /** As in records. */
  readonly time: string;
  /** Who opened the item. */
  readonly reviewer: string;
  /** Id of the finding. */
  readonly id: string;
  readonly attempt: number;
  readonly attemptsMax: number;
}

/** Encodes one `[Review Fix]` entry. `fixed`: what was fixed; `files`: the changed paths. */
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
 * Encodes one `[Review Fix Failed]` entry. `issue`: what could not be fixed; `reason`: why. If
 * attempts are left, the entry calls it a stalemate, unless `isLast` is false: then another attempt
 * follows.
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

/**
 * Encodes one `[Review Fix Accepted]` entry: the item's opener closed it, because of a fix or
 * without a change.
 */
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
 * Encodes one entry about an attempt that closes nothing. `Unchanged`: the builder claims that
 * nothing has to change. `Reopened`: the item's opener did not accept the fix. `Unjudged`: the
 * opener gave up judging it.
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
