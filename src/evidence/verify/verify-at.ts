import { abbreviate, type Oid } from "../../base/oid.ts";
import {
  verifyKey,
  type BuilderFold,
  type VerifyResult,
} from "../../session/state/builder-state.ts";
import { isUnnamedAccepted } from "../../session/state/base-outcome.ts";
import { mostRan } from "../../session/rules/nothing-verified.ts";
import { note } from "../../work/journal.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { SuiteBefore } from "../look/judge-run.ts";
import { firstNetwork, networkWords } from "../look/kept-network.ts";
import { isOfMachine, type Settled } from "../look/settle-looks.ts";
import { settledLook, type LooksWanted } from "../look/settled-look.ts";
import { withoutCi, withoutCiWords, type LookOrWithoutCi } from "../look/without-ci.ts";
import { isBaseExcuse } from "./base-licence.ts";
import { commandKey } from "./command-key.ts";
import { isNoWorseThan } from "./compare-verify.ts";
import type { RedOutput } from "./failure-report.ts";
import { redOutput } from "./red-output.ts";
import { unsteadyWords } from "./verify-words.ts";

/** The result of verify at a commit. */
export type Verified =
  | (VerifyResult & {
      readonly kind: "verified";
      /** Set if the looks are unknown: they say nothing about the commit. */
      readonly unknown?: UnknownLook | undefined;
    })
  | { readonly kind: "stopped" };

/** What a result is for. */
export interface VerifyPurpose extends Pick<LooksWanted, "isDeciding"> {
  /** Whether a known red result is not enough: the commit is looked at again. */
  readonly isJudged: boolean;
  /** The commits before it, the nearest one last: what verify did there is compared with. */
  readonly references: readonly Oid[];
}

/** A result that excuses later ones, or that nothing else follows from: red is confirmed before it counts. */
export const REFERENCE: VerifyPurpose = {
  isJudged: false,
  references: [],
  isDeciding: () => Promise.resolve(true),
};

/**
 * Runs the project's own verify command in a verify tree, which holds nothing but the commit. The journal keeps results
 * by tree, command and setup, and the same is not run twice, with one exception: a red commit that is judged is looked at
 * again, so that a test that failed by chance does not count against it for ever (R24).
 */
export async function verifyAt(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  at: Oid,
  { isJudged, references, isDeciding }: VerifyPurpose = REFERENCE,
): Promise<Verified> {
  const { session, trees } = context;
  if (session.verify.length === 0) {
    const nothing = { failing: undefined, output: undefined };
    return { kind: "verified", outcome: "passed", ...nothing };
  }
  const { tree, setup } = await trees.factsAt(at);
  const known = fold.verified.get(verifyKey(commandKey(session.verify), tree));
  // Only a result with the same setup applies. One without a setup ran in a role's clone, where engines write.
  const isComparable = known?.setup === setup;
  const isGoodFor = known?.outcome === "passed" || !isJudged;
  if (known !== undefined && isComparable && isGoodFor) {
    return { kind: "verified", ...known };
  }
  const before = at === session.base ? undefined : await suiteBefore(context, fold, references);
  const first = firstNetwork(context, fold, at);
  const seen = await settledLook(context, { at, before, first, isDeciding });
  if (seen.kind === "stopped") return seen;
  const look = await withoutCi(context, fold, { at, first }, seen);
  if (look.kind === "stopped") return look;
  return verifiedBy(context, look, { at, tree, setup, first, isKept: fold.baseline?.ci === "no" });
}

/**
 * What verify did at the nearest of these commits where that is known, and the most tests that ran there, at the others
 * or at the base.
 */
async function suiteBefore(
  { session, trees }: RoleContext<"builder">,
  { verified, baseline }: BuilderFold,
  references: readonly Oid[],
): Promise<SuiteBefore | undefined> {
  const known: VerifyResult[] = baseline === undefined ? [] : [baseline];
  for (const reference of references) {
    const { tree } = await trees.factsAt(reference);
    const result = verified.get(verifyKey(commandKey(session.verify), tree));
    if (result !== undefined) known.push(result);
  }
  const nearest = known.at(-1);
  return (
    nearest && {
      tookMs: nearest.took,
      ran: mostRan(known),
      skipped: nearest.tally?.skipped,
    }
  );
}

/** Looks that say nothing about a commit. */
type UnknownLook = Pick<Extract<Settled, { readonly kind: "unknown" }>, "cause" | "reason">;

interface LookedAt extends Pick<LooksWanted, "first"> {
  /** Whether it was known before that verify runs without `CI=true`. */
  readonly isKept: boolean;
  readonly at: Oid;
  readonly tree: Oid;
  readonly setup: string;
}

/** Records what the looks decided; what is unknown is not kept, so that it is looked at again the next time. */
function verifiedBy(
  context: RoleContext<"builder">,
  look: LookOrWithoutCi,
  { at, tree, setup, first, isKept }: LookedAt,
): Verified {
  const { journal, session } = context;
  const { output, tookMs: took, ran, network, ci } = look;
  if (look.kind === "unknown") {
    return {
      kind: "verified",
      outcome: "failed",
      failing: undefined,
      output,
      setup,
      unknown: look,
    };
  }
  const outcome = look.kind === "red" ? "failed" : "passed";
  const failing = look.kind === "red" ? look.failing : undefined;
  const { tally } = look;
  const measured = { tally, output, took, ran, network, ...(ci === undefined ? {} : { ci }) };
  const repeats = {
    ...(look.looks > 1 ? { looks: look.looks } : {}),
    ...(look.split.length > 0 ? { split: [...look.split] } : {}),
  };
  journal.append({
    kind: "verify.result",
    time: journal.time(),
    ...{ at, tree, command: commandKey(session.verify), setup, outcome },
    failing: failing === undefined ? undefined : [...failing],
    ...measured,
    ...repeats,
  });
  if (ci === "no" && !isKept) note(context, withoutCiWords(at));
  if (look.split.length > 0) note(context, unsteadyWords(at, look.split));
  if (first === "own" && network === "machine") note(context, networkWords(session, at));
  if (look.kind === "red" && look.company.length > 0) {
    note(context, `failed only in company at ${abbreviate(at)}: ${look.company.join(", ")}`);
  }
  const result = { outcome, failing, ...measured, ...repeats, setup, at } as const;
  return { kind: "verified", ...result };
}

/** Whether a commit is acceptable; `no` has what failed, for the next attempt and for people. */
export type Acceptance =
  | { readonly kind: "yes" }
  | { readonly kind: "stopped" }
  | { readonly kind: "no"; readonly red: RedOutput }
  /** Verify says nothing about the commit, for a reason that no other commit would change. */
  | { readonly kind: "unknown"; readonly reason: string };

/** A commit of the builder's to judge. */
export interface JudgedCommit {
  readonly at: Oid;
  /** The commits that it is compared with. */
  readonly references: readonly Oid[];
  /** Whether no further attempt follows: then a worse result is confirmed before it counts. */
  readonly isLast: boolean;
}

type Compared = Pick<VerifyResult, "outcome" | "failing" | "tally"> & {
  readonly unknown?: UnknownLook | undefined;
};

/**
 * Whether `at` is no worse than one of `references`, which are verified only if it is red. The last reference is the
 * state right before: if it was red without names, too, a red without names is excused, provided that a person has
 * accepted such a base. An earlier reference that was red without names excuses nothing; nor does the base once verify was
 * green after it.
 */
export async function isAcceptable(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  { at, references: given, isLast }: JudgedCommit,
): Promise<Acceptance> {
  const references = await inForce(context, fold, given);
  const isLetBegin = isUnnamedAccepted(fold);
  const known = new Map<Oid, Promise<Verified>>();
  const verified = (reference: Oid) => {
    const result = known.get(reference) ?? verifyAt(context, fold, reference);
    known.set(reference, result);
    return result;
  };
  const isExcused = async (after: Compared): Promise<boolean | "stopped"> => {
    for (const reference of new Set(references)) {
      const before = await verified(reference);
      if (before.kind === "stopped") return "stopped";
      const isComparable = before.failing !== undefined || reference === references.at(-1);
      // What is unknown excuses nothing and is not excused, unless a person let the work begin like that.
      const isKnown = before.unknown === undefined && after.unknown === undefined;
      const compared = { before, after, range: { start: reference, end: at } };
      if (!isComparable || (!isKnown && !isLetBegin)) continue;
      if (await isNoWorseThan(context, fold, compared)) return true;
    }
    return false;
  };
  const namedBefore = async (): Promise<readonly string[]> => {
    const before = await Promise.all([...known.values()]);
    return before.flatMap((each) => (each.kind === "verified" ? (each.failing ?? []) : []));
  };
  const isDeciding = async ({ failing, tally }: Pick<Compared, "failing" | "tally">) => {
    if (!isLast) return false;
    const excused = await isExcused({ outcome: "failed", failing, tally });
    return excused === "stopped" ? excused : !excused;
  };
  const after = await verifyAt(context, fold, at, { isJudged: true, references, isDeciding });
  if (after.kind === "stopped") return after;
  if (after.outcome === "passed") return { kind: "yes" };
  const excused = await isExcused(after);
  if (excused === "stopped") return { kind: "stopped" };
  if (excused) return { kind: "yes" };
  const no = { kind: "no", red: redOutput(context, after, await namedBefore()) } as const;
  const last = references.at(-1);
  if (after.unknown === undefined || last === undefined) return no;
  const before = await verified(last);
  if (before.kind === "stopped") return before;
  const isAsked =
    before.unknown !== undefined || isOfMachine(after.unknown, before.setup === after.setup);
  return isAsked ? { kind: "unknown", reason: after.unknown.reason } : no;
}

/**
 * The references without the session's base, if that excuses nothing any more. The state right before always counts, unless
 * it was before verify was adopted.
 */
async function inForce(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  references: readonly Oid[],
): Promise<readonly Oid[]> {
  const { base } = context.session;
  const { adopted } = fold;
  if (adopted !== undefined) {
    return references.filter((one) => one !== base && !adopted.before.has(one));
  }
  const isEarlier = references.slice(0, -1).includes(base);
  if (!isEarlier || (await isBaseExcuse(context, fold))) return references;
  return references.filter((one, index) => one !== base || index === references.length - 1);
}
