import type { Oid } from "../../base/oid.ts";
import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";

/** Commands that a milestone brought, in a session that had none. */
export interface AdoptedCommands extends Pick<CommandSettings, "setup" | "build" | "verify"> {
  /** Where milestones that had begun by then began: what these commands do there tells nothing of the work. */
  readonly before: ReadonlySet<Oid>;
}

/** What is adopted after a record of it: the first one counts, and only where the session may adopt. */
export function adoptedBy(
  {
    adopted,
    milestoneBases,
  }: {
    readonly adopted: AdoptedCommands | undefined;
    readonly milestoneBases: ReadonlyMap<string, Oid>;
  },
  { verify, setup, build }: Extract<BuilderRecord, { readonly kind: "verify.adopt" }>,
  { adopts = [] }: Policy,
): AdoptedCommands | undefined {
  if (adopted !== undefined || !adopts.includes("verify")) return adopted;
  return { verify, setup, build, before: new Set(milestoneBases.values()) };
}
