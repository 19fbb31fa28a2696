import type { Oid } from "../../base/oid.ts";
import { isRedAccepted } from "../../session/state/base-outcome.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { removedTests } from "../integrity/removed-tests.ts";
import { isNoWorse, type ComparedVerify } from "./no-worse.ts";

/** Two results of verify, and the commits that they are about. */
export interface ComparedEnds {
  readonly before: ComparedVerify;
  readonly after: ComparedVerify;
  readonly range: { readonly start: Oid; readonly end: Oid };
}

/** Compares two results; only if fewer tests passed does it look how many of them the range removed. */
export async function isNoWorseThan(
  context: Pick<RoleContext, "clone" | "session">,
  builder: BuilderFold,
  { before, after, range }: ComparedEnds,
): Promise<boolean> {
  const by = { isRedAccepted: isRedAccepted(builder) };
  // Whatever they removed, these tests do not excuse more than that.
  if (!isNoWorse(after, before, { ...by, removed: Number.POSITIVE_INFINITY })) return false;
  const isSure = isNoWorse(after, before, { ...by, removed: 0 });
  return isSure || isNoWorse(after, before, { ...by, removed: await removedTests(context, range) });
}
