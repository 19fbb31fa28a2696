import type { Oid } from "../../base/oid.ts";
import { aloneHere } from "./alone-here.ts";
import type { SuiteBefore } from "./judge-run.ts";
import { settleLooks, type Settled } from "./settle-looks.ts";
import { takeLook, type LookContext, type TakenLook } from "./take-look.ts";

/** A commit to look at, as often as its verdict needs. */
export interface LooksWanted {
  readonly at: Oid;
  /** What the suite did at the start of the range; undefined if it did not run before. */
  readonly before: SuiteBefore | undefined;
  /** Whether a red look decides something, so that it has to be confirmed first. Asked at most once. */
  readonly isDeciding: (look: Red) => Promise<boolean | "stopped">;
}

type Red = Extract<TakenLook, { readonly verdict: "red" }>;

/** What the looks show together; with the last of them that shows it, and how many were taken. */
export type SettledLook =
  | (Exclude<Settled, { readonly kind: "again" }> &
      Pick<TakenLook, "output" | "tookMs" | "ran"> & {
        /** One line; undefined if it is green, or if there is no test. */
        readonly reason: string | undefined;
        readonly looks: number;
      })
  | { readonly kind: "stopped" };

/**
 * Takes looks at a commit until they decide. A look is repeated alone: no other repeated look of this machine and user
 * runs meanwhile.
 */
export async function settledLook(
  context: LookContext,
  { at, before, isDeciding }: LooksWanted,
): Promise<SettledLook> {
  const looks: TakenLook[] = [];
  let decides: boolean | undefined;
  for (;;) {
    const n = looks.length + 1;
    const isAlone = n > 1;
    const take = () => takeLook(context, { at, before, n, isAlone });
    const look = isAlone ? await aloneHere(context, take) : await take();
    if (look === undefined || look.verdict === "stopped") return { kind: "stopped" };
    looks.push(look);
    const answer = look.verdict === "red" ? (decides ?? (await isDeciding(look))) : decides;
    if (answer === "stopped") return { kind: "stopped" };
    decides = answer;
    const settled = settleLooks(looks, decides ?? false);
    if (settled.kind !== "again") return withMeasures(settled, look, n);
  }
}

function withMeasures(
  settled: Exclude<Settled, { readonly kind: "again" }>,
  { reason, output, tookMs, ran }: TakenLook,
  looks: number,
): SettledLook {
  const measured = { output, tookMs, ran, looks };
  return settled.kind === "unknown"
    ? { ...settled, ...measured }
    : { ...settled, reason, ...measured };
}
