import type { Oid } from "../../base/oid.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import { chooseNetwork } from "./choose-network.ts";
import type { SuiteBefore } from "./judge-run.ts";
import type { NarrowedTests } from "../narrow/judge-narrowed.ts";
import { narrowingOf, takeNarrowedLook, type Narrowing } from "./narrowed-look.ts";
import { Repeats } from "./repeats.ts";
import { settleLooks, type Settled } from "./settle-looks.ts";
import { takeLook, type LookContext, type LookWanted, type TakenLook } from "./take-look.ts";

/** A commit to look at, as often as its verdict needs. */
export interface LooksWanted extends Pick<LookWanted, "hasCi"> {
  readonly at: Oid;
  /** What the suite did at the start of the range; undefined if it did not run before. */
  readonly before: SuiteBefore | undefined;
  /** The network of the first look; undefined if the sandbox leaves no choice. */
  readonly first: LookNetwork | undefined;
  /** Whether a red look decides something, so that it has to be confirmed first. Asked at most once. */
  readonly isDeciding: (look: Red) => Promise<boolean | "stopped">;
}

type Red = Extract<TakenLook, { readonly verdict: "red" }>;

/** What the looks show together; with the last of them that shows it, and how many were taken. */
export type SettledLook =
  | (Exclude<Settled, { readonly kind: "again" }> &
      Pick<TakenLook, "output" | "tookMs" | "ran" | "network"> & {
        /** One line; undefined if it is green, or if there is no test. */
        readonly reason: string | undefined;
        readonly looks: number;
      })
  | { readonly kind: "stopped" };

/**
 * Takes looks at a commit until they decide. A look is repeated alone: no other repeated look of this machine and user
 * runs meanwhile and, without a sandbox, the turns of engines in the repository are waited for. What is red on a loopback of its own, or runs fewer tests there, is looked at with the network as
 * well (`chooseNetwork`); it is repeated on the one that decides, so that all looks that count show the same. What is
 * repeated is what failed, where its runner can be narrowed to that.
 */
export async function settledLook(
  context: LookContext,
  { at, before, first, isDeciding, hasCi }: LooksWanted,
): Promise<SettledLook> {
  const repeats = new Repeats(context);
  const looks: TakenLook[] = [];
  const runs: NarrowedTests[] = [];
  let narrowing: Narrowing | undefined;
  let decides: boolean | undefined;
  for (;;) {
    const { network: next, counted } = chooseNetwork(looks, { first, before });
    const network = first && next;
    const last = counted.at(-1);
    const answer = last?.verdict === "red" ? (decides ?? (await isDeciding(last))) : decides;
    if (answer === "stopped") return { kind: "stopped" };
    decides = answer;
    if (last !== undefined && decides === true) narrowing ??= await narrowingOf(context, last, at);
    const place = { context, repeats, at, narrowing, network, taken: looks.length };
    const settled = await settledAlone(place, {
      looks: counted,
      runs,
      isDeciding: decides ?? false,
    });
    if (settled.kind === "stopped") return settled;
    if (last !== undefined && settled.kind !== "again") {
      return withMeasures(settled, last, looks.length + runs.length);
    }
    const n = looks.length + runs.length + 1;
    const look = await repeats.take(n, (alone) =>
      takeLook(context, { at, before, n, alone, network, hasCi }),
    );
    if (look === undefined || look.verdict === "stopped") return { kind: "stopped" };
    looks.push(look);
  }
}

interface Place {
  readonly context: LookContext;
  readonly repeats: Repeats;
  readonly at: Oid;
  readonly narrowing: Narrowing | undefined;
  readonly network: LookNetwork | undefined;
  /** How many looks at the whole suite were taken, also those that do not count. */
  readonly taken: number;
}

interface Taken {
  /** Those that count. */
  readonly looks: readonly TakenLook[];
  /** Further ones are added. */
  readonly runs: NarrowedTests[];
  readonly isDeciding: boolean;
}

/** What the looks show, after as many looks at single tests as are needed before the next one at the whole. */
async function settledAlone(
  { context, repeats, at, narrowing, network, taken }: Place,
  { looks, runs, isDeciding }: Taken,
): Promise<Settled | { readonly kind: "stopped" }> {
  const failing = looks.flatMap((look) => (look.verdict === "red" ? [look.failing ?? []] : []))[0];
  const canNarrow = narrowing?.commandsFor(failing ?? []) !== undefined;
  for (;;) {
    const settled = settleLooks(looks, isDeciding, { canNarrow, runs });
    const only = settled.kind === "again" ? settled.only : undefined;
    if (only === undefined || narrowing === undefined) return settled;
    const n = taken + runs.length + 1;
    const run = await repeats.alone((alone) =>
      takeNarrowedLook(context, { at, n, only, narrowing, network, alone }),
    );
    if (run === undefined || "kind" in run) return { kind: "stopped" };
    runs.push(run);
  }
}

function withMeasures(
  settled: Exclude<Settled, { readonly kind: "again" }>,
  { reason, output, tookMs, ran, network }: TakenLook,
  looks: number,
): SettledLook {
  const measured = { output, tookMs, ran, network, looks };
  return settled.kind === "unknown"
    ? { ...settled, ...measured }
    : { ...settled, reason, ...measured };
}
