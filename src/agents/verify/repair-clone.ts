import { need } from "../../base/fatal.ts";
import type { Journal } from "../work/journal.ts";
import type { RoleContext } from "../work/role-context.ts";

interface UnitRecover {
  readonly kind: "unit.recover";
  readonly time: string;
  readonly unit: string;
  readonly found: "nothing";
  readonly rescue?: string | undefined;
}

/**
 * After an interruption of a unit that publishes nothing: the clone is mended, what was in it is
 * saved, and the unit may be taken again; ids are keyed by content, only the end counts.
 */
export async function repairClone(
  context: Pick<RoleContext, "clone"> & { readonly journal: Journal<UnitRecover> },
  unit: string,
): Promise<void> {
  const { journal } = context;
  const clone = await context.clone();
  const repaired = need(await clone.repair());
  const reset = need(await clone.rescueAndReset());
  const rescue = reset.rescue ?? repaired.rescue;
  journal.append({ kind: "unit.recover", time: journal.time(), unit, found: "nothing", rescue });
}
