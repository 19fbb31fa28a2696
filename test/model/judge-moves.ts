import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { coveredCommits } from "../../src/session/steps/covered-commits.ts";
import type {
  AdoptStep,
  ReviewerStep,
  TesterStep,
  VerifyStep,
} from "../../src/session/steps/step.ts";
import { push } from "./builder-turn.ts";
import { isBentAt, isRedAt, type Commit } from "./history.ts";
import type { Move } from "./move.ts";
import {
  BASE,
  BASE_TESTS,
  COMPUTED,
  findingName,
  findingOf,
  RED_VERIFY,
  TIME,
  work,
} from "./names.ts";
import type { ReviewerLog, State, TesterLog, World } from "./world.ts";
import type { TestUnit } from "./working.ts";

type ReviewEnd = Extract<ReviewerRecord, { kind: "review.end" }>;
type VerifyEnd = Extract<ReviewerRecord, { kind: "verify.end" }>;
type Looks = Extract<ReviewerStep, { kind: "review-commit" | "review-milestone" }>;

/**
 * The ways in which the reviewer's next step may end: it has no effect before its end, so each is one move.
 * `reopens`: those in its view.
 */
export function reviewerMoves(
  world: World,
  state: State,
  step: ReviewerStep,
  reopens: number,
): readonly Move[] {
  switch (step.kind) {
    case "adopt-human":
      return [adoptHuman(state, step)];
    case "verify":
      return reviewerVerifies(state, step, reopens);
    case "review-commit":
    case "review-milestone":
      return review(world, state, step);
    default:
      return [];
  }
}

function adoptHuman({ reviewer }: State, { item }: AdoptStep): Move {
  const end = { kind: "adopt.end", time: TIME, human: item.index } as const;
  if (item.kind === "add") {
    const { finding } = item;
    return { label: `R adopts ${finding.id}`, reviewer: reviewer.grow({ ...end, finding }) };
  }
  const { id: dismiss, why } = item;
  return { label: `R dismisses ${dismiss}`, reviewer: reviewer.grow({ ...end, dismiss, why }) };
}

/** A person's records about bugs are all dismissals. */
function adoptDismissal({ tester }: State, { item }: AdoptStep): readonly Move[] {
  if (item.kind === "add") return [];
  const { id: dismiss, why, index: human } = item;
  const end = { kind: "adopt.end", time: TIME, human, dismiss, why } as const;
  return [{ label: `T dismisses ${dismiss}`, tester: tester.grow(end) }];
}

function verifyEnd({ fix, unit }: VerifyStep, verdict: VerifyEnd["verdict"]): VerifyEnd {
  const { id, attempt, sha = BASE } = fix;
  return { kind: "verify.end", time: TIME, unit, id, attempt, sha, verdict };
}

function reviewerVerifies({ reviewer }: State, step: VerifyStep, reopens: number): readonly Move[] {
  const known = reviewer.fold.stale.get(step.fix.id);
  const earlier = known !== undefined && known.atReopens >= reopens ? known.count : 0;
  const looks = `looks at fix ${step.fix.id}:${step.fix.attempt}`;
  const grown = (record: ReviewerRecord) => ({ reviewer: reviewer.grow(record) });
  const question = `reviewer-${String(reviewer.fold.questions.length + 1)}`;
  return [
    { label: `R ${looks}: closed`, unless: "reopened", ...grown(verifyEnd(step, "closed")) },
    {
      label: `R ${looks}: not fixed`,
      spend: "reopened",
      ...grown(verifyEnd(step, "reopened")),
    },
    {
      label: `R ${looks}: not fixed, the lines as they were`,
      spend: "stale",
      ...grown({ ...verifyEnd(step, "reopened"), stale: earlier + 1, reopens }),
    },
    { label: `R gives up: ${looks}`, spend: "gaveup", ...grown(verifyEnd(step, "gaveup")) },
    {
      label: `R needs input: ${looks}`,
      spend: "asks",
      ...grown({ ...verifyEnd(step, "needs_input"), question }),
    },
  ];
}

function review(world: World, state: State, step: Looks): readonly Move[] {
  const { reviewer } = state;
  const subject = subjectOf(step);
  const name = step.kind === "review-commit" ? `commit ${placeIn(step.sha)}` : step.milestone.name;
  const end = (outcome: ReviewEnd["outcome"], ids: readonly string[] = []): ReviewEnd => ({
    kind: "review.end",
    time: TIME,
    unit: step.unit,
    ...subject,
    outcome,
    findings: ids.map(findingOf),
  });
  const grown = (record: ReviewerRecord) => ({ reviewer: reviewer.grow(record) });
  if (isCovered(world, state, step))
    return [
      { label: `R ${name} is covered`, ...grown({ ...end("reviewed"), outcome: "covered" }) },
    ];
  const ordinal = found(reviewer) + 1;
  const id = findingName("COR", ordinal);
  const question = `reviewer-${String(reviewer.fold.questions.length + 1)}`;
  const finds: Move =
    world.plant === "twoAppends"
      ? {
          label: `R reviewed ${name}, findings to follow`,
          ...grown(end("reviewed")),
          pending: ordinal,
        }
      : { label: `R reviewed ${name}: finds ${id}`, ...grown(end("reviewed", [id])) };
  return [
    { label: `R reviewed ${name}`, unless: "find", ...grown(end("reviewed")) },
    { ...finds, spend: "find", makes: 1 },
    ...(ordinal > 1
      ? [{ label: `R reviewed ${name}: finds ${FIRST} again`, ...grown(end("reviewed", [FIRST])) }]
      : []
    ).map((move) => ({ ...move, spend: "refind" as const })),
    {
      label: `R gives up: ${name}`,
      spend: "gaveup",
      ...grown({ ...end("gaveup"), reopens: step.reopens }),
    },
    {
      label: `R needs input: ${name}`,
      spend: "asks",
      ...grown({ ...end("needs_input"), question }),
    },
  ];
}

function subjectOf(step: Looks): Pick<ReviewEnd, "checkpoint" | "m"> {
  if (step.kind === "review-commit") return { checkpoint: step.sha };
  const { milestone, covers } = step;
  return { m: milestone.name, ...(covers?.checkpoint && { checkpoint: covers.checkpoint }) };
}

/**
 * Whether a verdict already counts as the review of a fix's commit. The reference reviews each commit, and its worlds
 * must stay comparable.
 */
function isCovered({ policy }: World, { builder, reviewer }: State, step: Looks): boolean {
  if (policy.reviewPerCommit === 0 || step.kind !== "review-commit") return false;
  return step.first === step.sha && coveredCommits(builder.fold, reviewer.fold).has(step.sha);
}

/** The item that may be found again. */
const FIRST = findingName("COR", 1);

function placeIn(sha: string): number {
  return Number.parseInt(sha.slice(1), 16);
}

/** Number of different findings or bugs that the role itself has recorded. */
function found({ fold }: ReviewerLog | TesterLog): number {
  const ids = [...fold.items.keys()];
  return ids.filter((id) => !id.startsWith("HUM-") && !COMPUTED.includes(id)).length;
}

/** R3 planted: the reviewer's findings follow in a separate append. */
export function pendingFindings({ reviewer, pending }: State): readonly Move[] {
  const id = findingName("COR", pending);
  const record: ReviewEnd = {
    kind: "review.end",
    time: TIME,
    unit: `findings:${id}`,
    ...(reviewer.fold.checkpoint && { checkpoint: reviewer.fold.checkpoint }),
    outcome: "filtered",
    findings: [findingOf(id)],
  };
  return [{ label: `R append findings ${id}`, reviewer: reviewer.grow(record), pending: 0 }];
}

/** The moves to which the tester's next step may lead: a verdict on a fix is one move, a test is only begun. */
export function testerMoves(world: World, state: State, step: TesterStep): readonly Move[] {
  switch (step.kind) {
    case "recover":
      return state.test.unit === undefined ? [] : [recovery(world, state, state.test.unit)];
    case "adopt-human":
      return adoptDismissal(state, step);
    case "verify":
      return testerVerifies(state, step);
    case "test": {
      const { unit, reopens, milestone } = step;
      const begun: TestUnit = { kind: "test", unit, m: milestone.name, reopens };
      return [{ label: `T begin ${unit}`, test: world.tests.at(begun, "turn") }];
    }
    case "final-test": {
      const { unit, n } = step;
      const begun: TestUnit = { kind: "final", unit, n };
      return [{ label: `T begin ${unit}`, test: world.tests.at(begun, "turn") }];
    }
    default:
      return [];
  }
}

function testerVerifies({ tester, branch }: State, step: VerifyStep): readonly Move[] {
  const looks = `re-tests ${step.fix.id}:${step.fix.attempt}`;
  const grown = (verdict: VerifyEnd["verdict"]) => ({
    tester: tester.grow(verifyEnd(step, verdict)),
  });
  if (step.fix.id === RED_VERIFY) {
    // No engine judges it: the command decides, at the fix.
    const verdict = isRedAt(branch, step.fix.sha) ? "reopened" : "closed";
    return [{ label: `T ${looks}: ${verdict}`, ...grown(verdict) }];
  }
  if (step.fix.id === BASE_TESTS) {
    const verdict = isBentAt(branch, step.fix.sha) ? "reopened" : "closed";
    return [{ label: `T ${looks}: ${verdict}`, ...grown(verdict) }];
  }
  return [
    { label: `T ${looks}: closed`, ...grown("closed") },
    { label: `T ${looks}: not fixed`, spend: "reopened", ...grown("reopened") },
    { label: `T gives up: ${looks}`, spend: "gaveup", ...grown("gaveup") },
  ];
}

/** A restarted tester keeps the commits of its open unit and ends it, or runs it again. */
function recovery(world: World, { branch }: State, unit: TestUnit): Move {
  const isThere = branch.records.some((commit) => commit.unit === unit.unit);
  const stage = isThere && world.plant !== "redo" ? "pushed" : "turn";
  return { label: `T recover ${unit.unit}`, test: world.tests.at(unit, stage) };
}

/** The moves that the tester's running unit may lead to. */
export function testerTurn(world: World, state: State): readonly Move[] {
  const { unit, stage } = state.test;
  if (unit === undefined) return [];
  return stage === "turn" ? runTests(world, state, unit) : endTests(world, state, unit);
}

function runTests(world: World, { branch, tester }: State, unit: TestUnit): readonly Move[] {
  const pushed = world.tests.at(unit, "pushed");
  const question = `tester-${String(tester.fold.questions.length + 1)}`;
  const asks = { ...testEnd(unit, "needs_input"), question };
  return [
    { label: `T ran ${unit.unit}`, unless: "tcommit", test: pushed },
    {
      label: `T push tests for ${unit.unit}`,
      spend: "tcommit",
      test: pushed,
      branch: push(branch, unit.unit, [work.test(unit.unit)], publishesRed(world)),
    },
    {
      label: `T needs input: ${unit.unit}`,
      spend: "asks",
      test: world.tests.idle,
      tester: tester.grow(asks),
    },
  ];
}

/** R32 and R33 planted; otherwise red tests stay under a reference. */
function publishesRed({ plant }: World): Pick<Commit, "isRed"> {
  return plant === "redTests" || plant === "verifyBefore" ? { isRed: true } : {};
}

type TestEnd = Extract<TesterRecord, { kind: "test.end" | "final.end" }>;

function testEnd(unit: TestUnit, outcome: "tested" | "gaveup" | "needs_input"): TestEnd {
  const common = { time: TIME, unit: unit.unit, outcome, bugs: [], commits: [] };
  if (unit.kind === "final") return { kind: "final.end", ...common, n: unit.n, at: BASE };
  const end: TestEnd = { kind: "test.end", ...common, m: unit.m };
  return outcome === "gaveup" ? { ...end, reopens: unit.reopens } : end;
}

function endTests(world: World, state: State, unit: TestUnit): readonly Move[] {
  const { branch, tester } = state;
  const id = findingName("BUG", found(tester) + 1);
  const commits = branch.records.filter((commit) => commit.unit === unit.unit);
  const foreign = branch.records.findLast((commit) => commit.unit !== unit.unit)?.sha;
  const head = world.plant === "atStart" ? foreign : branch.fold.head;
  const at = unit.kind === "final" ? { at: head ?? BASE } : {};
  const isRed = unit.kind === "final" && seesRed(world, branch, unit);
  const isExcused = tester.fold.dismissed.has(RED_VERIFY);
  const said = isExcused ? "excused" : "red";
  const verify = unit.kind === "final" ? ({ verify: isRed ? said : "passed" } as const) : {};
  const red = isRed && !isExcused ? [RED_VERIFY] : [];
  const isBent = unit.kind === "final" && seesBent(world, state);
  const bent = isBent && !tester.fold.dismissed.has(BASE_TESTS) ? [BASE_TESTS] : [];
  const computed = [...red, ...bent];
  const fresh = computed.filter((bug) => !tester.fold.items.has(bug));
  const end = { ...at, commits: commits.map(({ sha }) => sha) };
  const tested = (bugs: readonly string[]) => ({
    test: world.tests.idle,
    makes: bugs.length + fresh.length,
    tester: tester.grow({
      ...testEnd(unit, "tested"),
      ...end,
      ...verify,
      bugs: [...bugs, ...computed].map(findingOf),
    }),
  });
  const gaveUp = tester.grow({ ...testEnd(unit, "gaveup"), ...end });
  return [
    { label: `T end ${unit.unit}`, unless: "bug", ...tested([]) },
    { label: `T end ${unit.unit}: finds ${id}`, spend: "bug", ...tested([id]) },
    { label: `T gives up: ${unit.unit}`, spend: "gaveup", test: world.tests.idle, tester: gaveUp },
  ];
}

/** Whether the pass finds verify red, at the commit that it ends at. */
function seesRed({ plant }: World, branch: State["branch"], { unit }: TestUnit): boolean {
  if (plant === "noVerify") return false;
  const others = branch.records.findLast((commit) => commit.unit !== unit)?.sha;
  return isRedAt(branch, plant === "verifyBefore" ? (others ?? BASE) : branch.fold.head);
}

/** Whether the pass finds that tests of the session's base fail, at the commit that it ends at. */
function seesBent({ plant }: World, { branch, tester }: State): boolean {
  if (plant === "noBaseTests") return false;
  if (plant === "baseTestsOnce" && tester.fold.finalDone > 0) return false;
  return isBentAt(branch, branch.fold.head);
}
