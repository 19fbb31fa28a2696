import { cleanText } from "../../base/words/clean-text.ts";
import type { ChangedFile } from "../../git/repository/diffs.ts";
import { quoted, shortSha, whereItIs } from "../../workspace/session/describe-unit.ts";
import { laterWords } from "../../workspace/finished/later-command.ts";
import type { Paint } from "../rows/paint.ts";
import type { ReviewView, RevisionView } from "./review-view.ts";
import { count, sentence } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";

const STATES: Readonly<Record<ReviewView["state"], string>> = {
  INITIAL_EXECUTION: "is not finished",
  PENDING_REVIEW: "is finished, and waits to be looked at",
  REVISION_REQUESTED: "waits for its revision, which has not begun",
  REVISION_IN_PROGRESS: "is being revised",
  APPROVED: "is approved of",
  REJECTED: "was rejected",
};

/** Rows of a list on a screen; of more, the rest is counted. */
const ROWS_MAX = 30;

/** A review as text: everything but the diff. */
export function reviewText(view: ReviewView, paint: Paint): string {
  const blocks = [
    heading(view, paint),
    titled(
      "Milestones",
      view.milestones.map(({ name, tasks }) => `${quoted(name)} ${count(tasks, "task")}`),
      paint,
    ),
    titled(
      "Commits",
      view.commits.map(({ sha, subject }) => `${shortSha(sha)} ${subject}`),
      paint,
    ),
    titled("Files", view.files.map(fileRow), paint),
    [verifyRow(view), findingsRow(view), ...laterRows(view, paint), ...remoteRow(view)],
    titled("Open", view.findings.open.map(openRow), paint),
    titled("Revisions", view.revisions.flatMap(revisionRows), paint),
    [
      ...(view.diffId === undefined ? [] : [`diffId ${view.diffId}`]),
      ...view.next.map((command) => `${paint.faint("next:")} ${command}`),
    ],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function heading(view: ReviewView, paint: Paint): readonly string[] {
  const { used, max } = view.requested;
  const asked = used === 0 ? "" : `, ${String(used)} of ${count(max, "requested revision")} used`;
  return [
    `${paint.strong(view.session)}  ${standing(view)} (${view.state})`,
    sentence("plain", view.title).text,
    paint.faint(`branch ${sentence("plain", view.branch).text} ${whereItIs(view.head)}${asked}`),
    ...view.closedSays,
  ];
}

/** Taken work that is revised is not at its end. */
function standing({ state, closed }: ReviewView): string {
  if (closed?.how === "abandoned") return "was given up";
  return closed?.how === "done" && state === "APPROVED" ? "was taken" : STATES[state];
}

function fileRow({ path, added, removed }: ChangedFile): string {
  const name = cleanText(path, { charsMax: 200, lines: "one" });
  if (added === undefined || removed === undefined) return `${name}  binary`;
  return `${name}  +${String(added)} -${String(removed)}`;
}

function verifyRow({ verify: { commands, says } }: ReviewView): string {
  if (commands.length === 0) return "There is no command that verifies it.";
  const command = commands.map((argv) => argv.map(shellWord).join(" ")).join(" && ");
  return sentence("plain", `Verified by ${command}: ${says}`).text;
}

function laterRows(view: ReviewView, paint: Paint): readonly string[] {
  const { laterCommits, reviewedTo: after, closed } = view;
  // Of taken work its own sentences say it.
  if (laterCommits === 0 || closed !== undefined) return [];
  return [paint.tone("ask", laterWords({ count: laterCommits, after }))];
}

function findingsRow({ findings: { closed, open } }: ReviewView): string {
  return `Findings and bugs: ${String(closed)} closed, ${String(open.length)} open`;
}

function remoteRow({ remoteSays }: ReviewView): readonly string[] {
  return remoteSays === undefined ? [] : [sentence("plain", `Remote: ${remoteSays}`).text];
}

function openRow({ id, level, brief, file }: ReviewView["findings"]["open"][number]): string {
  return sentence("plain", `${id}  ${level}  ${brief}${file === undefined ? "" : ` (${file})`}`)
    .text;
}

function revisionRows(one: RevisionView): readonly string[] {
  const added = one.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = one.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const came =
    `${one.session} [${one.how}] [${one.state}] — ${count(one.commits, "commit")}, ` +
    `${count(one.files.length, "file")} +${String(added)} -${String(removed)}, ${count(one.turns, "turn")}`;
  return [came, ...one.asked.map((asked) => `  ${sentence("plain", asked).text}`)];
}

function titled(title: string, rows: readonly string[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.length > ROWS_MAX ? rows.slice(0, ROWS_MAX - 1) : rows;
  const rest = rows.length - shown.length;
  const more = rest === 0 ? [] : [paint.faint(`  and ${String(rest)} more`)];
  return [paint.strong(title), ...shown.map((row) => `  ${row}`), ...more];
}
