import type { Oid } from "../../base/oid.ts";
import { isRedAccepted } from "../../session/state/base-outcome.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { removedTests } from "../integrity/removed-tests.ts";
import { movedIn, namesAfterMoves } from "./moved-tests.ts";
import { isNoWorse, type ComparedVerify } from "./no-worse.ts";

/** Two results of verify, and the commits that they are about. */
export interface ComparedEnds {
  readonly before: ComparedVerify;
  readonly after: ComparedVerify;
  readonly range: { readonly start: Oid; readonly end: Oid };
}

/**
 * Compares two results. Only if the later one is worse by its names does it look whether the range moved their files, and
 * only if fewer tests passed, how many of them it removed.
 */
export async function isNoWorseThan(
  context: Pick<RoleContext, "clone" | "session">,
  builder: BuilderFold,
  { before: recorded, after, range }: ComparedEnds,
): Promise<boolean> {
  const by = { isRedAccepted: isRedAccepted(builder) };
  // Whatever they removed, these tests do not excuse more than that.
  const mayBe = (one: ComparedVerify) =>
    isNoWorse(after, one, { ...by, removed: Number.POSITIVE_INFINITY });
  const before = mayBe(recorded) ? recorded : await afterMoves(context, { recorded, after, range });
  if (before === undefined || !mayBe(before)) return false;
  const isSure = isNoWorse(after, before, { ...by, removed: 0 });
  return isSure || isNoWorse(after, before, { ...by, removed: await removedTests(context, range) });
}

/** An earlier red result, with the names that its tests have at the end of the range; undefined if no name can differ. */
async function afterMoves(
  context: Pick<RoleContext, "clone">,
  { recorded, after, range }: Omit<ComparedEnds, "before"> & { readonly recorded: ComparedVerify },
): Promise<ComparedVerify | undefined> {
  const { failing } = recorded;
  if (failing === undefined || after.failing === undefined) return undefined;
  const names = namesAfterMoves(failing, await movedIn(context, range));
  return { ...recorded, failing: names };
}
