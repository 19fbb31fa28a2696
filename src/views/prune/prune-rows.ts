import { formatDuration } from "../../base/words/format-duration.ts";
import { count } from "../../base/words/sentence.ts";
import { shown } from "../../base/words/shown.ts";
import { sizeWords } from "../../base/words/size-words.ts";
import { cleanSpan, row, span, type Row } from "../rows/row.ts";
import { table, type Cell } from "../rows/table.ts";
import { leftWords, type PrunedSession, type PruneView, type SessionBytes } from "./prune-view.ts";

const DAY_MS = 24 * 60 * 60_000;

const PARTS: readonly (readonly [keyof SessionBytes, string])[] = [
  ["records", "records"],
  ["reports", "report"],
  ["clones", "clones"],
  ["verifyTrees", "verify trees"],
  ["copies", "copies"],
];

/** Homes that are sound, but not this wisp's to judge. */
const UNREADABLE_WORDS: Readonly<Record<string, string>> = {
  "session-elsewhere": "kept: it belongs to another place; the repository was copied or moved",
  "session-later": "kept: a later wisp created it",
};

/** A row per session and leftover, and what was or would be freed. */
export function pruneRows(view: PruneView): readonly Row[] {
  const { sessions, leftovers, programs, unreadable } = view;
  const cells = [
    ...sessions.map(sessionCells),
    ...leftovers.map((one): readonly Cell[] => [
      cleanSpan(one.kept === undefined ? "plain" : "faint", one.path),
      "",
      sizeWords(one.bytes),
      leftWords(one),
    ]),
    ...programs.map(({ path, bytes }): readonly Cell[] => [
      cleanSpan("plain", path),
      "",
      sizeWords(bytes),
      "a copy of another version of wisp, which nothing runs",
    ]),
    ...unreadable.map(({ session, problem }): readonly Cell[] => [
      span("strong", shown(session)),
      "",
      "",
      span("bad", UNREADABLE_WORDS[problem] ?? "kept: it cannot be read; see wisp fsck"),
    ]),
  ];
  if (cells.length === 0) return [row("wisp keeps no files of sessions here.")];
  const right = { isRight: true };
  return [...table(cells, [{}, right, right]), row(""), row(freedWords(view))];
}

function sessionCells(one: PrunedSession): readonly Cell[] {
  const name = one.isOrphan ? `${one.session} (${one.repository}, which is gone)` : one.session;
  const head = span("strong", shown(name));
  const done = one.isRemoved ? "removed" : "can be removed";
  const what = one.why === undefined ? span("good", done) : span("faint", one.why);
  return [head, ageWords(one.ageMs), sizeWords(one.bytes), row(what, partsWords(one.parts))];
}

/** Only the parts that are worth telling. */
function partsWords(parts: SessionBytes): string {
  const names = PARTS.filter(([name]) => parts[name] > 0).map(
    ([name, word]) => `${word} ${sizeWords(parts[name])}`,
  );
  return names.length < 2 ? "" : ` (${names.join(", ")})`;
}

function ageWords(ageMs: number): string {
  return ageMs < 2 * DAY_MS ? formatDuration(ageMs) : `${String(Math.floor(ageMs / DAY_MS))}d`;
}

/** One sentence with the number of sessions and the room that they take. */
export function freedWords({
  sessions,
  leftovers,
  programs,
  freedBytes,
  isDryRun,
  isPart,
}: PruneView): string {
  const removable = sessions.filter(({ kept }) => kept === undefined).length;
  const left = leftovers.filter(({ kept }) => kept === undefined).length;
  const what = [
    ...(removable === 0 ? [] : [count(removable, "session")]),
    ...(left === 0 ? [] : [count(left, "leftover")]),
    ...(programs.length === 0 ? [] : [count(programs.length, "program")]),
  ];
  if (what.length === 0) return "Nothing can be removed.";
  const size = `${isPart ? "at least " : ""}${sizeWords(freedBytes)}`;
  const can = isDryRun ? "Can be removed" : "Removed";
  return `${can}: ${what.join(", ").replace(/, ([^,]*)$/u, " and $1")}, ${size}.`;
}
