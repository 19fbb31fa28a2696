import { inSentences } from "../../base/words/in-sentences.ts";
import { unusualLines } from "../../agents/unusual/unusual-lines.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { baseTestsLines } from "./base-tests-words.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { Paint } from "../rows/paint.ts";
import { setAsideWords } from "./set-aside.ts";
import { count, sentence, type Tone } from "../../base/words/sentence.ts";
import { keptEditLines } from "./kept-edits.ts";
import { sensitiveLines } from "./sensitive-words.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { questionWords } from "./question-words.ts";
import type { StatusView } from "./status-view.ts";

/** What is said when a session has ended, or nobody is at work on it any more. */
export function summaryText(view: StatusView, session: SessionJson, paint: Paint): string {
  const rows = [
    ["branch", branchWords(view)],
    ["milestones", milestoneWords(view)],
    [
      "findings",
      `${String(view.fixed.findings)} fixed${unchangedWords(view.unchanged?.findings)}${leftWords(view, "finding")}`,
    ],
    [
      "bugs",
      `${String(view.fixed.bugs)} fixed${unchangedWords(view.unchanged?.bugs)}${leftWords(view, "bug")}`,
    ],
    ...noteRows(view, session),
    ...remoteRows(view),
    ...keptEditLines(view.edits).map((line) => ["edited", line] as const),
    ...view.meanwhile.map((text) => ["see to", sentence("plain", text).text] as const),
    ...sensitiveLines(view.sensitive).map((line) => ["look at", line] as const),
    ...unusualLines(view.unusual).map((line) => ["look at", line] as const),
    ...view.setAside.map(
      (one) => ["set aside", sentence("plain", setAsideWords(one)).text] as const,
    ),
    ...baseTestsLines(view.baseTests).map((line) => ["old tests", line] as const),
    ["files", view.home],
    ...nextRows(view, session),
  ] as const;
  const [tone, text] = verdict(view);
  const lines = rows.map(([name, value]) => `  ${paint.faint(name.padEnd(10))}  ${value}`);
  return [paint.strong(paint.tone(tone, sentence(tone, text).text)), ...lines].join("\n");
}

function verdict(view: StatusView): [Tone, string] {
  const { session, end, halt, hold, supervisorEnd, questions } = view;
  if (end?.how === "complete") return ["good", `${session} is complete.`];
  if (end !== undefined) return ["bad", `${session} is stuck: ${end.reason}`];
  const [question] = questions;
  if (question !== undefined) {
    return ["ask", `${session} waits for you. ${questionWords(question)}`];
  }
  const why = halt ?? hold ?? supervisorEnd?.reason ?? "nobody is at work";
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

/** Who opened them agreed that nothing is to be changed. */
function unchangedWords(items = 0): string {
  return items === 0 ? "" : `, ${String(items)} closed without a change`;
}

/** Those of a kind that are not fixed: open ones that hold up the end, and what a person closed instead. */
function leftWords({ openItems, dismissed }: StatusView, kind: "finding" | "bug"): string {
  const left = openItems.filter((item) => item.kind === kind && item.isBlocking);
  const closed = dismissed.filter((item) => item.kind === kind);
  return idWords("open", left) + idWords("dismissed by a person", closed);
}

function idWords(what: string, items: readonly { readonly id: string }[]): string {
  if (items.length === 0) return "";
  return `, ${String(items.length)} ${what}: ${items.map(({ id }) => id).join(", ")}`;
}

const NOTES_SHOWN_MAX = 20;

/** A digest of what weighs too little to be fixed, to be looked through once. */
function noteRows(
  { openItems }: StatusView,
  { id }: SessionJson,
): readonly (readonly [string, string])[] {
  const notes = openItems.filter(({ isBlocking }) => !isBlocking);
  if (notes.length === 0) return [];
  const shown = notes.slice(0, NOTES_SHOWN_MAX).map(({ id: note, level, file, line, brief }) => {
    const place =
      file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${String(line)}`})`;
    return ["", sentence("plain", `${note}, ${level}: ${brief}${place}`).text] as const;
  });
  const head = `${count(notes.length, "finding")} below what is fixed: wisp findings ${id} --open`;
  return [["notes", head], ...shown];
}

/** Where the branch was to be brought, and is not. */
function remoteRows({ remote }: StatusView): readonly (readonly [string, string])[] {
  if (remote?.says === undefined) return [];
  const next = remote.command === undefined ? "" : `: ${remote.command}`;
  return [["remote", sentence("plain", `${remote.says}${next}`).text]];
}

/** What leads on, the best first; of finished work also how to look at it, and to take it by hand. */
function nextRows(view: StatusView, session: SessionJson): readonly (readonly [string, string])[] {
  const { base, branch } = session;
  const name = shellWord(branch);
  const isComplete = view.end?.how === "complete" && view.laterCommits === 0;
  const byHand = [
    ["look", `git log --oneline ${shortSha(base)}..${name}`],
    ["or take", `git merge ${name}`],
  ] as const;
  return [
    ...(isComplete ? byHand.slice(0, 1) : []),
    ...view.next.map((command, index) => [index === 0 ? "next" : "or", command] as const),
    ...(isComplete ? byHand.slice(1) : []),
  ];
}
