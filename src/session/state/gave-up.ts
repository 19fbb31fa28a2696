import type { Oid } from "../../base/oid.ts";

/** A unit that gave up, until a reopen has it asked again. */
export interface GaveUp {
  /** The last commit's sha or a milestone's name. */
  readonly subject: string;
  /** The first commit, where there are several. */
  readonly first?: Oid | undefined;
  readonly of: "commit" | "milestone";
  /** A milestone's review that was that of its commits as well. */
  readonly covers?: true | undefined;
  readonly atReopens: number;
  /** How its last attempt failed. */
  readonly reason: string | undefined;
}

/** Units that gave up, by the key under which the end of a session lists them. */
export type GaveUpUnits = ReadonlyMap<string, GaveUp>;

/** The key of a unit that gave up: `m<name>` for a milestone, `c<sha>` for the commit that it ended with. */
export function gaveUpKey({ of, subject }: Pick<GaveUp, "of" | "subject">): string {
  return `${of === "milestone" ? "m" : "c"}${subject}`;
}

/** Whether, and how, a role gave up on a milestone. */
export function milestoneGaveUp(
  { gaveUp }: { readonly gaveUp: GaveUpUnits },
  name: string,
): GaveUp | undefined {
  return gaveUp.get(gaveUpKey({ of: "milestone", subject: name }));
}
