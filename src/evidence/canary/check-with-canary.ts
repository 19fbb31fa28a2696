import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { CANARY, ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Attempted } from "../../work/unit.ts";
import { clip } from "../../work/clip.ts";
import { commandKey } from "../verify/command-key.ts";
import type { CanaryTest } from "../languages/test-language.ts";
import type { CanaryVerdict } from "./plant-canary.ts";
import { tryCanary, type CanaryEnd, type CanaryRun } from "./try-canary.ts";
import { testFileMatcher } from "../integrity/changed-tests.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { runVerify } from "../verify/run-verify.ts";

/** The commit at which a failing test is planted, and the unit that plants it. */
export interface CanaryPlace {
  readonly unit: string;
  readonly at: Oid;
}

export type CanaryCheck =
  /** `planted`: the result at the end; undefined if there is none to judge by. */
  | { readonly kind: "checked"; readonly planted: CanaryResult | undefined }
  | { readonly kind: "stopped" };

const NOTHING: CanaryCheck = { kind: "checked", planted: undefined };

/**
 * Checks at the end of a session whether verify still notices a failing test.
 *
 * The first one is planted at the session's base. If verify stays green there, that is noted once and nothing
 * is claimed later. Otherwise one is planted at the end, once per session. Both results are recorded, under a key
 * that no result of verify has.
 */
export async function checkWithCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
): Promise<CanaryCheck> {
  const { session } = context;
  if (session.verify.length === 0) return NOTHING;
  const clone = await context.clone();
  const base = need(await clone.treeOf(session.base));
  const command = keyOf(context);
  const known = state.tester.ran.get(ranKey({ command, tree: base, tests: undefined }));
  const atBase = known ?? (await plantAt(context, state, { ...place, at: session.base }));
  if (atBase === "stopped") return { kind: "stopped" };
  if (atBase === undefined) return NOTHING;
  if (known === undefined) noteBaseResult(context, atBase);
  const wasPlantedSince = [...state.tester.ran.keys()].some(
    (key) => key.startsWith(`${command} `) && !key.startsWith(`${command} ${base} `),
  );
  if (atBase.outcome !== "failed" || wasPlantedSince) return NOTHING;
  const now = await plantAt(context, state, place);
  if (now === "stopped") return { kind: "stopped" };
  if (now === undefined) noteUnplanted(context, place.at);
  return { kind: "checked", planted: now };
}

/** Whether verify notices a failing test again after a fix of that finding. */
export async function judgeByCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
): Promise<Attempted<FixVerdict>> {
  const planted = await plantAt(context, state, place);
  if (planted === "stopped") return { kind: "stopped" };
  if (planted?.outcome === "failed") return { kind: "done", value: { kind: "closed" } };
  const reason = REASONS[planted === undefined ? "none" : planted.outcome];
  return { kind: "done", value: { kind: "reopened", reason } };
}

const REASONS: Readonly<Record<"none" | "passed" | "unstarted", string>> = {
  none: "verify starts no test runner any more that wisp knows, or there is no test of it left",
  passed: "verify still stays green with a failing test planted in it",
  unstarted: "verify fails, but not by the failing test that was planted",
};

/** How verify ended with a failing test planted in it; `reason` is the path of that test. */
export type CanaryResult = Pick<RanCommand, "outcome" | "reason">;

const OUTCOMES: Readonly<Record<CanaryVerdict, RanCommand["outcome"]>> = {
  red: "failed",
  green: "passed",
  unsure: "unstarted",
};

/** Plants a failing test and records the result; undefined if there is no place for one. */
async function plantAt(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at }: CanaryPlace,
): Promise<CanaryResult | "stopped" | undefined> {
  const { journal, session } = context;
  const clone = await context.clone();
  need(await clone.bring(at));
  const tree = need(await clone.treeOf(at));
  const verified = state.builder.verified.get(verifyKey(commandKey(session.verify), tree));
  const output = `${journal.time().replace(/[:.]/g, "-")}-canary-${abbreviate(at)}`;
  const end: CanaryEnd = await tryCanary({
    tree: {
      paths: new Set(need(await clone.pathsAt(at))),
      read: async (path) => need(await clone.show(at, path)),
    },
    verify: session.verify,
    isTest: testFileMatcher(session.testPaths),
    name: nameOf(context),
    isGreen: verified?.outcome === "passed",
    runVerifyWith: (canary) => runWith(context, at, canary, output),
  });
  if (end.kind === "stopped") return "stopped";
  if (end.kind === "none") return undefined;
  const planted: CanaryResult = { outcome: OUTCOMES[end.verdict], reason: clip(end.path) };
  const result = { ...planted, output: end.verdict === "unsure" ? undefined : output };
  const key = { command: keyOf(context), tree };
  journal.append({ kind: "command.result", time: journal.time(), unit, at, ...key, ...result });
  return planted;
}

async function runWith(
  context: RoleContext<"tester">,
  at: Oid,
  canary: CanaryTest,
  output: string,
): Promise<CanaryRun> {
  const tests = { from: at, paths: [], commands: new Map([[canary.path, canary.text]]) };
  const used = await runVerify(context, { at, tests, output });
  if (used.kind !== "done") return used.kind === "stopped" ? used : { kind: "unready" };
  const ran = used.value;
  if (ran.kind === "stopped") return ran;
  const path = join(context.home.turns, `${output}.out`);
  return {
    kind: "ran",
    outcome: ran.kind,
    output: cleanedTail(context.ports.files, path, READ_CHARS_MAX),
  };
}

/** How much of the output is searched for the failing test. */
const READ_CHARS_MAX = 4 * 1024 * 1024;

/** The prefix keeps these records apart from those of verify. */
function keyOf({ session }: RoleContext<"tester">): string {
  return `${CANARY}${commandKey(session.verify)}`;
}

/** A random name, which the project's authors cannot have anticipated. */
function nameOf({ random }: RoleContext<"tester">): string {
  const digits = Math.floor(random() * 36 ** 8).toString(36);
  return `x${digits.padStart(8, "0")}`;
}

function noteUnplanted({ journal }: RoleContext<"tester">, at: Oid): void {
  const text = `no failing test can be planted at ${abbreviate(at)}, as one could at the base: ${REASONS.none}`;
  journal.append({ kind: "note", time: journal.time(), text: clip(text) });
}

function noteBaseResult(
  { journal }: RoleContext<"tester">,
  { outcome, reason = "" }: CanaryResult,
): void {
  if (outcome === "failed") return;
  const what =
    outcome === "passed"
      ? `verify does not see a failing test planted at the base (${reason}): that it passes says little`
      : `verify was red at the base, but not by the failing test planted there (${reason}): whether it sees one is not known`;
  journal.append({ kind: "note", time: journal.time(), text: clip(what) });
}
