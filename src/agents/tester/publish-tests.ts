import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { TesterStep } from "../../session/steps/step.ts";
import type { Attempted } from "../../work/unit.ts";
import { clip } from "../../work/clip.ts";
import { publishUnit, type Published } from "../../work/publish-unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Unfiltered } from "../../work/unfiltered.ts";
import { fitFindings } from "../judge/findings-for-record.ts";
import { steeringRoot } from "../../git/steering/steering-paths.ts";
import { testPathMatcher } from "../../evidence/verify/test-paths.ts";
import { harmedTests, isHarmFailure } from "./harmed-tests.ts";
import { isFoldersFailure, namedFolders } from "./named-folders.ts";
import { proveBugs, type Claims, type Proved } from "./prove-bugs.ts";
import { worseThanBefore, type VerifyUnknown } from "../../evidence/verify/verify-head.ts";

export type TestStep = Extract<TesterStep, { kind: "test" | "final-test" }>;

/** The result of testing: bugs, and the tests that are now on the branch. */
export interface Tested {
  /** The bugs that their commands proved. */
  readonly bugs: readonly Finding[];
  /** One line for each refused bug, with the reason. */
  readonly refused: readonly string[];
  readonly commits: readonly Oid[];
  /** The tested HEAD, including the tester's own commits. */
  readonly at: Oid;
  /** Only for a final pass: the result of verify at `at`, and the base tests that fail. */
  readonly verify?: FinalVerify | undefined;
  readonly baseTests?: readonly BaseTests[];
}

/** What a turn reported, and whether it was the last attempt. */
export interface TestClaims {
  readonly claims: Claims;
  readonly lastFailure: string | undefined;
  readonly isLastTry: boolean;
}

/** The turn runs once more from the same commit; after that it ends without commits. */
const CONFLICT = "the tests do not fit on the branch any more";

/**
 * Squashes the turn's work into one commit and publishes it if it changes only test paths, harms no existing test and
 * names no folder of the session. Otherwise the work is saved and refused; after harm, the turn runs once more and its prompt gives the
 * reason. Bugs are proved at the turn's own commit, with its tests, before these are rebased onto the others'
 * commits.
 */
export async function publishTests(
  context: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  { claims, lastFailure, isLastTry }: TestClaims,
): Promise<Attempted<Tested>> {
  const { clone, at } = claims;
  const made = await clone.squashSince(at, subjectOf(step));
  if (!made.ok) {
    return { kind: "failed", reason: `what the turn left is no commit: ${made.failure.message}` };
  }
  const bare = async () => withoutCommits(await proveBugs(context, state, claims), [], at);
  if (made.value === undefined) return bare();
  const outside = await pathsOutside(context, claims, made.value);
  if (outside.length > 0) {
    await refuse(context, clone, `a tester may only commit tests, not ${outside.join(", ")}`);
    return bare();
  }
  const tests = { clone, at, made: made.value };
  const harm =
    (await harmedTests(context, state, step, tests)) ?? (await namedFolders(context, tests));
  if (harm !== undefined) {
    await refuse(context, clone, harm);
    const isRepeated = isHarmFailure(lastFailure) || isFoldersFailure(lastFailure);
    return isLastTry || isRepeated ? bare() : { kind: "failed", reason: harm };
  }
  const proved = await proveBugs(context, state, { ...claims, at: made.value });
  if (proved.kind !== "proved") return proved;
  const published = await publishOf(context, state, step, claims);
  switch (published.kind) {
    case "stopped":
    case "question":
      return published;
    case "published": {
      const { bugs, refused } = proved;
      const { shas: commits, head } = published;
      return { kind: "done", value: { bugs, refused, commits, at: head } };
    }
    case "refused": {
      const tests = await refuse(context, clone, published.reason);
      // The tests show the bug, so the fix starts with them.
      const bugs = proved.bugs.map((bug) => ({ ...bug, tests }));
      return withoutCommits({ ...proved, bugs: fitFindings(bugs) }, [], at);
    }
    case "unfiltered":
      return refuseUnfiltered(context, clone, published, isLastTry);
    case "conflict":
      await refuse(context, clone, CONFLICT);
      return isLastTry || lastFailure === CONFLICT ? bare() : { kind: "failed", reason: CONFLICT };
  }
}

/** Refuses to publish tests that make verify worse: every build would fail on them until the fix. */
async function publishOf(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit }: TestStep,
  { clone, at }: Claims,
): Promise<Published | VerifyUnknown> {
  const { journal } = context;
  let unknown: VerifyUnknown | undefined;
  const published = await publishUnit(context, {
    unit,
    clone,
    beforePublish: async (head) => {
      const worse = await worseThanBefore(context, state, { unit, at: head, before: at });
      if (worse.kind === "checked") return worse.reason;
      unknown = worse;
      return "it is not known what verify says";
    },
    intend: (shas) => {
      journal.append({ kind: "push.intent", time: journal.time(), unit, shas: [...shas] });
    },
  });
  return unknown ?? published;
}

/** Compares in both directions, because a rename is listed only under its new path. */
async function pathsOutside(
  { session }: RoleContext<"tester">,
  { clone, at }: Claims,
  made: Oid,
): Promise<readonly string[]> {
  const isTest = testPathMatcher(session.testPaths);
  const changed = [
    ...need(await clone.changedPaths(at, made)),
    ...need(await clone.changedPaths(made, at)),
  ];
  return [...new Set(changed.map(({ path }) => path))].filter(
    (path) => !isTest(path) || steeringRoot(path) !== undefined,
  );
}

async function refuse(
  { journal }: RoleContext<"tester">,
  clone: Clone,
  reason: string,
): Promise<string | undefined> {
  const { rescue } = need(await clone.rescueAndReset());
  // The reference comes first: a long list of files may be cut off.
  const text = clip(`refused, and saved as ${rescue ?? "nothing"}: ${reason}`);
  journal.append({ kind: "note", time: journal.time(), text, rescue });
  return rescue;
}

/** After the last attempt, a person is asked. */
async function refuseUnfiltered(
  context: RoleContext<"tester">,
  clone: Clone,
  { reason, question }: Unfiltered,
  isLastTry: boolean,
): Promise<Attempted<never>> {
  await refuse(context, clone, reason);
  if (!isLastTry) return { kind: "failed", reason };
  return { kind: "question", outcome: "needs_input", question };
}

function subjectOf(step: TestStep): string {
  return step.kind === "test"
    ? clip(`test: cover ${step.milestone.name}`)
    : "test: cover the whole";
}

/** The result of a pass that publishes nothing more than `commits`. */
export function withoutCommits(
  proved: Proved,
  commits: readonly Oid[],
  at: Oid,
): Attempted<Tested> {
  if (proved.kind !== "proved") return proved;
  const { bugs, refused } = proved;
  return { kind: "done", value: { bugs, refused, commits, at } };
}
