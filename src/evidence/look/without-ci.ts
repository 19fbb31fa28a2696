import { abbreviate, type Oid } from "../../base/oid.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import { givesCi } from "../verify-tree/gives-ci.ts";
import type { LookContext } from "./take-look.ts";
import { settledLook, type LooksWanted, type SettledLook } from "./settled-look.ts";

/** A look that decides, and whether it was taken without the `CI=true` that commands get otherwise. */
export type LookOrWithoutCi = Exclude<SettledLook, { readonly kind: "stopped" }> & {
  readonly ci?: "no" | undefined;
};

/**
 * Looks at the session's base once more, without `CI=true`, if it is red with that and wisp gives it: a suite that is green
 * without it is judged without it. Any other red stays as it is.
 *
 * @param look what was seen at the commit with it
 */
export async function withoutCi(
  context: LookContext,
  fold: Pick<BuilderFold, "stage" | "baseline" | "baseOutcome">,
  { at, first }: Pick<LooksWanted, "at" | "first">,
  look: LookOrWithoutCi,
): Promise<LookOrWithoutCi | { readonly kind: "stopped" }> {
  const { session } = context;
  const isJudged = fold.stage.kind === "plan" || fold.baseOutcome?.kind === "asked";
  if (at !== session.base || !isJudged || !givesCi(context)) return look;
  // Looked at again, it went without.
  if (fold.baseline?.ci === "no") return { ...look, ci: "no" };
  if (look.kind !== "red") return look;
  const seen = await settledLook(context, {
    ...{ at, before: undefined, first, hasCi: false },
    // Once is enough: green needs no repetition, and whatever else it is changes nothing.
    isDeciding: () => Promise.resolve(false),
  });
  if (seen.kind === "stopped") return seen;
  return seen.kind === "green" ? { ...seen, looks: look.looks + seen.looks, ci: "no" } : look;
}

/** Says for people that verify runs without it. */
export function withoutCiWords(at: Oid): string {
  return `verify is red at ${abbreviate(at)} with CI=true, and green without: it runs without from now on`;
}
