import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import { backingOf, type Backing, type Built } from "../../session/steps/backed-ticks.ts";
import type { BuildUnit } from "./end-build.ts";

/** Where a turn's work is: in the clone, on top of the unit's base. */
export interface BuiltPlace {
  readonly clone: Clone;
  /** The session's base. */
  readonly base: Oid;
  /** The turn's own commits, oldest first. */
  readonly commits: readonly Oid[];
}

/** The work that backs the boxes that a turn ticked. */
export interface TickEvidence {
  readonly backing: Backing;
  /** Whether the turn's own commits change any file. */
  readonly isChanged: boolean;
}

/** Compares the tree of a turn's last commit with the trees at the unit's base and at the start of its milestone. */
export async function tickEvidence(
  fold: BuilderFold,
  unit: BuildUnit,
  { clone, base, commits }: BuiltPlace,
): Promise<TickEvidence> {
  const end = commits.at(-1) ?? unit.base;
  const start = fold.milestoneBases.get(unit.milestone) ?? unit.base;
  const byTurn = await differ(clone, unit.base, end);
  const sinceStart = start === unit.base ? byTurn : await differ(clone, start, end);
  const byAttempts = fold.backed.has(unit.milestone);
  const own: Built = { byTurn, byAttempts, sinceStart, byOthers: false };
  const backing = backingOf(own);
  if (backing !== "nothing") return { backing, isChanged: byTurn };
  const byOthers = (await differ(clone, base, end)) && (await isBuiltElsewhere(fold, unit, clone));
  return { backing: backingOf({ ...own, byOthers }), isChanged: byTurn };
}

/** Whether another milestone has work of its own: changes that back its ticks, or different trees at its two ends. */
async function isBuiltElsewhere(
  { backed, milestones }: BuilderFold,
  unit: BuildUnit,
  clone: Clone,
): Promise<boolean> {
  if ([...backed].some((name) => name !== unit.milestone)) return true;
  for (const { start, end } of milestones) if (await differ(clone, start, end)) return true;
  return false;
}

async function differ(clone: Clone, one: Oid, other: Oid): Promise<boolean> {
  if (one === other) return false;
  const [first, second] = await Promise.all([clone.treeOf(one), clone.treeOf(other)]);
  return need(first) !== need(second);
}
