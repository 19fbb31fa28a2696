import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { changedTests, type ChangedTests } from "../integrity/changed-tests.ts";
import { runsOfJudges } from "../integrity/run-old-tests.ts";
import { failedByFile, type FailedTests } from "../integrity/failed-tests.ts";
import {
  decisiveTry,
  redBefore,
  tryOldTests,
  unloadedIn,
  waysToRun,
  type OldRan,
  type OldTestsTry,
  type RedBefore,
} from "../integrity/try-old-tests.ts";
import { restoredFiles } from "../harness/old-tests.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { requestInForce } from "../../home/shared-files.ts";
import { asksAt } from "../look/unknown-question.ts";
import { listedBaseTests } from "./listed-base-tests.ts";
import { requestPassages } from "./request-passages.ts";
import { sortFailures } from "./sort-failures.ts";
import { verifyResultAt, type VerifyUnknown } from "../verify/verify-head.ts";

/** The commit on which the base tests are run, and the unit that runs them. */
export interface BaseTestsPlace {
  readonly unit: string;
  readonly at: Oid;
}

/** A failed run of the base tests, and the bugs that are already recorded. */
export interface FailedBaseTests {
  /** The failures that nothing excuses. */
  readonly blamed: readonly FailedTests[];
  readonly base: Oid;
  readonly at: Oid;
  readonly ran: Pick<OldRan, "red">;
  readonly known: Pick<JudgeFold, "items" | "open">;
}

export type BaseTestsCheck =
  | {
      readonly kind: "checked";
      /** What counts against the session; undefined if nothing failed. */
      readonly failed: FailedBaseTests | undefined;
      /** Everything that failed, with what it means. */
      readonly listed: readonly BaseTests[];
    }
  | VerifyUnknown;

const NOTHING: Extract<BaseTestsCheck, { kind: "checked" }> = {
  kind: "checked",
  failed: undefined,
  listed: [],
};

/** What the session changed in the base tests, and the passages of its request. */
export interface SinceBase {
  readonly changed: ChangedTests;
  readonly passages: readonly string[];
}

/**
 * Checks whether the tests of the session's base still pass at its end. One milestone may weaken a test,
 * and the next may break what it guarded, each as the plan asked.
 *
 * The tests run only if the session changed any of them, and only once per tree. A test that fails twice,
 * that passed at the base and that passes in its current version is a bug, unless the request asks for the
 * change or a person dismissed that failure. Tests that can no longer be loaded are listed, not blamed.
 */
export async function checkBaseTests(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at }: BaseTestsPlace,
): Promise<BaseTestsCheck> {
  const { session } = context;
  const { base, verify } = session;
  if (verify.length === 0 || at === base) return NOTHING;
  const since = await sinceBase(context, at);
  const { changed, passages } = since;
  const cut = cutText(changed);
  let red: RedBefore | undefined;
  let unknown: VerifyUnknown | undefined;
  const before = async () => {
    const around = await redAround(context, { unit, at });
    if (around.kind === "checked") return (red = around.red);
    unknown = around;
    return "stopped" as const;
  };
  const tried = await tryOldTests(context, runsOfJudges(state), {
    ...{ unit, start: base, end: at, changed, ways: waysToRun(changed, passages), before },
    isSoleJudge: true,
  });
  if (tried.kind === "unknown") return asksAt(at, tried.reason);
  if (tried.kind === "stopped") return unknown ?? tried;
  const last = decisiveTry(tried.tries);
  if (last === undefined || last.ran.outcome === "passed") {
    return { ...NOTHING, listed: listedBaseTests({ cut }) };
  }
  const sorted = last.newFailures.isBlamed
    ? sortFailures(state, { passages, changed, failed: failedIn(changed, last) })
    : NONE_SORTED;
  const failed = { blamed: sorted.blamed, base, at, ran: last.ran, known: state.tester };
  const unclear = red?.isBlind === true && !last.isInconclusive ? last.ran.reason : "";
  const outcome = { ...sorted, unloaded: unloadedOf(last), unclear, cut };
  return { kind: "checked", failed, listed: listedBaseTests(outcome) };
}

const NONE_SORTED = { blamed: [], asked: [], dismissed: [] };

/** Compares the base tests with those at a commit, and reads the request that is now in force. */
export async function sinceBase(context: RoleContext<"tester">, at: Oid): Promise<SinceBase> {
  const { session } = context;
  const clone = await context.clone();
  need(await clone.bring(at));
  const changed = need(await changedTests(clone, { start: session.base, end: at }, session));
  return { changed, passages: requestPassages(requestInForce(context)) };
}

/** The failures of one try, grouped by file. */
function failedIn(changed: ChangedTests, { by, newFailures }: OldTestsTry) {
  const around = restoredFiles(changed, by);
  return failedByFile({ ...changed, ...around, failing: newFailures.failing });
}

function unloadedOf({
  ran,
  isInconclusive,
}: OldTestsTry): { names: readonly string[]; why: string } | undefined {
  const names = unloadedIn(ran);
  return isInconclusive || names.length > 0 ? { names, why: ran.reason } : undefined;
}

function cutText({ uncompared }: ChangedTests): string {
  return uncompared.length === 0 ? "" : `not everything was compared: ${uncompared.join("; ")}`;
}

/**
 * What is red at the base, and at the commit with its own tests. The latter is reported by the bug about
 * verify.
 */
async function redAround(
  context: RoleContext<"tester">,
  { unit, at }: BaseTestsPlace,
): Promise<{ readonly kind: "checked"; readonly red: RedBefore } | VerifyUnknown> {
  const seen = [];
  for (const place of [context.session.base, at]) {
    // Read again: the previous round may have recorded a verify result.
    const now = need(await context.reader.read());
    const verified = await verifyResultAt(context, now, { unit, at: place });
    if (verified.kind !== "checked") return verified;
    seen.push(verified);
  }
  return { kind: "checked", red: redBefore(new Map(), seen) };
}
