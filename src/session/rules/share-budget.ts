import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { BudgetShare, HumanFold } from "../state/fold-human.ts";
import { fail, ok, type Result } from "../../base/result.ts";

/** One limit of a budget: US dollars, turns, tokens, or milliseconds of turns. */
export type LimitName = keyof Budget;

/** All limits, in the order in which they are looked at and granted. */
export const LIMIT_NAMES = ["usd", "turns", "tokens", "durationMs"] as const satisfies LimitName[];

/** Dollars are added up in whole millionths, so that no sum is off by a rounding. */
const MICROS = 1_000_000;
const MICROS_PER_CENT = 10_000;
const MS_PER_SECOND = 1_000;

/** In what amounts are handed out: whole cents, turns, tokens and seconds. In atoms (see `atomsOf`). */
const UNIT_ATOMS: Readonly<Record<LimitName, number>> = {
  usd: MICROS_PER_CENT,
  turns: 1,
  tokens: 1,
  durationMs: MS_PER_SECOND,
};

/** An amount as a whole number: millionths of a dollar, turns, tokens or milliseconds. */
function atomsOf(of: LimitName, amount: number): number {
  return Math.round(of === "usd" ? amount * MICROS : amount);
}

function amountOf(of: LimitName, atoms: number): number {
  return of === "usd" ? atoms / MICROS : atoms;
}

/** `one + other`, exactly. */
export function plusAmount(of: LimitName, one: number, other: number): number {
  return amountOf(of, atomsOf(of, one) + atomsOf(of, other));
}

/** `amount`, without what is less than a whole cent, turn, token or second. */
export function inWholeUnits(of: LimitName, amount: number): number {
  const unit = UNIT_ATOMS[of];
  return amountOf(of, Math.floor(atomsOf(of, amount) / unit) * unit);
}

/**
 * Splits an amount into `count` parts whose sum is exactly that amount: whole cents, turns, tokens or seconds as far as
 * there are enough of them, else millionths of a dollar and milliseconds. The units that are left over go to the first
 * parts, one to each, and what is less than a unit to the first.
 */
export function splitAmount(of: LimitName, whole: number, count: number): readonly number[] {
  const atoms = atomsOf(of, whole);
  const unit = atoms >= count * UNIT_ATOMS[of] ? UNIT_ATOMS[of] : 1;
  const units = Math.floor(atoms / unit);
  const crumbs = atoms - units * unit;
  return Array.from({ length: count }, (_, place) => {
    const own = Math.floor(units / count) + (place < units % count ? 1 : 0);
    return amountOf(of, own * unit + (place === 0 ? crumbs : 0));
  });
}

/**
 * Splits the budget of a fleet into the shares of its sessions, each limit for itself. Fails with the limit of which
 * there is less than one turn, token, millisecond or millionth of a dollar for each.
 *
 * @param count how many sessions there are, from 1
 */
export function splitBudget(whole: Budget, count: number): Result<readonly Budget[], LimitName> {
  let shares: readonly Budget[] = Array.from({ length: count }, () => ({}));
  for (const of of LIMIT_NAMES) {
    const amount = whole[of];
    if (amount === undefined) continue;
    const parts = splitAmount(of, amount, count);
    if (parts.some((part) => part <= 0)) return fail(of);
    shares = shares.map((share, place) => ({ ...share, [of]: parts[place] }));
  }
  return ok(shares);
}

/** A budget in the form of `--budget`: `usd=30,duration=3600000ms`. Empty if it has no limits. */
export function budgetText({ usd, turns, tokens, durationMs }: Budget): string {
  const words = [
    ...(usd === undefined ? [] : [`usd=${String(usd)}`]),
    ...(turns === undefined ? [] : [`turns=${String(turns)}`]),
    ...(tokens === undefined ? [] : [`tokens=${String(tokens)}`]),
    ...(durationMs === undefined ? [] : [`duration=${String(durationMs)}ms`]),
  ];
  return words.join(",");
}

/** A share in force: positive if it was granted by that session, negative if it was given to it. */
export interface ShareInForce {
  readonly session: string;
  readonly amount: number;
}

/** What was granted and given of a limit since a person last set it, which includes all that was before. */
export function sharesInForce(
  { granted, given, limitsAt }: Pick<HumanFold, "granted" | "given" | "limitsAt">,
  of: LimitName,
): readonly ShareInForce[] {
  const since = limitsAt[of] ?? -1;
  const signed = (sign: 1 | -1) => (share: BudgetShare) => {
    const { index, session, amounts } = share;
    const amount = amounts[of];
    return amount === undefined || index < since ? [] : [{ session, amount: sign * amount }];
  };
  return [...granted.flatMap(signed(1)), ...given.flatMap(signed(-1))];
}

/** The limits with what was given and granted since they were set. A limit that does not apply stays so. */
export function withShares(
  limits: Budget,
  human: Pick<HumanFold, "granted" | "given" | "limitsAt">,
): Budget {
  let all = limits;
  for (const of of LIMIT_NAMES) {
    const shares = sharesInForce(human, of);
    const limit = limits[of];
    if (limit === undefined || shares.length === 0) continue;
    const sum = shares.reduce((amount, share) => plusAmount(of, amount, share.amount), limit);
    all = { ...all, [of]: Math.max(0, sum) };
  }
  return all;
}
