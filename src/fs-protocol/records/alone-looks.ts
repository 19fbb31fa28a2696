import type { Oid } from "../../base/oid.ts";
import type { LookRecord } from "./look-record.ts";

/** How often a test passed and failed when it ran alone at one tree. */
export interface AloneLooks {
  readonly green: number;
  readonly red: number;
  /** Looks after which it was not known what became of it. */
  readonly unknown: number;
}

/** By `aloneKey`. */
export type AllAloneLooks = ReadonlyMap<string, AloneLooks>;

/** No look. */
export const NO_LOOKS: AloneLooks = { green: 0, red: 0, unknown: 0 };

/** The key of a test at a tree, under some verify commands. */
export function aloneKey(command: string, tree: Oid, test: string): string {
  return JSON.stringify([command, tree, test]);
}

/** Counts a look at a single test; other looks change nothing. */
export function withLook(all: AllAloneLooks, record: LookRecord): AllAloneLooks {
  const [test, ...more] = record.only ?? [];
  if (test === undefined || more.length > 0) return all;
  const key = aloneKey(record.command, record.tree, test);
  const known = all.get(key) ?? NO_LOOKS;
  // A run that says that there is no test says nothing of this one.
  const verdict = record.verdict === "none" ? "unknown" : record.verdict;
  return new Map(all).set(key, { ...known, [verdict]: known[verdict] + 1 });
}
