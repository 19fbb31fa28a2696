import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { NEUTRAL_LOOKS_MAX } from "../../base/look-limits.ts";
import { NEUTRAL, ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { commandKey } from "../verify/command-key.ts";
import { failureCounts, failuresBeyond } from "../verify/failure-counts.ts";
import type { ComparedVerify } from "../verify/no-worse.ts";
import { verifyResultAt } from "../verify/verify-head.ts";
import { networkAt } from "./kept-network.ts";
import { Repeats } from "./repeats.ts";
import { takeLook, type LookWanted, type TakenLook } from "./take-look.ts";

/**
 * Runs verify once more at the end of a session where neither a path nor a variable is named after wisp, and records
 * whether it differs there from what it is in wisp's own trees: a project, or its tests, may look at where they run. What
 * differs is run a second time before it counts. It is named, and nothing else follows from it.
 *
 * Once for a tree, whatever is killed. A result of verify for the same commit has to be on record, or is made first.
 */
export async function lookElsewhere(
  context: RoleContext<"tester">,
  { unit, at }: { readonly unit: string; readonly at: Oid },
): Promise<"seen" | "stopped"> {
  const { session, journal, reader, trees } = context;
  if (session.version < 3 || session.verify.length === 0) return "seen";
  const { tree } = await trees.factsAt(at);
  const key = { command: `${NEUTRAL}${commandKey(session.verify)}`, tree };
  // Read again: the pass recorded its own results.
  const state = need(await reader.read());
  if (state.tester.ran.has(ranKey({ ...key, tests: undefined }))) return "seen";
  const here = await verifyResultAt(context, state, { unit, at });
  if (here.kind === "stopped") return "stopped";
  if (here.kind === "question") return "seen";
  const seen = await compareElsewhere(
    context,
    { at, network: networkAt(context, state.builder, tree) },
    here,
  );
  if (seen === "stopped") return "stopped";
  journal.append({ kind: "command.result", time: journal.time(), unit, at, ...key, ...seen });
  return "seen";
}

type Seen = Pick<RanCommand, "outcome" | "reason" | "failing" | "output">;

/** `failed`: it differs there, as the reason says; `unstarted`: that is not known. */
async function compareElsewhere(
  context: RoleContext<"tester">,
  { at, network }: Pick<LookWanted, "at" | "network">,
  here: ComparedVerify,
): Promise<Seen | "stopped"> {
  const repeats = new Repeats(context);
  for (let n = 1; ; n++) {
    const look = await repeats.take(n, (alone) =>
      takeLook(context, {
        ...{ at, network, before: undefined, n, alone },
        neutral: neutralName(context),
      }),
    );
    if (look === undefined || look.verdict === "stopped") return "stopped";
    const { output } = look;
    if (look.verdict === "unknown") return { outcome: "unstarted", reason: look.reason, output };
    const how = differenceOf(look, here);
    if (how === undefined) return { outcome: "passed", reason: undefined, output };
    const failing = look.verdict === "red" ? look.failing : undefined;
    if (n < NEUTRAL_LOOKS_MAX) continue;
    const reason = clip(`at ${abbreviate(at)} ${how}`);
    return { outcome: "failed", reason, failing: failing && [...failing], output };
  }
}

/** How verify differs there from here; undefined if it does not, as far as can be told. */
function differenceOf(
  look: Exclude<TakenLook, { readonly verdict: "unknown" }>,
  here: ComparedVerify,
): string | undefined {
  if (look.verdict !== "red") {
    return here.outcome === "passed" ? undefined : "verify passes there, and fails here";
  }
  const { failing, tally } = look;
  if (here.outcome === "passed") return `verify fails there: ${failing?.join(", ") ?? look.reason}`;
  // Of two red ones, only named tests can be compared.
  if (failing === undefined || here.failing === undefined) return undefined;
  const more = failuresBeyond(failureCounts({ failing: [...failing], tally }), failureCounts(here));
  return more.length === 0 ? undefined : `these fail there, and not here: ${more.join(", ")}`;
}

/** A name that nobody can know beforehand. */
function neutralName({ random }: RoleContext<"tester">): string {
  const digits = () =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, "0");
  return `b${digits()}${digits()}`;
}
