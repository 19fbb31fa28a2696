import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Oid } from "../../src/base/oid.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { encodeFindingsBlock } from "../../src/fs-protocol/findings/findings-block.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { encodeReviewedCommit } from "../../src/fs-protocol/projections/reviewer-checkpoint.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";

/**
 * Gives a session a long past: `node write-long-logs.js <home> <lines>` puts turns of builder and
 * reviewer into their logs after the adoption of the plan, record by record as real ones are, and what
 * follows from them into the files that are made from the logs. Afterwards the reviewer owes a review
 * of each commit that the session really has.
 */
const [, , directory = "", lines = ""] = process.argv;
const home = homeAt(directory);
const base = Oid.parse(/"base": "([0-9a-f]+)"/.exec(readFileSync(home.sessionJson, "utf8"))?.[1]);

/** Stand in the records of one turn, and are replaced in those of each. */
const TIME = "2026-01-01T00:00:00.000Z";
const SHA = Oid.parse("f".repeat(40));
const MILESTONE = "long-ago";
const ATTEMPT = "777777";
/** What a record names its block of PROGRESS.txt must name too: a role writes each block that is missing. */
const REVIEWER = { name: "correctness", level: "blocking" } as const;
/** As many as a plan may have. */
const MILESTONES = 200;
/** Turns that are made into text before they are written. */
const TURNS_PER_WRITE = 2_000;

function builderTurn(): string {
  const unit = `build:${MILESTONE}:${ATTEMPT}`;
  const at = { time: TIME, unit };
  const records: readonly BuilderRecord[] = [
    { kind: "unit.begin", ...at, base: SHA },
    { kind: "turn.begin", ...at, purpose: "build", attempt: 1, engine: "command", output: unit },
    { kind: "turn.end", ...at, output: unit, outcome: "ended" },
    { kind: "push.intent", ...at, shas: [SHA], ticks: [], splits: [] },
    { kind: "push.done", ...at, sha: SHA },
    {
      kind: "build.end",
      ...at,
      m: MILESTONE,
      outcome: "partial",
      ticks: [{ m: MILESTONE, tasks: [1] }],
      commits: [SHA],
      milestones: [],
    },
  ];
  return records.map((record) => encodeRecord(BuilderRecord, record)).join("");
}

function reviewerTurn(): string {
  const unit = `commit:${SHA}`;
  const at = { time: TIME, unit };
  const records: readonly ReviewerRecord[] = [
    { kind: "unit.begin", ...at, base: SHA },
    {
      kind: "turn.begin",
      ...at,
      purpose: "review-commit",
      attempt: 1,
      engine: "command",
      output: unit,
    },
    { kind: "turn.end", ...at, output: unit, outcome: "ended" },
    {
      kind: "review.end",
      ...at,
      checkpoint: SHA,
      outcome: "reviewed",
      findings: [],
      reviewers: [{ ...REVIEWER, verdict: "passed" }],
    },
    { kind: "note", time: TIME, text: `Reviewed ${ATTEMPT} / ${ATTEMPT} commits` },
  ];
  return records.map((record) => encodeRecord(ReviewerRecord, record)).join("");
}

const builder = builderTurn();
const reviewer = reviewerTurn();
const perTurn = (builder + reviewer).split("\n").length - 1;
const turns = Math.round(Number(lines) / perTurn);

function timeOf(turn: number): string {
  return new Date(Date.parse(TIME) + turn * 1_000).toISOString();
}

/** One turn's text in the place of the pattern's. The last turn of all ends at the session's base. */
function filled(pattern: string): (turn: number) => string {
  return (turn) => {
    const sha = turn === turns - 1 ? base : String(turn).padStart(40, "0");
    return pattern
      .replaceAll(TIME, timeOf(turn))
      .replaceAll(SHA, sha)
      .replaceAll(MILESTONE, `${MILESTONE}-${Math.floor((turn * MILESTONES) / turns)}`)
      .replaceAll(ATTEMPT, String(turn + 1));
  };
}

function appendTurns(path: string, textOf: (turn: number) => string): void {
  for (let from = 0; from < turns; from += TURNS_PER_WRITE) {
    const count = Math.min(TURNS_PER_WRITE, turns - from);
    const texts = Array.from({ length: count }, (_, at) => textOf(from + at));
    appendFileSync(path, texts.join(""));
  }
}

const builderLog = roleLog(home, "builder");
const present = readFileSync(builderLog, "utf8").split(/(?<=\n)/);
const adopted = present.findIndex((line) => line.includes(" plan.adopt ")) + 1;
writeFileSync(builderLog, present.slice(0, adopted).join(""));
appendTurns(builderLog, filled(builder));
appendFileSync(builderLog, present.slice(adopted).join(""));
appendTurns(roleLog(home, "reviewer"), filled(reviewer));
appendTurns(home.reviewerCheckpoint, filled(encodeReviewedCommit({ sha: SHA, gaveUp: false })));
const review = { reviewer: REVIEWER.name, level: REVIEWER.level, findings: [] } as const;
appendTurns(home.progress, (turn) => encodeFindingsBlock({ ...review, time: timeOf(turn) }));
