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
import type { CanaryVerdict, Taken } from "./plant-canary.ts";
import {
  canaryIn,
  tryCanary,
  type CanaryEnd,
  type CanaryPlan,
  type CanaryRun,
} from "./try-canary.ts";
import { testFileMatcher } from "../integrity/changed-tests.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { networkAt } from "../look/kept-network.ts";
import { runVerify, type SuiteWanted } from "../verify/run-verify.ts";

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

/** Whose imports a failing test takes over, the most telling first; how a record's key names it. */
const TAKEN = [
  ["all", "all:"],
  ["own", "own:"],
  ["none", ""],
] as const satisfies readonly (readonly [Taken, string])[];

/**
 * Checks at the end of a session, once, whether verify still notices a failing test.
 *
 * One is planted at the end, together with the code that the tests load, if it could be so at the base: verify is
 * trusted if it notices that one. Otherwise one is planted at the base, as far as verify notices it there. If verify
 * stays green there even without that code, that is noted once and nothing is claimed; else the one at the end that is
 * planted as at the base decides. All results are recorded, under keys that no result of verify has, and are not
 * repeated by a tester that goes on with the unit.
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
  const planted = plantedSince(context, state, base);
  if (planted.some(([, { unit }]) => unit !== place.unit)) return NOTHING;
  const most = await mostAtBase(context, place);
  if (most === undefined) return NOTHING;
  const first = await plantOnce(context, state, place, most);
  if (first === "stopped") return { kind: "stopped" };
  if (first?.outcome === "failed") return { kind: "checked", planted: first };
  const atBase = await noticedAtBase(context, state, { ...place, at: session.base }, base);
  if (atBase === "stopped") return { kind: "stopped" };
  if (atBase === undefined) return NOTHING;
  const now = atBase === most ? first : await plantOnce(context, state, place, atBase);
  if (now === "stopped") return { kind: "stopped" };
  if (now === undefined || (atBase !== "none" && now.outcome === "unstarted")) {
    noteUnplanted(context, place.at, now);
  }
  return { kind: "checked", planted: now };
}

/** Whose imports a failing test can take over at the base, the most telling; undefined if none can be planted. */
async function mostAtBase(
  context: RoleContext<"tester">,
  { unit }: CanaryPlace,
): Promise<Taken | undefined> {
  const at = context.session.base;
  for (const [taken] of TAKEN) {
    if ((await canaryIn(await siteAt(context, { unit, at }, taken))) !== undefined) return taken;
  }
  return undefined;
}

/** Plants a failing test unless that is on record for the same tree. */
async function plantOnce(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
  taken: Taken,
): Promise<CanaryResult | "stopped" | undefined> {
  const clone = await context.clone();
  const tree = need(await clone.treeOf(place.at));
  const key = ranKey({ command: keyOf(context, taken), tree, tests: undefined });
  return state.tester.ran.get(key) ?? plantAt(context, state, place, taken);
}

/** With whose imports verify notices a failing test at the base; undefined if with none. */
async function noticedAtBase(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
  tree: Oid,
): Promise<Taken | "stopped" | undefined> {
  const recorded = (taken: Taken) =>
    state.tester.ran.get(ranKey({ command: keyOf(context, taken), tree, tests: undefined }));
  // An older wisp has recorded only that one.
  const wasPlain = TAKEN.every(([taken]) => (recorded(taken) !== undefined) === (taken === "none"));
  for (const [taken] of TAKEN) {
    if (wasPlain && taken !== "none") continue;
    const known = recorded(taken);
    const planted = known ?? (await plantAt(context, state, place, taken));
    if (planted === "stopped") return "stopped";
    if (planted === undefined) continue;
    if (planted.outcome === "failed") return taken;
    if (known === undefined) noteBaseResult(context, planted, taken);
  }
  return undefined;
}

/** The failing tests that were planted at other trees than the base's: with whose imports, and how verify ended. */
function plantedSince(
  context: RoleContext<"tester">,
  { tester }: SessionState,
  base: Oid,
): readonly (readonly [Taken, RanCommand])[] {
  return TAKEN.flatMap(([taken]) => {
    const command = `${keyOf(context, taken)} `;
    return [...tester.ran].flatMap(([key, ran]) =>
      key.startsWith(command) && !key.startsWith(`${command}${base} `)
        ? [[taken, ran] as const]
        : [],
    );
  });
}

/** Whether verify notices a failing test again after a fix of that finding. */
export async function judgeByCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  place: CanaryPlace,
): Promise<Attempted<FixVerdict>> {
  const clone = await context.clone();
  const base = need(await clone.treeOf(context.session.base));
  const unseen = plantedSince(context, state, base).find(([, { outcome }]) => outcome === "passed");
  const planted = await plantAt(context, state, place, unseen?.[0] ?? "none");
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
  taken: Taken,
): Promise<CanaryResult | "stopped" | undefined> {
  const { journal, session } = context;
  const clone = await context.clone();
  const site = await siteAt(context, { unit, at }, taken);
  const tree = need(await clone.treeOf(at));
  const verified = state.builder.verified.get(verifyKey(commandKey(session.verify), tree));
  const output = `${journal.time().replace(/[:.]/g, "-")}-canary-${abbreviate(at)}`;
  const end: CanaryEnd = await tryCanary({
    ...site,
    isGreen: verified?.outcome === "passed",
    runVerifyWith: (canary) =>
      runWith(context, at, canary, { output, network: networkAt(context, state.builder, tree) }),
  });
  if (end.kind === "stopped") return "stopped";
  if (end.kind === "none") return undefined;
  const planted: CanaryResult = { outcome: OUTCOMES[end.verdict], reason: clip(end.path) };
  const result = { ...planted, output: end.verdict === "unsure" ? undefined : output };
  const key = { command: keyOf(context, taken), tree };
  journal.append({ kind: "command.result", time: journal.time(), unit, at, ...key, ...result });
  return planted;
}

/** A commit and a kind of failing test to plant in it. */
async function siteAt(
  context: RoleContext<"tester">,
  { at }: CanaryPlace,
  taken: Taken,
): Promise<CanaryPlan> {
  const { session } = context;
  const clone = await context.clone();
  need(await clone.bring(at));
  return {
    tree: {
      paths: new Set(need(await clone.pathsAt(at))),
      read: async (path) => need(await clone.show(at, path)),
    },
    verify: session.verify,
    isTest: testFileMatcher(session.testPaths),
    name: nameOf(context),
    taken,
  };
}

async function runWith(
  context: RoleContext<"tester">,
  at: Oid,
  canary: CanaryTest,
  { output, network }: Pick<SuiteWanted, "output" | "network">,
): Promise<CanaryRun> {
  const tests = { from: at, paths: [], commands: new Map([[canary.path, canary.text]]) };
  const used = await runVerify(context, { at, tests, output, network });
  if (used.kind !== "done") return used.kind === "stopped" ? used : { kind: "unready" };
  const { end: ran } = used.value;
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
function keyOf({ session }: RoleContext<"tester">, taken: Taken): string {
  const kind = TAKEN.find(([each]) => each === taken)?.[1] ?? "";
  return `${CANARY}${kind}${commandKey(session.verify)}`;
}

/** A random name, which the project's authors cannot have anticipated. */
function nameOf({ random }: RoleContext<"tester">): string {
  const digits = Math.floor(random() * 36 ** 8).toString(36);
  return `x${digits.padStart(8, "0")}`;
}

function noteUnplanted(
  { journal }: RoleContext<"tester">,
  at: Oid,
  planted: CanaryResult | undefined,
): void {
  const why = planted === undefined ? REASONS.none : REASONS.unstarted;
  const text = `whether verify sees a failing test at ${abbreviate(at)}, as it did at the base, is not known: ${why}`;
  journal.append({ kind: "note", time: journal.time(), text: clip(text) });
}

function noteBaseResult(
  { journal }: RoleContext<"tester">,
  { outcome, reason = "" }: CanaryResult,
  taken: Taken,
): void {
  const what =
    outcome === "passed"
      ? `verify does not see a failing test planted at the base (${reason}${LOADED[taken]}): that it passes says little`
      : `verify was red at the base, but not by the failing test planted there (${reason}${LOADED[taken]}): whether it sees one is not known`;
  journal.append({ kind: "note", time: journal.time(), text: clip(what) });
}

const LOADED: Readonly<Record<Taken, string>> = {
  all: ", which loads what the tests load",
  own: ", which loads what the test beside it loads",
  none: "",
};
