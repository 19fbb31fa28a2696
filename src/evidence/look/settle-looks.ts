import { UNKNOWN_REPEATS_MAX } from "../../base/look-limits.ts";
import type { UnknownCause } from "../../fs-protocol/records/look-record.ts";
import type { Tally } from "../../fs-protocol/records/tally.ts";
import { NOT_NARROWED, nextRepeat, passedAlone, type NarrowedRuns } from "./repeat-red.ts";

/** What one look at a tree showed. */
export type SuiteLook =
  | { readonly verdict: "green"; readonly tally?: Tally | undefined }
  /** There is no test, nor was there one before. */
  | { readonly verdict: "none"; readonly tally?: Tally | undefined }
  /** `failing`: undefined if the output names no test. */
  | {
      readonly verdict: "red";
      readonly failing: readonly string[] | undefined;
      readonly tally?: Tally | undefined;
    }
  | { readonly verdict: "unknown"; readonly cause: UnknownCause; readonly reason: string };

/** What all looks at a tree show together. */
export type Settled =
  /** `split`: tests that failed in an earlier look at the same tree, and passed in a later one. */
  | {
      readonly kind: "green";
      readonly split: readonly string[];
      readonly tally: Tally | undefined;
    }
  /** No test ran, nor did any before: nothing was verified. */
  | {
      readonly kind: "none";
      readonly split: readonly string[];
      readonly tally: Tally | undefined;
    }
  /** `failing`: those that failed in every look that names tests; undefined if none does. */
  | {
      readonly kind: "red";
      readonly failing: readonly string[] | undefined;
      readonly split: readonly string[];
      /** Those that passed when they ran alone: they fail only in company. */
      readonly company: readonly string[];
      /** The least that failed in any look, and the most that passed. */
      readonly tally: Tally | undefined;
    }
  | {
      readonly kind: "unknown";
      /** `unsteady`: red in every look, but each test that failed passed in another one. */
      readonly cause: UnknownCause | "unsteady";
      readonly reason: string;
    }
  /** One more look is needed; `only`: at these tests alone. */
  | { readonly kind: "again"; readonly only?: readonly string[] };

/**
 * What follows from the looks at one tree so far. A green look is never repeated. An unknown one is taken again, and so
 * is a red one that decides something; red is what fails in every look. Pure.
 *
 * @param isDeciding whether a red look is repeated before it counts
 * @param narrowed what became of the tests that failed when they ran alone
 */
export function settleLooks(
  looks: readonly SuiteLook[],
  isDeciding: boolean,
  narrowed: NarrowedRuns = NOT_NARROWED,
): Settled {
  const last = looks.at(-1);
  if (last === undefined) return { kind: "again" };
  const reds = looks.flatMap((look) => (look.verdict === "red" ? [look] : []));
  const named = [...new Set(reds.flatMap(({ failing = [] }) => failing))].sort();
  switch (last.verdict) {
    case "green":
      return { kind: "green", split: named, tally: last.tally };
    case "none":
      // A test that failed before in the same tree is one.
      if (reds.length > 0) return redOf(reds, named, passedAlone(narrowed.runs));
      return { kind: "none", split: [], tally: last.tally };
    case "unknown": {
      const unknowns = looks.filter(({ verdict }) => verdict === "unknown").length;
      return unknowns <= UNKNOWN_REPEATS_MAX
        ? { kind: "again" }
        : { kind: "unknown", cause: last.cause, reason: last.reason };
    }
    case "red": {
      const failed = reds.map(({ failing }) => failing);
      const next = isDeciding ? nextRepeat(failed, narrowed) : "enough";
      if (next === "enough") return redOf(reds, named, passedAlone(narrowed.runs));
      return { kind: "again", ...(next === "whole" ? {} : next) };
    }
  }
}

type Red = Extract<SuiteLook, { readonly verdict: "red" }>;

/** @param alone the tests that passed when they ran alone */
function redOf(
  reds: readonly Red[],
  named: readonly string[],
  alone: ReadonlySet<string>,
): Settled {
  const unnamed = { failing: undefined, split: [], company: [] };
  if (named.length === 0) return { kind: "red", ...unnamed, tally: leastOf(reds, []) };
  const lists = reds.flatMap(({ failing }) => (failing === undefined ? [] : [failing]));
  // What passed alone has to fail in two looks at the whole.
  const isSteady = (name: string) => !alone.has(name) || lists.length > 1;
  const failing = named.filter(
    (name) => isSteady(name) && lists.every((list) => list.includes(name)),
  );
  const split = named.filter((name) => !failing.includes(name));
  if (failing.length > 0) {
    const company = failing.filter((name) => alone.has(name));
    return { kind: "red", failing, split, company, tally: leastOf(reds, failing) };
  }
  const reason = `each of ${String(reds.length)} runs was red, and each test that failed passed in another one: ${split.join(", ")}`;
  return { kind: "unknown", cause: "unsteady", reason };
}

/** The least that several red looks count; undefined if one of them counts nothing. */
function leastOf(reds: readonly Red[], names: readonly string[]): Tally | undefined {
  const tallies = reds.flatMap(({ tally }) => (tally === undefined ? [] : [tally]));
  const [first] = tallies;
  if (first === undefined || tallies.length < reds.length) return undefined;
  const times = names.map((name) => Math.min(...reds.flatMap((look) => timesOf(look, name))));
  const numbers = (of: "passed" | "failed" | "skipped") =>
    tallies.flatMap((tally) => (tally[of] === undefined ? [] : [tally[of]]));
  const [failed, passed, skipped] = [numbers("failed"), numbers("passed"), numbers("skipped")];
  const isKnown = (all: readonly number[]) => all.length === tallies.length;
  return {
    rules: first.rules,
    ...(times.some((count) => count > 1) ? { times } : {}),
    ...(tallies.some(({ isCut }) => isCut === true) ? { isCut: true } : {}),
    ...(isKnown(passed) ? { passed: Math.max(...passed) } : {}),
    ...(isKnown(failed) ? { failed: Math.min(...failed) } : {}),
    ...(isKnown(skipped) ? { skipped: Math.min(...skipped) } : {}),
  };
}

function timesOf({ failing, tally }: Red, name: string): readonly number[] {
  const at = failing?.indexOf(name) ?? -1;
  return at < 0 ? [] : [tally?.times?.[at] ?? 1];
}

/**
 * Whether an unknown result shows only that the machine lacks something, so that no other commit would change it:
 * then a person is asked. Otherwise the commit may be the reason, if the same commands worked before it.
 *
 * @param isSetupAsBefore whether setup has the same inputs as at the commit before
 */
export function isOfMachine(
  { cause }: Pick<Extract<Settled, { readonly kind: "unknown" }>, "cause">,
  isSetupAsBefore: boolean,
): boolean {
  switch (cause) {
    case "disk-full":
    case "tree":
    case "unsteady":
      return true;
    case "setup":
      return isSetupAsBefore;
    case "not-started":
    case "signal":
    case "time":
      return false;
  }
}
