import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import {
  build,
  commit,
  historyWith,
  person,
  plan,
  review,
  supervisor,
  tests,
  verdict,
} from "./hand-made.ts";
import { checkHistory } from "./history-checks.ts";
import { publishedCommits } from "./history.ts";
import { shaAt } from "./names.ts";

/** Tests `checkHistory` with a sound history, and with the same history after one mistake at a time. */

const F1 = "COR-000001";
const SOUND = {
  planner: [plan.staged(0, ["a1"]), plan.keep(1, 1)],
  builder: [
    build.adopts(0, ["a1"]),
    build.begins("build:a1:1"),
    build.intends("build:a1:1", [1]),
    build.ends("a1", 0, 1),
    build.closes("all", [F1]),
    build.begins(`fix:${F1}:1`),
    build.intends(`fix:${F1}:1`, [2]),
    build.fixes(F1, 1, { outcome: "fixed", sha: shaAt(2) }),
    build.closes("all"),
    build.opensFinal(1),
    build.isDone("complete", 2),
  ],
  reviewer: [
    review.commit(1, [F1]),
    review.milestone("a1", 1),
    verdict(F1, 1, shaAt(2), "closed"),
    review.commit(2),
  ],
  tester: [tests.milestone("a1", 1), tests.final(1, 2)],
  commits: [commit(1, "task:a1:1", "build:a1:1"), commit(2, `fix:${F1}:1`, `fix:${F1}:1`)],
};

function brokenIn(given: Parameters<typeof historyWith>[0]): string | undefined {
  return checkHistory(historyWith({ ...SOUND, ...given }), DEFAULT_POLICY)?.invariant;
}

/** The sound log of the builder with its n-th record replaced. */
function builderWith(at: number, ...records: ReturnType<typeof build.begins>[]) {
  return { builder: SOUND.builder.toSpliced(at, 1, ...records) };
}

test("a sound history breaks no invariant", () => {
  expect(checkHistory(historyWith(SOUND), DEFAULT_POLICY)).toBeUndefined();
});

test("a history can be checked if its commits are known only by their intents", () => {
  const commits = publishedCommits([shaAt(1), shaAt(2)], SOUND.builder);
  expect(commits.map(({ unit }) => unit)).toEqual(["build:a1:1", `fix:${F1}:1`]);
  expect(brokenIn({ commits })).toBeUndefined();
});

test("I1 is broken by a range that does not begin where the last one ended", () => {
  expect(brokenIn(builderWith(3, build.ends("a1", 1, 1)))).toBe("I1");
});

test("I2 is broken by a milestone that is recorded twice", () => {
  const commits = [commit(1, "a", "build:a1:1"), commit(2, "b", "build:a1:2")];
  const builder = [...SOUND.builder.slice(0, 4), build.ends("a1", 1, 2, 2)];
  expect(brokenIn({ builder, commits, reviewer: [] })).toBe("I2");
});

test("I3 is broken by a milestone that is reviewed or tested twice", () => {
  expect(brokenIn({ reviewer: [...SOUND.reviewer, review.milestone("a1", 1)] })).toBe("I3");
  expect(brokenIn({ tester: [...SOUND.tester, tests.milestone("a1", 1)] })).toBe("I3");
});

test("I4 is broken by work that is committed twice", () => {
  expect(brokenIn({ commits: [...SOUND.commits, commit(3, "task:a1:1", "x")] })).toBe("I4");
});

test("I4 is broken by a unit that ended twice", () => {
  expect(brokenIn({ reviewer: [...SOUND.reviewer, review.commit(2)] })).toBe("I4");
  expect(brokenIn({ planner: [...SOUND.planner, plan.keep(2, 1)] })).toBe("I4");
});

test("I5 is broken by a fix that began before the verdict on the previous one", () => {
  const twice = build.fixes(F1, 2, { outcome: "failed" });
  const reviewer = SOUND.reviewer.filter(({ kind }) => kind !== "verify.end");
  const builder = [...SOUND.builder.slice(0, 8), build.closes("timeout", [F1]), twice];
  expect(brokenIn({ builder, reviewer })).toBe("I5");
});

test("I6 is broken by a verdict on another commit than the fix", () => {
  const reviewer = SOUND.reviewer.with(2, verdict(F1, 1, shaAt(1), "closed"));
  expect(brokenIn({ reviewer })).toBe("I6");
});

test("I6 is broken by a verdict of another role than the opener", () => {
  const tester = [...SOUND.tester, verdict(F1, 1, shaAt(2), "closed")];
  expect(brokenIn({ tester })).toBe("I6");
});

test("I7 is broken by a plan that changes while a unit is open", () => {
  const adopts = build.adopts(1, ["a1", "b1"]);
  expect(brokenIn(builderWith(2, adopts, build.intends("build:a1:1", [1])))).toBe("I7");
});

test("I8 is broken by a plan that changes a completed milestone", () => {
  expect(brokenIn(builderWith(8, build.adopts(1, ["xa1"]), build.closes("all")))).toBe("I8");
});

test("I9 is broken by a `complete` without any one of its conditions", () => {
  const left = [review.commit(1, [F1]), review.milestone("a1", 1), review.commit(2)];
  const refused = SOUND.reviewer.with(2, verdict(F1, 1, shaAt(2), "reopened"));
  expect(brokenIn({ reviewer: left })).toBe("I9");
  expect(brokenIn({ reviewer: refused })).toBe("I9");
  expect(brokenIn({ reviewer: SOUND.reviewer.slice(0, 3) })).toBe("I9");
  expect(brokenIn({ tester: [tests.milestone("a1", 1), tests.final(1, 1)] })).toBe("I9");
  expect(brokenIn({ tester: [tests.final(1, 2)] })).toBe("I9");
  expect(brokenIn({ tester: [tests.milestone("a1", 1), tests.final(1, 2, "gaveup")] })).toBe("I9");
  expect(brokenIn(builderWith(0, build.adopts(0, ["a1", "b1"])))).toBe("I9");
  const human = [person.updates(1)];
  expect(brokenIn({ ...builderWith(10, build.isDone("complete", 2, { human: 1 })), human })).toBe(
    "I9",
  );
  const failed = { failed: ["tester" as const] };
  expect(brokenIn(builderWith(10, build.isDone("complete", 2, failed)))).toBe("I9");
});

test("I9 is not broken by items that a person added after `complete`", () => {
  const human = [person.adds("HUM-000001")];
  const reviewer = [...SOUND.reviewer, review.adoptsAdded(0, "HUM-000001")];
  expect(brokenIn({ human, reviewer })).toBeUndefined();
});

test("I10 is broken by a unit that is open at the end, unless its role has failed", () => {
  const tester = [...SOUND.tester, tests.begins("final:2")];
  const stuck = build.isDone("stuck", 2, { failed: ["tester"] });
  const gone = [supervisor.fails("tester")];
  expect(brokenIn({ tester })).toBe("I10");
  expect(brokenIn({ ...builderWith(10, stuck), tester, supervisor: gone })).toBeUndefined();
});

test("I11 is broken by a loop of fix rounds, of final passes, or of reopening", () => {
  const rounds = Array.from({ length: 4 }, () => build.closes("all", [F1]));
  const passes = Array.from({ length: 9 }, (_, index) => build.opensFinal(index + 1));
  const human = [person.updates(1)];
  const again = [build.reopens(1), build.halts(), build.isDone("stuck", 2), build.reopens(1)];
  expect(brokenIn({ builder: [...SOUND.builder.slice(0, 4), ...rounds] })).toBe("I11");
  expect(brokenIn({ builder: [...SOUND.builder.slice(0, 9), ...passes] })).toBe("I11");
  expect(brokenIn({ builder: [...SOUND.builder, ...again], human })).toBe("I11");
});

test("I13 is broken by a reopen without a human record that asks for it", () => {
  const human = [person.approves()];
  expect(brokenIn({ builder: [...SOUND.builder, build.reopens(1)], human })).toBe("I13");
});

test("I14 is broken by a unit that ends with another unit's commits", () => {
  const commits = SOUND.commits.with(0, commit(1, "task:a1:1", "build:a1:7"));
  expect(brokenIn({ commits })).toBe("I14");
});

test("I18 is broken by work on a red base that no person accepted and verify did not judge", () => {
  const red = build.seesBase("failed");
  const asks = build.endsBase("needs_input", { question: "builder-1" });
  const accepts = build.endsBase("accepted", { by: "builder-1" });
  const judged = build.endsBase("judged");
  const after = (...records: ReturnType<typeof build.begins>[]) => ({
    builder: [...records, ...SOUND.builder],
  });
  const human = [person.answers("builder-1", "accept")];
  expect(brokenIn(after(build.seesBase("passed")))).toBeUndefined();
  expect(brokenIn({ ...after(red, asks, accepts), human })).toBeUndefined();
  expect(brokenIn(after(red, asks, build.seesBase("passed"), judged))).toBeUndefined();
  expect(brokenIn(after(red))).toBe("I18");
  expect(brokenIn({ ...after(red, asks), human })).toBe("I18");
  expect(brokenIn({ ...after(red, asks, red, judged), human })).toBe("I18");
  expect(brokenIn(after(red, asks, accepts))).toBe("I18");
  const others = [person.answers("builder-1"), person.answers("builder-2", "accept")];
  expect(brokenIn({ ...after(red, asks, accepts), human: others })).toBe("I18");
});

test("I19 is broken by a checkpoint that skips unreviewed commits, or a person's commits", () => {
  const reviewed = (...records: typeof SOUND.reviewer) => ({
    reviewer: [...records, ...SOUND.reviewer.slice(2)],
  });
  const policy = { ...DEFAULT_POLICY, reviewPerCommit: 5 };
  const broken = (given: Parameters<typeof historyWith>[0]) =>
    checkHistory(historyWith({ ...SOUND, ...given }), policy)?.invariant;
  const together = review.together("a1", 1, [F1]);
  expect(broken(reviewed(together))).toBeUndefined();
  expect(broken(reviewed(review.together("a1", 2, [F1])))).toBe("I19");
  expect(broken(reviewed(review.milestone("a1", 1, [F1])))).toBe("I19");
  const foreign = [{ ...commit(1, "foreign", ""), unit: undefined }, ...SOUND.commits.slice(1)];
  expect(broken({ ...reviewed(together), commits: foreign })).toBe("I19");
  expect(broken({ commits: foreign })).toBeUndefined();
});

test("I20 is broken by a review of more commits than may be reviewed together", () => {
  const reviewer = [review.together("a1", 1, [F1]), ...SOUND.reviewer.slice(2)];
  const broken = (reviewPerCommit: number) =>
    checkHistory(historyWith({ ...SOUND, reviewer }), { ...DEFAULT_POLICY, reviewPerCommit });
  expect(broken(1)).toBeUndefined();
  expect(broken(0)?.invariant).toBe("I20");
});
