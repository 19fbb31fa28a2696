import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { TesterStep } from "../../session/steps/step.ts";
import type { Attempted } from "../work/unit.ts";
import { clip } from "../work/clip.ts";
import { publishUnit, type Published } from "../work/publish-unit.ts";
import type { RoleContext } from "../work/role-context.ts";
import { fitFindings } from "../judge/findings-for-record.ts";
import { testPathMatcher } from "../verify/test-paths.ts";
import { harmedTests, isHarm } from "./harmed-tests.ts";
import { proveBugs, type Claims, type Proved } from "./prove-bugs.ts";
import { looksWorse, type VerifyUnknown } from "./verify-head.ts";

export type TestStep = Extract<TesterStep, { kind: "test" | "final-test" }>;

/** What testing came to: bugs, and the tests that now are on the branch. */
export interface Tested {
  /** Those that their commands showed. */
  readonly bugs: readonly Finding[];
  /** Why others were not taken, each on a line. */
  readonly refused: readonly string[];
  readonly commits: readonly Oid[];
  /** HEAD that was tested, own commits included. */
  readonly at: Oid;
  /** Of a final pass: what verify says there, and which tests of the session's base fail. */
  readonly verify?: FinalVerify | undefined;
  readonly baseTests?: readonly BaseTests[];
}

/** What a turn found, and whether it is the last one. */
export interface TestClaims {
  readonly claims: Claims;
  readonly lastFailure: string | undefined;
  readonly isLastTry: boolean;
}

/** The turn is run once more for it, from the same commit; then it ends without commits. */
const CONFLICT = "the tests do not fit on the branch any more";

/**
 * What the turn left in test paths becomes one commit; work outside them is refused, and saved, and so is what harms
 * the tests that were there: then the turn is run once more, and told. Bugs are
 * looked at where the turn found them, with its tests, before these are brought to the others' commits.
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
  const harm = await harmedTests(context, state, step, { clone, at, made: made.value });
  if (harm !== undefined) {
    await refuse(context, clone, harm);
    const isOver = isLastTry || isHarm(lastFailure);
    return isOver ? bare() : { kind: "failed", reason: harm };
  }
  const proved = await proveBugs(context, state, { ...claims, at: made.value });
  if (proved.kind !== "proved") return proved;
  const published = await publishOf(context, state, step, claims);
  switch (published.kind) {
    case "stopped":
      return published;
    case "published": {
      const { shas: commits, head } = published;
      const { bugs, refused } = proved;
      return { kind: "done", value: { bugs, refused, commits, at: head } };
    }
    case "refused": {
      const tests = await refuse(context, clone, published.reason);
      // They show what is wrong: the fix begins with them.
      const bugs = proved.bugs.map((bug) => ({ ...bug, tests }));
      return withoutCommits({ ...proved, bugs: fitFindings(bugs) }, [], at);
    }
    case "failed":
      return published;
    case "conflict":
      await refuse(context, clone, CONFLICT);
      return isLastTry || lastFailure === CONFLICT ? bare() : { kind: "failed", reason: CONFLICT };
  }
}

/** Tests after which verify is worse than before are not published: every build would fail by them until the fix. */
async function publishOf(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit }: TestStep,
  { clone, at }: Claims,
): Promise<Published | VerifyUnknown> {
  const { journal } = context;
  let cut: VerifyUnknown | undefined;
  const published = await publishUnit(context, {
    unit,
    clone,
    beforePublish: async (head) => {
      const worse = await looksWorse(context, state, { unit, at: head, before: at });
      if (worse.kind === "seen") return worse.reason;
      cut = worse;
      return "it is not known what verify says";
    },
    intend: (shas) => {
      journal.append({ kind: "push.intent", time: journal.time(), unit, shas: [...shas] });
    },
  });
  return cut ?? published;
}

/** Looked at in both directions: a file that is moved among the tests is named by where it went. */
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
  return [...new Set(changed.map(({ path }) => path))].filter((path) => !isTest(path));
}

async function refuse(
  { journal }: RoleContext<"tester">,
  clone: Clone,
  reason: string,
): Promise<string | undefined> {
  const { rescue } = need(await clone.rescueAndReset());
  // The reference first: names of files may be many.
  const text = clip(`refused, and saved as ${rescue ?? "nothing"}: ${reason}`);
  journal.append({ kind: "note", time: journal.time(), text, rescue });
  return rescue;
}

function subjectOf(step: TestStep): string {
  return step.kind === "test"
    ? clip(`test: cover ${step.milestone.name}`)
    : "test: cover the whole";
}

/** What a pass came to that publishes nothing more than `commits`. */
export function withoutCommits(
  proved: Proved,
  commits: readonly Oid[],
  at: Oid,
): Attempted<Tested> {
  if (proved.kind !== "proved") return proved;
  const { bugs, refused } = proved;
  return { kind: "done", value: { bugs, refused, commits, at } };
}
