import { networkAt } from "./kept-network.ts";
import { SPLIT_TESTS_MAX } from "../../base/look-limits.ts";
import type { Oid } from "../../base/oid.ts";
import { aloneKey, NO_LOOKS, type AloneLooks } from "../../fs-protocol/records/alone-looks.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { commandKey } from "../verify/command-key.ts";
import {
  addedLooks,
  AS_SPLIT,
  splitVerdict,
  type SplitSeen,
  type SplitVerdict,
} from "./became-unsteady.ts";
import { narrowingAt, takeNarrowedLook } from "./narrowed-look.ts";
import { Repeats } from "./repeats.ts";

/** A test that was red in one look at the end of a range and green in another one, and what further looks showed. */
export interface SplitTest {
  readonly name: string;
  readonly seen: SplitSeen;
  readonly verdict: Exclude<SplitVerdict, { readonly kind: "again" }>;
}

/** A range, and the tests that were split at its ends. */
export interface SplitRange {
  readonly start: Oid;
  readonly end: Oid;
  readonly split: Readonly<Record<keyof SplitSeen, readonly string[]>>;
}

/**
 * Looks at the tests that are split at the end of a range alone, at both of its ends, as often as their verdicts need. Every
 * look is on record, and one that is on record is not taken again. Does nothing if no test is split.
 */
export async function trySplits(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: SplitRange,
): Promise<readonly SplitTest[] | "stopped"> {
  const tests: SplitTest[] = [];
  const repeats = new Repeats(context);
  for (const name of range.split.end) {
    const isLookedAt = tests.length < SPLIT_TESTS_MAX;
    const test = isLookedAt
      ? await trySplit(context, state, { ...range, name, repeats })
      : leftOut(name);
    if (test === "stopped") return test;
    tests.push(test);
  }
  return tests;
}

function leftOut(name: string): SplitTest {
  return {
    name,
    seen: { end: AS_SPLIT, start: NO_LOOKS },
    verdict: { kind: "unknown", at: "end" },
  };
}

async function trySplit(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { name, split, repeats, ...range }: SplitRange & Pick<LookAlone, "name" | "repeats">,
): Promise<SplitTest | "stopped"> {
  const seenAt = async (at: keyof SplitSeen) => {
    const known = await knownLooks(context, state, { name, at: range[at] });
    return split[at].includes(name) ? addedLooks(AS_SPLIT, known) : known;
  };
  let seen: SplitSeen = { end: await seenAt("end"), start: await seenAt("start") };
  for (;;) {
    const verdict = splitVerdict(seen);
    if (verdict.kind !== "again") return { name, seen, verdict };
    const before = seen[verdict.at];
    const after = await lookAlone(context, state, { name, at: range[verdict.at], before, repeats });
    if (after === "stopped") return after;
    seen = { ...seen, [verdict.at]: after };
  }
}

interface TestAt {
  readonly name: string;
  readonly at: Oid;
}

/** The looks at a test alone that are on record for the tree of a commit. */
export async function knownLooks(
  { trees, session }: RoleContext<"reviewer">,
  { reviewer: { alone } }: SessionState,
  { name, at }: TestAt,
): Promise<AloneLooks> {
  const { tree } = await trees.factsAt(at);
  return alone.get(aloneKey(commandKey(session.verify), tree, name)) ?? NO_LOOKS;
}

interface LookAlone extends TestAt {
  readonly before: AloneLooks;
  /** The same for all looks that decide together. */
  readonly repeats: Repeats;
}

/** Takes one more look at a test alone, and adds it to those before it. */
export async function lookAlone(
  context: RoleContext<"reviewer">,
  { builder }: SessionState,
  { name, at, before, repeats }: LookAlone,
): Promise<AloneLooks | "stopped"> {
  const unknown = { ...before, unknown: before.unknown + 1 };
  const narrowing = await narrowingAt(context, at, name);
  if (narrowing === undefined) return unknown;
  const n = before.green + before.red + before.unknown + 1;
  const network = networkAt(context, builder, (await context.trees.factsAt(at)).tree);
  const wanted = { at, n, only: [name], narrowing, network };
  const tests = await repeats.alone((alone) => takeNarrowedLook(context, { ...wanted, alone }));
  if (tests === undefined || "kind" in tests) return "stopped";
  if (tests.passed.length > 0) return { ...before, green: before.green + 1 };
  return tests.failed.length > 0 ? { ...before, red: before.red + 1 } : unknown;
}

/** "6 of 10": how often a test was red. */
export function timesRed({ green, red }: AloneLooks): string {
  return `${String(red)} of ${String(green + red)}`;
}

/** What was seen of a split test, in words for people. */
export function splitTestWords({ name, seen: { end, start }, verdict }: SplitTest): string {
  const times = `red in ${timesRed(end)} runs`;
  switch (verdict.kind) {
    case "before":
      return `${name} is unsteady, as it was before: ${times}, and before in ${timesRed(start)}`;
    case "became":
      return `${name} became unsteady: ${times}, and before in ${timesRed(start)}`;
    case "unknown":
      return `${name} is unsteady; whether it was so before is not known, since it was not run alone`;
  }
}
