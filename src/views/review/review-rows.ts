import { UNUSUAL_TITLE, unusualLines } from "../../evidence/unusual/unusual-lines.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { ChangedFile } from "../../git/repository/diffs.ts";
import { quoted, shortSha, whereItIs } from "../../workspace/session/describe-unit.ts";
import { laterWords } from "../../workspace/finished/later-command.ts";
import { inBlocks, row, cleanSpan, span, titledRows, type Row } from "../rows/row.ts";
import { differsLines } from "../status/differs-elsewhere.ts";
import { SENSITIVE_TITLE, sensitiveLines } from "../status/sensitive-words.ts";
import { nextRows } from "../status/status-rows.ts";
import type { ReviewView, RevisionView } from "./review-view.ts";
import { count, sentence } from "../../base/words/sentence.ts";
import { withNothingVerified } from "../../session/rules/nothing-verified.ts";
import { shellWord } from "../../base/words/shell-word.ts";

const STATES: Readonly<Record<ReviewView["state"], string>> = {
  INITIAL_EXECUTION: "is not finished",
  PENDING_REVIEW: "is finished and waiting for your review",
  REVISION_REQUESTED: "is waiting for its revision, which has not started",
  REVISION_IN_PROGRESS: "is being revised",
  APPROVED: "is approved",
  REJECTED: "was rejected",
};

/** The most rows of a list that are shown; the rest is only counted. */
const ROWS_MAX = 30;

/** A review as people read it: everything except the diff. */
export function reviewRows(view: ReviewView): readonly Row[] {
  const { milestones, commits, files, findings, revisions, diffId } = view;
  return inBlocks([
    headRows(view),
    titled(
      "Milestones",
      milestones.map(({ name, tasks }) => `${quoted(name)} ${count(tasks, "task")}`),
    ),
    titled(
      "Commits",
      commits.map(({ sha, subject }) => `${shortSha(sha)} ${subject}`),
    ),
    titled("Files", files.map(fileWords)),
    [
      row(verifyWords(view)),
      ...lookAtRows(view),
      row(findingsWords(view)),
      ...laterRows(view),
      ...remoteRows(view),
    ],
    titled(SENSITIVE_TITLE, sensitiveLines(view.sensitive)),
    // Each kind is bounded, so that no number of things of one kind hides those of another.
    titledRows(
      UNUSUAL_TITLE,
      unusualLines(view.unusual).map((line) => row(line)),
      Infinity,
    ),
    titled("Open", findings.open.map(openWords)),
    titled("Revisions", revisions.flatMap(revisionLines)),
    [...(diffId === undefined ? [] : [row(`diffId ${diffId}`)]), ...nextRows(view.next)],
  ]);
}

function titled(title: string, texts: readonly string[]): readonly Row[] {
  const rows = texts.map((text) => row(text));
  return titledRows(title, rows, ROWS_MAX);
}

function headRows(view: ReviewView): readonly Row[] {
  const { used, max } = view.requested;
  const stands = withNothingVerified(standing(view), view.nothingVerified === true);
  const asked = used === 0 ? "" : `, ${String(used)} of ${count(max, "requested revision")} used`;
  const branch = `branch ${sentence("plain", view.branch).text} ${whereItIs(view.head)}${asked}`;
  return [
    row(span("strong", view.session), `  ${stands} (${view.state})`),
    row(sentence("plain", view.title).text),
    row(span("faint", branch)),
    ...view.closedSays.map((text) => row(text)),
  ];
}

/** The state in words. Shipped work that is being revised is not described as shipped. */
function standing({ state, closed }: ReviewView): string {
  if (closed?.how === "abandoned") return "was abandoned";
  return closed?.how === "done" && state === "APPROVED" ? "was shipped" : STATES[state];
}

function fileWords({ path, added, removed }: ChangedFile): string {
  const name = cleanText(path, { charsMax: 200, lines: "one" });
  if (added === undefined || removed === undefined) return `${name}  binary`;
  return `${name}  +${String(added)} -${String(removed)}`;
}

function verifyWords({ verify: { commands, says }, nothingVerified }: ReviewView): string {
  if (commands.length === 0) return "No verify command is configured.";
  const command = commands.map((argv) => argv.map(shellWord).join(" ")).join(" && ");
  if (nothingVerified === true) return sentence("plain", `${command} has no tests.`).text;
  return sentence("plain", `Verified by ${command}: ${says}`).text;
}

function lookAtRows({ differs, meanwhile = [] }: ReviewView): readonly Row[] {
  const lines = [...meanwhile, ...differsLines(differs)];
  return lines.map((line) => row(cleanSpan("ask", `Look at this: ${line}`)));
}

function laterRows(view: ReviewView): readonly Row[] {
  const { laterCommits, reviewedTo: after, closed } = view;
  // For a closed session, `closedSays` already mentions them.
  if (laterCommits === 0 || closed !== undefined) return [];
  return [row(span("ask", laterWords({ count: laterCommits, after })))];
}

function findingsWords({ findings: { closed, open } }: ReviewView): string {
  return `Findings and bugs: ${String(closed)} closed, ${String(open.length)} open`;
}

function remoteRows({ remoteSays }: ReviewView): readonly Row[] {
  return remoteSays === undefined ? [] : [row(cleanSpan("plain", `Remote: ${remoteSays}`))];
}

function openWords({ id, level, brief, file }: ReviewView["findings"]["open"][number]): string {
  return sentence("plain", `${id}  ${level}  ${brief}${file === undefined ? "" : ` (${file})`}`)
    .text;
}

function revisionLines(one: RevisionView): readonly string[] {
  const added = one.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = one.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const came =
    `${one.session} [${one.how}] [${one.state}] — ${count(one.commits, "commit")}, ` +
    `${count(one.files.length, "file")} +${String(added)} -${String(removed)}, ${count(one.turns, "turn")}`;
  return [came, ...one.asked.map((asked) => `  ${sentence("plain", asked).text}`)];
}
