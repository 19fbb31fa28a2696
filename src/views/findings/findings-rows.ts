import { cleanText } from "../../base/words/clean-text.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { FindingView, FixView } from "./findings-view.ts";
import { inBlocks, row, span, type Row } from "../rows/row.ts";
import { table } from "../rows/table.ts";
import { fileAndLine } from "../status/open-items.ts";
import { because, count, sentence, type Tone } from "../../base/words/sentence.ts";
import { whyUnchanged } from "./why-unchanged.ts";

/** All findings, one per row. */
export function findingsRows(findings: readonly FindingView[]): readonly Row[] {
  if (findings.length === 0) return [row("No findings.")];
  return table(
    findings.map((finding) => {
      const { id, state, level, brief } = finding;
      const at = oneLine(fileAndLine(finding));
      const what = row(oneLine(brief), span("faint", at === "" ? "" : ` (${at})`));
      return [span("strong", oneLine(id)), span(toneOf(finding), state), level, what];
    }),
  );
}

/** One finding, with everything on record about it. */
export function findingRows(finding: FindingView): readonly Row[] {
  const { id, level, category, reviewer, state, brief, command, isOpen } = finding;
  return inBlocks([
    [
      row(span("strong", id), "  ", span(toneOf(finding), state), `  ${oneLine(brief)}`),
      row(span("faint", `${level}, ${oneLine(category)}, found by ${oneLine(reviewer)}`)),
    ],
    part("Where", oneLine(fileAndLine(finding))),
    part("Issue", finding.issue),
    part("Suggestion", finding.suggestion),
    part("Command to reproduce it", command),
    part("Its output", finding.output),
    part("Fixes", finding.fixes.map(fixText).join("\n")),
    part("Dismissed because", finding.dismissal),
    part("Not accepted because", isOpen ? finding.refusal : undefined),
  ]);
}

function fixText({ attempt, outcome, sha, reason, verdict }: FixView): string {
  const at = sha === undefined ? "" : ` ${shortSha(sha)}`;
  const words = { fixed: `fixed in${at}`, failed: "failed", nochange: "nothing to change" };
  const explanation = reason === undefined ? undefined : oneLine(reason);
  const why = outcome === "nochange" ? whyUnchanged(explanation) : because(explanation);
  const judged = verdict === undefined ? "" : `; ${VERDICTS[verdict]}`;
  return `${String(attempt)}. ${words[outcome]}${why}${judged}`;
}

const VERDICTS = { closed: "closed", reopened: "not accepted", gaveup: "could not be judged" };

/** How many findings are open, and how many of those block completion. */
export function findingsSummary(findings: readonly FindingView[]): string {
  const open = findings.filter(({ isOpen }) => isOpen);
  const blocking = open.filter(({ isBlocking }) => isBlocking).length;
  return `${count(findings.length, "finding")}, ${String(open.length)} open, ${String(blocking)} of them blocking`;
}

/** A title and a multi-line text; no rows if the text is empty. */
function part(title: string, text = ""): readonly Row[] {
  const clean = cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (clean === "") return [];
  const lines = clean.split("\n").map((line) => row(line === "" ? "" : `  ${line}`));
  return [row(`${title}:`), ...lines];
}

function oneLine(text: string): string {
  return sentence("plain", text).text;
}

function toneOf({ isOpen, isBlocking, state }: FindingView): Tone {
  if (!isOpen) return "faint";
  if (state === "fixed") return "ask";
  return isBlocking ? "bad" : "plain";
}
