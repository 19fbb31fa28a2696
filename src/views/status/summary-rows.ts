import { unusualLines } from "../../evidence/unusual/unusual-lines.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { count, sentence, type Tone } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { withNothingVerified } from "../../session/rules/nothing-verified.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { row, cleanSpan, type Row } from "../rows/row.ts";
import { namedRows, type Cell, type Fact } from "../rows/table.ts";
import { baseTestsLines } from "./base-tests-words.ts";
import { differsLines } from "./differs-elsewhere.ts";
import { keptEditLines } from "./kept-edits.ts";
import { placeWords } from "./open-items.ts";
import { questionWords } from "./question-words.ts";
import { sensitiveLines } from "./sensitive-words.ts";
import { setAsideWords } from "./set-aside.ts";
import type { StatusView } from "./status-view.ts";

/**
 * The summary that is shown when a session has ended or nothing is running any more.
 *
 * @param report the path of the session's report as it is now, or undefined if it was not written
 */
export function summaryRows(
  view: StatusView,
  session: SessionJson,
  report: string | undefined,
): readonly Row[] {
  const { edits, meanwhile, sensitive, unusual, setAside, baseTests } = view;
  const named = (name: string, values: readonly Cell[]): readonly Fact[] =>
    values.map((value) => [name, value]);
  const facts: readonly Fact[] = [
    ["branch", branchWords(view)],
    ["milestones", milestoneWords(view)],
    ["findings", itemWords(view, "finding")],
    ["bugs", itemWords(view, "bug")],
    ...noteFacts(view, session),
    ...remoteFacts(view),
    ...named("edited", keptEditLines(edits)),
    ...named("see to", meanwhile.map(plain)),
    ...named("look at", [
      ...sensitiveLines(sensitive),
      ...unusualLines(unusual),
      ...differsLines(view.differs).map(plain),
    ]),
    ...named(
      "set aside",
      setAside.map((one) => plain(setAsideWords(one))),
    ),
    ...named("old tests", baseTestsLines(baseTests)),
    ["files", view.home],
    ["report", report ?? `wisp report ${session.id} --html`],
    ...nextFacts(view, session),
  ];
  const head = { ...cleanSpan(...verdict(view)), isStrong: true };
  return [row(head), ...namedRows(facts, { style: "faint" })];
}

function plain(text: string): Cell {
  return cleanSpan("plain", text);
}

function verdict(view: StatusView): [Tone, string] {
  const { session, end, halt, hold, supervisorEnd, questions } = view;
  if (end?.how === "complete") {
    const isUnverified = view.nothingVerified === true;
    return ["good", `${withNothingVerified(`${session} is complete`, isUnverified)}.`];
  }
  if (end !== undefined) return ["bad", `${session} is stuck: ${end.reason}`];
  const [question] = questions;
  if (question !== undefined) {
    return ["ask", `${session} is waiting for you. ${questionWords(question)}`];
  }
  const why = halt ?? hold ?? supervisorEnd?.reason ?? "nothing is running";
  return ["ask", inSentences(`${session} is not finished: ${why}`)];
}

function branchWords({ branch, head, reviewed }: StatusView): string {
  const name = sentence("plain", branch).text;
  if (head === undefined) return `${name} is gone`;
  return `${name} at ${shortSha(head)}, ${count(reviewed.of, "commit")}`;
}

function milestoneWords({ milestones }: StatusView): string {
  const finished = milestones.filter(({ isFinished }) => isFinished);
  const seen = finished.filter(({ isReviewed, isTested }) => isReviewed && isTested);
  return `${String(finished.length)} of ${String(milestones.length)}, ${String(seen.length)} reviewed and tested`;
}

/** The items of one kind by result: fixed, closed without a change, open or dismissed. */
function itemWords(view: StatusView, kind: "finding" | "bug"): string {
  const { fixed, unchanged, openItems, dismissed } = view;
  const kinds = kind === "bug" ? "bugs" : "findings";
  const closed = unchanged?.[kinds] ?? 0;
  // Their openers agreed that no change is needed.
  const without = closed === 0 ? "" : `, ${String(closed)} closed without a change`;
  const left = openItems.filter((item) => item.kind === kind && item.isBlocking);
  const byPerson = dismissed.filter((item) => item.kind === kind);
  const others = idWords("open", left) + idWords("dismissed by a person", byPerson);
  return `${String(fixed[kinds])} fixed${without}${others}`;
}

function idWords(what: string, items: readonly { readonly id: string }[]): string {
  if (items.length === 0) return "";
  return `, ${String(items.length)} ${what}: ${items.map(({ id }) => id).join(", ")}`;
}

const NOTES_SHOWN_MAX = 20;

/** A digest of the findings too minor to be fixed, to be skimmed once. */
function noteFacts({ openItems }: StatusView, { id }: SessionJson): readonly Fact[] {
  const notes = openItems.filter(({ isBlocking }) => !isBlocking);
  if (notes.length === 0) return [];
  const shown = notes
    .slice(0, NOTES_SHOWN_MAX)
    .map((note) => plain(`${note.id}, ${note.level}: ${note.brief}${placeWords(note)}`));
  const head = `${count(notes.length, "finding")} too minor to be fixed: wisp findings ${id} --open`;
  return [["notes", head], ...shown.map((note): Fact => ["", note])];
}

/** The remote that the branch should be at but is not. */
function remoteFacts({ remote }: StatusView): readonly Fact[] {
  if (remote?.says === undefined) return [];
  const next = remote.command === undefined ? "" : `: ${remote.command}`;
  return [["remote", plain(`${remote.says}${next}`)]];
}

/** The next commands, best first; for finished work also how to look at it and how to merge it by hand. */
function nextFacts(view: StatusView, { base, branch }: SessionJson): readonly Fact[] {
  const name = shellWord(branch);
  const next = view.next.map((command, at): Fact => [at === 0 ? "next" : "or", command]);
  if (view.end?.how !== "complete" || view.laterCommits > 0) return next;
  return [
    ["look", `git log --oneline ${shortSha(base)}..${name}`],
    ...next,
    ["or merge", `git merge ${name}`],
  ];
}
