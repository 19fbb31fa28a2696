import { GitFailure } from "../../../src/base/ports/repo.ts";
import { ReviewersFailure } from "../../../src/settings/reviewers/read-reviewers.ts";
import { expect, test } from "vitest";
import { ReviewMemory } from "../../../src/agents/reviewer/review-range.ts";
import { reviewCommit, reviewMilestone } from "../../../src/agents/reviewer/review.ts";
import type { BroughtIn } from "../../../src/base/ports/brought-in.ts";
import { fail, ok } from "../../../src/base/result.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { EMPTY_JUDGE, foldJudge } from "../../../src/session/state/fold-judge.ts";
import type { Reviewer } from "../../../src/settings/reviewers/reviewer.ts";
import { sha } from "../../rig/records.ts";
import { fakeClone, NOTHING_BROUGHT } from "../fake-clone.ts";
import { memoryRole, stateOf } from "../memory-role.ts";
import { found, PASSED, said } from "../turns.ts";

function reviewer(name: string, settings: Partial<Reviewer> = {}): Reviewer {
  return { name, level: "blocking", when: "milestone", prompt: `Look for ${name}.`, ...settings };
}

const THREE = [reviewer("a"), reviewer("b"), reviewer("c", { level: "warning" })];

interface Options {
  readonly reviewers?: readonly Reviewer[];
  readonly review?: { readonly batch: number | "auto"; readonly parallel: number };
  readonly changed?: readonly string[];
  readonly lines?: number;
  readonly brought?: Partial<BroughtIn>;
}

/** A reviewer role whose turns depend on the reviewers in the prompt. */
function reviewing(
  answer: (names: readonly string[], request: TurnRequest) => TurnOutcome | Promise<TurnOutcome>,
  {
    reviewers = THREE,
    review = { batch: 1, parallel: 3 },
    changed = ["a.js"],
    lines = 1,
    brought,
  }: Options = {},
) {
  const clone = fakeClone("/state/demo/reviewer/clone", {
    broughtIn: async () => ok({ ...NOTHING_BROUGHT, ...brought }),
    show: async () => ok("one\ntwo\nthree\n"),
    changedLines: async () => ok(lines),
    changedPaths: async () => ok(changed.map((path) => ({ status: "modified", path }) as const)),
  });
  const namesIn = (prompt: string) =>
    [...prompt.matchAll(/## ([a-z]+) \(/g)].map(([, n]) => n ?? "");
  const role = memoryRole("reviewer", (request) => answer(namesIn(request.prompt), request), {
    clone,
    session: { review },
  });
  const directories: string[] = [];
  const context = {
    ...role.context,
    reviewers: () => Promise.resolve(ok(reviewers)),
    clone: async (lane = 0) => {
      const directory = `/lane-${String(lane)}`;
      directories.push(directory);
      return { ...clone, directory };
    },
  };
  const memory = new ReviewMemory();
  const state = stateOf({ commits: [sha(1), sha(2), sha(3)] });
  const unit = `review:One:${sha(3)}`;
  const milestone = { name: "One", start: sha(1), end: sha(3) };
  const step = { kind: "review-milestone", milestone, unit, reopens: 0 } as const;
  return {
    ...role,
    context,
    milestone: () => reviewMilestone(context, state, step, memory),
    /** A milestone whose commits have no other review. */
    together: () =>
      reviewMilestone(context, state, { ...step, covers: { checkpoint: sha(3) } }, memory),
    /** As a process that has just started, with the existing records. */
    restarted: () => {
      const reviewer = role.records().reduce(foldJudge, EMPTY_JUDGE);
      return reviewMilestone(context, { ...state, reviewer }, step, new ReviewMemory());
    },
    commit: () =>
      reviewCommit(context, state, {
        kind: "review-commit",
        first: sha(2),
        sha: sha(2),
        unit: `commit:${sha(2)}`,
        reopens: 0,
      }),
    ends: () => role.recordsOf("review.end"),
  };
}

const looksOf = ({
  reviewers = [],
}: {
  readonly reviewers?: readonly { name: string; verdict: string }[] | undefined;
}) => reviewers.map(({ name, verdict }) => `${name} ${verdict}`);

test("each reviewer has its own turn, with its own prompt, record and clone", async () => {
  const { milestone, asked, ends, recordsOf } = reviewing(() => PASSED);
  await milestone();
  expect(asked.map(({ prompt }) => /Look for [abc]\./.exec(prompt)?.[0])).toEqual([
    "Look for a.",
    "Look for b.",
    "Look for c.",
  ]);
  expect(new Set(asked.map(({ cwd }) => cwd)).size).toBe(3);
  expect(new Set(asked.map(({ runId }) => runId)).size).toBe(3);
  expect(new Set(asked.map(({ outputBase }) => outputBase)).size).toBe(3);
  expect(recordsOf("turn.begin").map(({ part }) => part)).toEqual(["a", "b", "c"]);
  expect(ends().map(looksOf)).toEqual([["a passed", "b passed", "c passed"]]);
});

test("turns run in parallel up to the number in the settings", async () => {
  for (const parallel of [1, 2, 3]) {
    let [running, most] = [0, 0];
    const { milestone } = reviewing(
      async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return PASSED;
      },
      { review: { batch: 1, parallel } },
    );
    await milestone();
    expect(most).toBe(parallel);
  }
});

test("several reviewers may share a turn; one whose block is missing has not passed, and is asked again", async () => {
  const block = (name: string) => `[Review] ${name} (blocking)\n\n### Verdict: PASSED\n`;
  const { milestone, asked, ends } = reviewing(
    (names, { ask }) =>
      said(
        names
          .slice(0, ask === 1 ? 2 : 3)
          .map(block)
          .join("\n"),
      ),
    { review: { batch: 3, parallel: 1 } },
  );
  await milestone();
  expect(asked.map(({ ask }) => ask)).toEqual([1, 2]);
  expect(asked[1]?.prompt).toContain("There is no block of c.");
  expect(ends().map(looksOf)).toEqual([["a passed", "b passed", "c passed"]]);
});

test("an attempt that failed for one reviewer is repeated only for that one", async () => {
  let failures = 0;
  const { milestone, asked, ends } = reviewing((names) =>
    names[0] === "b" && failures++ === 0 ? { kind: "failed", reason: "crashed" } : PASSED,
  );
  await milestone();
  expect(asked.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2]);
  expect(asked[3]?.prompt).toContain("Look for b.");
  expect(ends()[0]?.outcome).toBe("reviewed");
});

test("a reviewer that never answers gives up, and the others' findings are still recorded", async () => {
  const { milestone, ends } = reviewing((names) => {
    if (names[0] === "b") return said("Looks good to me!");
    return names[0] === "a" ? found("Correctness", "a.js:2") : PASSED;
  });
  await milestone();
  const [end] = ends();
  expect(end).toMatchObject({ outcome: "gaveup", reopens: 0 });
  expect(end?.findings.map(({ reviewer: name }) => name)).toEqual(["a"]);
  expect(end && looksOf(end)).toEqual(["a needs_work", "c passed", "b gaveup"]);
});

test("a unit that is started again in the same process asks only the reviewers that have not answered", async () => {
  let stops = 1;
  const { milestone, asked, ends } = reviewing(
    (names) => (names[0] === "c" && stops-- > 0 ? { kind: "stopped" } : PASSED),
    { review: { batch: 1, parallel: 1 } },
  );
  await milestone();
  expect(ends()).toEqual([]);
  await milestone();
  expect(asked.map(({ prompt }) => /Look for ([abc])/.exec(prompt)?.[1])).toEqual([
    "a",
    "b",
    "c",
    "c",
  ]);
  expect(ends().map(looksOf)).toEqual([["a passed", "b passed", "c passed"]]);
});

test("reviewers of other files are recorded as skipped; if none remains there is no turn", async () => {
  const sql = reviewer("sql", { languages: ["sql"] });
  const some = reviewing(() => PASSED, { reviewers: [...THREE, sql] });
  await some.milestone();
  expect(some.asked).toHaveLength(3);
  expect(some.ends().map(looksOf)).toEqual([["a passed", "b passed", "c passed", "sql skipped"]]);
  const none = reviewing(() => PASSED, { reviewers: [sql] });
  await none.milestone();
  expect(none.asked).toEqual([]);
  expect(none.ends()[0]).toMatchObject({ outcome: "filtered", m: "One", findings: [] });
});

test("a commit that concerns no reviewer moves the checkpoint without a turn", async () => {
  const { commit, asked, ends } = reviewing(() => PASSED);
  await commit();
  expect(asked).toEqual([]);
  expect(ends()[0]).toMatchObject({ outcome: "filtered", checkpoint: sha(2), reviewers: [] });
});

test("a reviewer's model is passed to its engine", async () => {
  const reviewers = [reviewer("a", { model: "large" }), reviewer("b")];
  const { milestone, asked } = reviewing(() => PASSED, { reviewers });
  await milestone();
  expect(asked.map(({ model }) => model)).toEqual(["large", undefined]);
});

test("the log notes which engine a reviewer gets instead of one that is not available", async () => {
  const reviewers = [reviewer("a", { engine: "codex" })];
  const { milestone, recordsOf } = reviewing(() => PASSED, { reviewers });
  await milestone();
  expect(recordsOf("note").map(({ text }) => text)).toEqual([
    "a asks for the engine codex; it looks with script",
  ]);
});

test("a reviewer's file that breaks later fails the attempt with a reason, and is never a pass", async () => {
  const role = reviewing(() => PASSED);
  const problem = { kind: "syntax", line: 3, column: 1, problem: "no" } as const;
  const files = [{ path: "/own/x.md", problems: [problem] }];
  const broken = {
    ...role.context,
    reviewers: () => Promise.resolve(fail(ReviewersFailure({ files }))),
  };
  await reviewMilestone(broken, stateOf({ commits: [sha(1), sha(2), sha(3)] }), {
    kind: "review-milestone",
    milestone: { name: "One", start: sha(1), end: sha(3) },
    unit: `review:One:${sha(3)}`,
    reopens: 0,
  });
  expect(role.asked).toEqual([]);
  expect(role.recordsOf("attempt.failed")).toHaveLength(3);
  expect(role.ends()[0]).toMatchObject({
    outcome: "gaveup",
    reason: "the reviewers cannot be used: /own/x.md:3:1: no",
  });
});

const LINK = { path: "docs/l", target: "/etc/passwd", end: "absolute", commit: sha(2) } as const;
const LARGE = { path: "x.bin", bytes: 6 * 1024 * 1024, commit: sha(3) };

test("unusual commits of a milestone are noted once, even across a restart, and only for people", async () => {
  let stops = 1;
  const { milestone, restarted, commit, asked, ends, recordsOf } = reviewing(
    (names) => {
      if (names[0] === "c" && stops-- > 0) return { kind: "stopped" };
      return names[0] === "b" ? said("Looks good to me!") : PASSED;
    },
    { brought: { links: [LINK], blobs: [LARGE] }, review: { batch: 1, parallel: 1 } },
  );
  const notes = () => recordsOf("note").map(({ text }) => text);
  await milestone();
  expect(notes()).toEqual([]);
  // Killed before its end was recorded, and repeated after it gave up.
  await restarted();
  const noted = [
    `Check in "One": docs/l -> /etc/passwd (link to an absolute path): ${sha(2).slice(0, 7)}`,
    `Check in "One": x.bin (6.0 MiB, which stay in the history): ${sha(3).slice(0, 7)}`,
  ];
  expect(notes()).toEqual(noted);
  await restarted();
  await commit();
  expect(notes().filter((text) => text.startsWith("Check in"))).toEqual(noted);
  // No turn is to judge or fix it.
  expect(ends().flatMap(({ findings }) => findings)).toEqual([]);
  for (const { prompt } of asked) expect(prompt).not.toMatch(/passwd|x\.bin/);
});

test("a review continues with a note if git cannot list the commits' contents", async () => {
  const failure = GitFailure({ operation: "log", directory: "/x", message: "too much" });
  const role = reviewing(() => PASSED);
  const clone = { ...(await role.context.clone()), broughtIn: async () => fail(failure) };
  const step = {
    kind: "review-milestone",
    milestone: { name: "One", start: sha(1), end: sha(3) },
    unit: `review:One:${sha(3)}`,
    reopens: 0,
  } as const;
  const context = { ...role.context, clone: async () => clone };
  await reviewMilestone(context, stateOf({ commits: [sha(1), sha(2), sha(3)] }), step);
  expect(role.ends()[0]?.outcome).toBe("reviewed");
  expect(role.recordsOf("note").map(({ text }) => text)).toEqual([
    'Check in "One": what the commits bring could not be read: too much',
  ]);
});

/** A passing block for each reviewer in the prompt. */
function passedBy(names: readonly string[]): TurnOutcome {
  const head = (name: string) => `[Review] ${name} (${name === "c" ? "warning" : "blocking"})`;
  return said(names.map((name) => `${head(name)}\n\n### Verdict: PASSED\n`).join("\n"));
}

test("all reviewers share a turn if the change is small, and none do if it is larger", async () => {
  const review = { batch: "auto", parallel: 1 } as const;
  const turnsOf = async (size: Pick<Options, "changed" | "lines">) => {
    const { milestone, asked } = reviewing(passedBy, { review, ...size });
    await milestone();
    return asked.length;
  };
  expect(await turnsOf({ lines: 400 })).toBe(1);
  expect(await turnsOf({ lines: 401 })).toBe(3);
  const many = Array.from({ length: 21 }, (_, index) => `${String(index)}.js`);
  expect(await turnsOf({ changed: many })).toBe(3);
});

test("reviewers whose shared turn failed get a turn of their own if sharing was wisp's choice", async () => {
  const { milestone, asked, ends } = reviewing(
    (names) => (names.length > 1 ? { ...PASSED, text: "All well." } : PASSED),
    { review: { batch: "auto", parallel: 1 } },
  );
  await milestone();
  expect(asked.filter(({ attempt }) => attempt > 1)).toHaveLength(3);
  expect(ends().map(looksOf)).toEqual([["a passed", "b passed", "c passed"]]);
});

test("a milestone that covers its commits is one record, and reviewers of commits review it, too", async () => {
  const reviewers = [reviewer("a"), reviewer("b", { when: "commit" })];
  const whole = reviewing(() => PASSED, { reviewers });
  await whole.together();
  expect(whole.ends()).toMatchObject([{ m: "One", checkpoint: sha(3), outcome: "reviewed" }]);
  expect(whole.ends().map(looksOf)).toEqual([["a passed", "b passed"]]);
  expect(whole.asked[0]?.prompt).toContain("Not all of its commits were looked at");
  expect(whole.recordsOf("note").map(({ text }) => text)).toEqual(["Reviewed 3 / 3 commits"]);
  const after = reviewing(() => PASSED, { reviewers });
  await after.milestone();
  expect(after.ends().map(looksOf)).toEqual([["a passed"]]);
  expect(after.asked[0]?.prompt).toContain("The commits were looked at one by one already");
});
