import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { CANARY, ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Attempted } from "../work/unit.ts";
import { clip } from "../work/clip.ts";
import { commandKey } from "../verify/command-key.ts";
import type { CanaryTest } from "../languages/test-language.ts";
import type { CanarySeen } from "../harness/plant-canary.ts";
import { tryCanary, type CanaryEnd, type CanaryRun } from "../harness/try-canary.ts";
import { testFileMatcher } from "../integrity/changed-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import { cleanedTail } from "../work/run-in-order.ts";
import { runVerify } from "../verify/run-verify.ts";
import { canaryFinding } from "./canary-finding.ts";

/** Where a failing test is planted, and for which unit. */
export interface CanaryPlace {
  readonly unit: string;
  readonly at: Oid;
}

export type LookedWithCanary =
  { readonly kind: "seen"; readonly findings: readonly Finding[] } | { readonly kind: "stopped" };

const NOTHING: LookedWithCanary = { kind: "seen", findings: [] };

/**
 * Whether verify still sees a failing test, at the end of a session. First one is planted at the session's base:
 * where verify stays green with it, that is said once, and nothing is claimed afterwards. Else one is planted at
 * the end, once in a session; green with it is a finding. What came of either is on record, under a key that no
 * result of verify has.
 */
export async function lookWithCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
): Promise<LookedWithCanary> {
  const { session } = context;
  if (session.verify.length === 0) return NOTHING;
  const clone = await context.clone();
  const base = need(await clone.treeOf(session.base));
  const command = keyOf(context);
  const known = state.tester.ran.get(ranKey({ command, tree: base, tests: undefined }));
  const atBase = known ?? (await lookAt(context, state, { ...place, at: session.base }));
  if (atBase === "stopped") return { kind: "stopped" };
  if (atBase === undefined) return NOTHING;
  if (known === undefined) sayOfBase(context, atBase);
  const isOver = [...state.tester.ran.keys()].some(
    (key) => key.startsWith(`${command} `) && !key.startsWith(`${command} ${base} `),
  );
  if (atBase.outcome !== "failed" || isOver) return NOTHING;
  const now = await lookAt(context, state, place);
  if (now === "stopped") return { kind: "stopped" };
  if (now?.outcome !== "passed") return NOTHING;
  return { kind: "seen", findings: [canaryFinding(now.reason ?? "", wordsOf(context))] };
}

/** Whether verify sees a failing test again after a fix of that finding. */
export async function judgeByCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
): Promise<Attempted<FixVerdict>> {
  const looked = await lookAt(context, state, place);
  if (looked === "stopped") return { kind: "stopped" };
  if (looked?.outcome === "failed") return { kind: "done", value: { kind: "closed" } };
  const reason = REASONS[looked === undefined ? "none" : looked.outcome];
  return { kind: "done", value: { kind: "reopened", reason } };
}

const REASONS: Readonly<Record<"none" | "passed" | "unstarted", string>> = {
  none: "verify starts no test runner any more that wisp knows, or there is no test of it left",
  passed: "verify still stays green with a failing test planted in it",
  unstarted: "verify fails, but not by the failing test that was planted",
};

type Looked = Pick<RanCommand, "outcome" | "reason">;

const OUTCOMES: Readonly<Record<CanarySeen, RanCommand["outcome"]>> = {
  red: "failed",
  green: "passed",
  unsure: "unstarted",
};

/** Plants one and puts on record what came of it; undefined: there is no place for one. */
async function lookAt(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, at }: CanaryPlace,
): Promise<Looked | "stopped" | undefined> {
  const { journal, session } = context;
  const clone = await context.clone();
  need(await clone.syncTo(at));
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
  const looked: Looked = { outcome: OUTCOMES[end.seen], reason: clip(end.path) };
  const result = { ...looked, output: end.seen === "unsure" ? undefined : output };
  const key = { command: keyOf(context), tree };
  journal.append({ kind: "command.result", time: journal.time(), unit, at, ...key, ...result });
  return looked;
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

/** Of an output that is looked through for the failing test. */
const READ_CHARS_MAX = 4 * 1024 * 1024;

/** No key of verify begins like that. */
function keyOf({ session }: RoleContext<"tester">): string {
  return `${CANARY}${commandKey(session.verify)}`;
}

/** Nobody who wrote the project can know it. */
function nameOf({ random }: RoleContext<"tester">): string {
  const digits = Math.floor(random() * 36 ** 8).toString(36);
  return `x${digits.padStart(8, "0")}`;
}

function wordsOf({ session }: RoleContext<"tester">): string {
  return session.verify.map((argv) => argv.join(" ")).join("; ");
}

function sayOfBase({ journal }: RoleContext<"tester">, { outcome, reason = "" }: Looked): void {
  if (outcome === "failed") return;
  const what =
    outcome === "passed"
      ? `verify does not see a failing test planted at the base (${reason}): that it passes says little`
      : `verify was red at the base, but not by the failing test planted there (${reason}): whether it sees one is not known`;
  journal.append({ kind: "note", time: journal.time(), text: clip(what) });
}
