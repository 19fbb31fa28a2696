import type { Budget } from "../../fs-protocol/home/budget.ts";
import { fail, ok, type Result } from "../../base/result.ts";

/** One limit of a budget: US dollars, turns, tokens, or milliseconds of turns. */
export type LimitName = keyof Budget;

/** All limits, in the order in which they are looked at and granted. */
export const LIMIT_NAMES = ["usd", "turns", "tokens", "durationMs"] as const satisfies LimitName[];

/** How much each limit was changed by shares that were given and granted; may be below zero. */
export type SharedAmounts = Readonly<Partial<Record<LimitName, number>>>;

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

/** The amounts after more were granted (`sign` 1) or given away (-1). */
export function addedAmounts(before: SharedAmounts, amounts: Budget, sign: 1 | -1): SharedAmounts {
  let after = before;
  for (const of of LIMIT_NAMES) {
    const amount = amounts[of];
    if (amount === undefined) continue;
    after = { ...after, [of]: plusAmount(of, after[of] ?? 0, sign * amount) };
  }
  return after;
}

/** The limits with what was given and granted since they were set. A limit that does not apply stays so. */
export function withShares(limits: Budget, shared: SharedAmounts): Budget {
  let all = limits;
  for (const of of LIMIT_NAMES) {
    const [limit, change] = [limits[of], shared[of]];
    if (limit === undefined || change === undefined) continue;
    all = { ...all, [of]: Math.max(0, plusAmount(of, limit, change)) };
  }
  return all;
}
