import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { changedTests, type ChangedTests } from "../integrity/changed-tests.ts";
import { failedByFile } from "../integrity/test-findings.ts";
import {
  redBefore,
  tryOldTests,
  unloadedIn,
  waysToRun,
  type OldTestsTry,
  type RedBefore,
} from "../integrity/try-old-tests.ts";
import { harnessFiles } from "../harness/old-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import { requestInForce } from "../home/shared-files.ts";
import { baseTestsBugs } from "./base-tests-bug.ts";
import { listedBaseTests } from "./listed-base-tests.ts";
import { requestPassages } from "./request-passages.ts";
import { sortFailures } from "./sort-failures.ts";
import { lookAtVerify, type VerifyUnknown } from "./verify-head.ts";

/** Where the base's tests are run, and for which unit. */
export interface BaseTestsPlace {
  readonly unit: string;
  readonly at: Oid;
}

export type LookedAtBaseTests =
  | {
      readonly kind: "seen";
      readonly bugs: readonly Finding[];
      /** All that failed, and what it means. */
      readonly listed: readonly BaseTests[];
    }
  | VerifyUnknown;

const NOTHING: Extract<LookedAtBaseTests, { kind: "seen" }> = {
  kind: "seen",
  bugs: [],
  listed: [],
};

/** What a session did to the tests that its base had, and what its request says. */
export interface SinceBase {
  readonly changed: ChangedTests;
  readonly passages: readonly string[];
}

/**
 * Whether the tests as they stood at the session's base still pass at its end: a test may have been weakened in one
 * milestone, and what it guarded broken in the next, each as the plan wanted it. They are run where anything of them
 * changed, once for the same tree. What fails twice, and neither at the base nor with the tests as they are now, is a
 * bug, unless the request asks for it, or a person has dismissed just that. What cannot be loaded any more is told.
 */
export async function lookAtBaseTests(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at }: BaseTestsPlace,
): Promise<LookedAtBaseTests> {
  const { session } = context;
  const { base, verify } = session;
  if (verify.length === 0 || at === base) return NOTHING;
  const since = await sinceBase(context, at);
  const { changed, passages } = since;
  const cut = omittedText(changed);
  let red: RedBefore | undefined;
  let unseen: VerifyUnknown | undefined;
  const before = async () => {
    const around = await redAround(context, { unit, at });
    if (around.kind === "seen") return (red = around.red);
    unseen = around;
    return "stopped" as const;
  };
  const tried = await tryOldTests(context, state.tester.ran, {
    ...{ unit, start: base, end: at, changed, ways: waysToRun(changed, passages), before },
    isDecided: true,
  });
  if (tried.kind === "stopped") return unseen ?? tried;
  const last = tried.tries.at(-1);
  if (last === undefined || last.ran.outcome === "passed") {
    return { ...NOTHING, listed: listedBaseTests({ cut }) };
  }
  const sorted = last.fresh.isBlamed
    ? sortFailures(state, { passages, changed, failed: failedIn(changed, last) })
    : NONE_SORTED;
  const bugs = baseTestsBugs(sorted.blamed, { base, at, ran: last.ran, known: state.tester });
  const unclear = red?.isBlind === true && !last.isVain ? last.ran.reason : "";
  const told = { ...sorted, unloaded: unloadedOf(last), unclear, cut };
  return { kind: "seen", bugs, listed: listedBaseTests(told) };
}

const NONE_SORTED = { blamed: [], asked: [], dismissed: [] };

/** What changed of the base's tests up to a commit, and what the request says now. */
export async function sinceBase(context: RoleContext<"tester">, at: Oid): Promise<SinceBase> {
  const { session } = context;
  const clone = await context.clone();
  need(await clone.syncTo(at));
  const changed = need(await changedTests(clone, { start: session.base, end: at }, session));
  return { changed, passages: requestPassages(requestInForce(context)) };
}

/** What fails in a try, file by file. */
function failedIn(changed: ChangedTests, { by, fresh }: OldTestsTry) {
  const harness = by === "old-harness" ? harnessFiles(changed) : [];
  return failedByFile({ ...changed, harness, failing: fresh.failing });
}

function unloadedOf({
  ran,
  isVain,
}: OldTestsTry): { names: readonly string[]; why: string } | undefined {
  const names = unloadedIn(ran);
  return isVain || names.length > 0 ? { names, why: ran.reason } : undefined;
}

function omittedText({ omittedCount }: ChangedTests): string {
  return omittedCount === 0 ? "" : `${String(omittedCount)} more changed files are not compared`;
}

/** What was red at the base, and is red at a commit with its own tests: that is the bug about verify. */
async function redAround(
  context: RoleContext<"tester">,
  { unit, at }: BaseTestsPlace,
): Promise<{ readonly kind: "seen"; readonly red: RedBefore } | VerifyUnknown> {
  const seen = [];
  for (const place of [context.session.base, at]) {
    // What was verified meanwhile is on record.
    const now = need(await context.reader.read());
    const verified = await lookAtVerify(context, now, { unit, at: place });
    if (verified.kind !== "seen") return verified;
    seen.push(verified);
  }
  return { kind: "seen", red: redBefore([], seen) };
}
