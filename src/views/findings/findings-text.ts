import { cleanText } from "../../base/words/clean-text.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { FindingView, FixView } from "./findings-view.ts";
import type { Paint } from "../rows/paint.ts";
import { because, count, sentence, type Tone } from "../../base/words/sentence.ts";
import { whyUnchanged } from "./why-unchanged.ts";

/** All of them, one a line. */
export function findingsText(findings: readonly FindingView[], paint: Paint): string {
  if (findings.length === 0) return "No findings.";
  const idChars = Math.max(...findings.map(({ id }) => id.length));
  const stateChars = Math.max(...findings.map(({ state }) => state.length));
  const levelChars = Math.max(...findings.map(({ level }) => level.length));
  return findings
    .map((finding) => {
      const { id, state, level } = finding;
      const at = placeOf(finding);
      return [
        paint.strong(id.padEnd(idChars)),
        paint.tone(toneOf(finding), state.padEnd(stateChars)),
        level.padEnd(levelChars),
        `${oneLine(finding.brief)}${at === "" ? "" : paint.faint(` (${at})`)}`,
      ].join("  ");
    })
    .join("\n");
}

/** One of them, with all that is on record. */
export function findingText(finding: FindingView, paint: Paint): string {
  const { id, level, category, reviewer, state, brief, command } = finding;
  const head = [
    `${paint.strong(id)}  ${paint.tone(toneOf(finding), state)}  ${oneLine(brief)}`,
    paint.faint(`${level}, ${oneLine(category)}, found by ${oneLine(reviewer)}`),
  ];
  const parts = [
    head.join("\n"),
    titled("Where", placeOf(finding)),
    titled("Issue", finding.issue),
    titled("Suggestion", finding.suggestion),
    titled("Command that shows it", command ?? ""),
    titled("It printed", finding.output ?? ""),
    titled("Fixes", finding.fixes.map(fixText).join("\n")),
    titled("Dismissed because", finding.dismissal ?? ""),
    finding.isOpen ? titled("Not accepted because", finding.refusal ?? "") : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function fixText({ attempt, outcome, sha, reason, verdict }: FixView): string {
  const at = sha === undefined ? "" : ` ${shortSha(sha)}`;
  const words = { fixed: `fixed in${at}`, failed: "failed", nochange: "nothing to change" };
  const said = reason === undefined ? undefined : oneLine(reason);
  const why = outcome === "nochange" ? whyUnchanged(said) : because(said);
  const judged = verdict === undefined ? "" : `; ${VERDICTS[verdict]}`;
  return `${String(attempt)}. ${words[outcome]}${why}${judged}`;
}

const VERDICTS = { closed: "closed", reopened: "not accepted", gaveup: "could not be judged" };

/** How many are open, and how many of these hold up the end. */
export function findingsSummary(findings: readonly FindingView[]): string {
  const open = findings.filter(({ isOpen }) => isOpen);
  const blocking = open.filter(({ isBlocking }) => isBlocking).length;
  return `${count(findings.length, "finding")}, ${String(open.length)} open, ${String(blocking)} of them blocking`;
}

function titled(title: string, text: string): string {
  const clean = cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  return clean === "" ? "" : `${title}:\n${clean.replace(/^(?=.)/gm, "  ")}`;
}

function placeOf({ file, line }: FindingView): string {
  if (file === undefined) return "";
  return oneLine(line === undefined ? file : `${file}:${String(line)}`);
}

function oneLine(text: string): string {
  return sentence("plain", text).text;
}

function toneOf({ isOpen, isBlocking, state }: FindingView): Tone {
  if (!isOpen) return "faint";
  if (state === "fixed") return "ask";
  return isBlocking ? "bad" : "plain";
}
