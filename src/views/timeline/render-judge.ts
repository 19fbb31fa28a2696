import { CANARY, NEUTRAL, SOURCE } from "../../fs-protocol/records/command-result.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { renderCommon } from "./render-common.ts";
import { renderOldTests } from "./render-old-tests.ts";
import { renderSource } from "./render-source.ts";
import { renderQuestion } from "./render-question.ts";
import { because, count, sentence, type Sentence } from "../../base/words/sentence.ts";

type JudgeRecord = ReviewerRecord | TesterRecord;
type RecordOf<K extends JudgeRecord["kind"]> = Extract<JudgeRecord, { readonly kind: K }>;

/** A record of `reviewer.log` as a sentence. */
export function renderReviewer(record: ReviewerRecord): Sentence | undefined {
  switch (record.kind) {
    case "review.end":
      return renderReview(record);
    case "verify.end":
      return renderVerdict(record);
    case "command.result":
      return renderOldTests(record);
    case "adopt.end":
      return record.finding === undefined
        ? renderDismissal(record)
        : sentence("bad", `recorded your finding ${describeFinding(record.finding)}`);
    default:
      return renderCommon(record);
  }
}

/** A record of `tester.log` as a sentence. */
export function renderTester(record: TesterRecord): Sentence | undefined {
  switch (record.kind) {
    case "push.intent":
      return undefined;
    case "push.done":
      return sentence("plain", `published tests: ${shortSha(record.sha)}`);
    case "command.result":
      return renderCommand(record);
    case "test.end":
      return renderTest(record, `milestone ${quoted(record.m)}`);
    case "final.end":
      return renderTest(record, `the whole at ${shortSha(record.at)}`);
    case "verify.end":
      return renderVerdict(record);
    case "adopt.end":
      return renderDismissal(record);
    default:
      return renderCommon(record);
  }
}

function renderDismissal({ dismiss = "" }: RecordOf<"adopt.end">): Sentence {
  return sentence("plain", `dismissed ${dismiss}, as you asked`);
}

type TestersCommand = Extract<TesterRecord, { readonly kind: "command.result" }>;

function renderCommand(record: TestersCommand): Sentence {
  const { unit, at, tests, command, of, outcome, reason } = record;
  if (command.startsWith(CANARY)) return renderCanary(record);
  if (command.startsWith(SOURCE)) return renderSource(record);
  if (command.startsWith(NEUTRAL)) return renderNeutral(record);
  if (of !== "bug" && tests !== undefined) return renderOldTests(record);
  const words = { passed: "passed", failed: "failed", unstarted: "could not be run" };
  const look = decodeUnit(unit);
  const bug = look?.kind === "verify" ? ` of ${look.id}` : " to reproduce a bug";
  const what = { bug: `the command${bug}`, verify: "verify", none: "a command" }[of ?? "none"];
  return sentence(
    "faint",
    `ran ${what} at ${shortSha(at)}: it ${words[outcome]}${because(reason)}`,
  );
}

/** `reason` names the place where the test was planted. */
function renderCanary({ at, outcome, reason }: TestersCommand): Sentence {
  const words = {
    passed: "verify did not see it",
    failed: "verify saw it",
    unstarted: "verify failed, but not because of it",
  };
  const where = reason === undefined ? "" : ` in ${reason}`;
  const text = `planted a failing test${where} at ${shortSha(at)}: ${words[outcome]}`;
  return sentence(outcome === "passed" ? "bad" : "faint", text);
}

function renderNeutral({ at, outcome, reason }: TestersCommand): Sentence {
  const words = {
    passed: `verify is at ${shortSha(at)} the same where nothing is named after wisp`,
    failed: "verify differs where nothing is named after wisp",
    unstarted: "whether verify differs where nothing is named after wisp is not known",
  };
  return sentence(outcome === "failed" ? "bad" : "faint", `${words[outcome]}${because(reason)}`);
}

/** A finding or bug on one line. */
export function describeFinding(finding: Finding): string {
  const { id, level, brief, file, line } = finding;
  const at = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${String(line)}`})`;
  return `${id}, ${level}: ${brief}${at}`;
}

function renderReview(record: RecordOf<"review.end">): Sentence {
  const subject = reviewedSubject(record);
  switch (record.outcome) {
    case "reviewed":
      return renderFound(`reviewed ${subject}${reviewersNote(record)}`, "finding", record.findings);
    case "covered":
      return sentence("faint", `${subject} was reviewed as a fix`);
    case "filtered":
      return sentence("faint", `${subject} has nothing to review${reviewersNote(record)}`);
    case "gaveup": {
      const did = `gave up reviewing ${subject}${reviewersNote(record)}`;
      return sentence("bad", `${did}${because(record.reason)}`);
    }
    case "needs_input":
    case "blocked":
      return renderQuestion(record);
  }
}

function reviewedSubject({ m, checkpoint, unit }: RecordOf<"review.end">): string {
  if (m !== undefined) {
    const commits = checkpoint === undefined ? "" : `, and its commits to ${shortSha(checkpoint)}`;
    return `milestone ${quoted(m)}${commits}`;
  }
  const last = checkpoint ?? "";
  const commits = decodeUnit(unit);
  const first = commits?.kind === "commit" ? commits.first : last;
  if (first === last) return `commit ${shortSha(last)}`;
  return `commits ${shortSha(first)} to ${shortSha(last)}`;
}

/** The reviewers, if there were several or one did not answer. */
function reviewersNote({ reviewers = [] }: RecordOf<"review.end">): string {
  const named = (verdicts: readonly string[]) =>
    reviewers.filter(({ verdict }) => verdicts.includes(verdict)).map(({ name }) => name);
  const looked = named(["passed", "needs_work"]);
  const [skipped, silent] = [named(["skipped"]), named(["gaveup"])];
  const parts = [
    looked.length > 1 ? looked.join(", ") : "",
    silent.length > 0 ? `no answer from ${silent.join(", ")}` : "",
    skipped.length > 0 ? `skipped: ${skipped.join(", ")}` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

function renderTest(
  record: RecordOf<"test.end"> | RecordOf<"final.end">,
  subject: string,
): Sentence {
  switch (record.outcome) {
    case "tested":
      return renderFound(`tested ${subject}`, "bug", record.bugs);
    case "skipped":
      return sentence("faint", `${subject} has nothing to test`);
    case "gaveup":
      return sentence("bad", `gave up testing ${subject}${because(record.reason)}`);
    case "needs_input":
    case "blocked":
      return renderQuestion(record);
  }
}

function renderFound(did: string, noun: string, found: readonly Finding[]): Sentence {
  if (found.length === 0) return sentence("good", `${did}: no ${noun}s`);
  const list = found.map(describeFinding).join("; ");
  return sentence("bad", `${did}: ${count(found.length, noun)}: ${list}`);
}

function renderVerdict(record: RecordOf<"verify.end">): Sentence {
  const why = because(record.reason);
  switch (record.verdict) {
    case "closed":
      return sentence("good", `closed ${record.id}: ${whyClosed(record)}`);
    case "reopened":
      return sentence("bad", `${record.id} is not fixed by ${shortSha(record.sha)}${why}`);
    case "gaveup":
      return sentence("bad", `gave up judging the fix of ${record.id}${why}`);
    case "needs_input":
    case "blocked":
      return renderQuestion(record);
  }
}

function whyClosed({ of, sha }: RecordOf<"verify.end">): string {
  return of === "nochange" ? "agrees that no change is needed" : `the fix ${shortSha(sha)} holds`;
}
