import fc from "fast-check";
import { expect, test } from "vitest";
import type { Budget } from "../../src/fs-protocol/home/budget.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import {
  mayGive,
  nextGrant,
  type FleetMember,
  type Grant,
} from "../../src/session/rules/next-grant.ts";
import { plusAmount, splitAmount, withShares } from "../../src/session/rules/share-budget.ts";
import { EMPTY_HUMAN, foldHuman, type HumanFold } from "../../src/session/state/fold-human.ts";

const TIME = "2026-11-20T11:00:00.000Z";

const used = (usd: number) => ({ usd, turns: 0, tokens: 0, durationMs: 0 });

type Mistake = "grants before it is given" | "does not look for the id" | "does not check again";

interface Given {
  readonly used: number;
  readonly isFinished: boolean;
}

/** The logs of a fleet, as processes append to them: each append is one step under the lock of its log. */
class Fleet {
  readonly logs = new Map<string, HumanRecord[]>();
  readonly #frozen = new Map<string, number>();
  readonly #used = new Map<string, number>();
  readonly #finished = new Set<string>();
  readonly #mistake: Mistake | undefined;

  constructor(whole: number, given: readonly Given[], mistake?: Mistake) {
    this.#mistake = mistake;
    const shares = splitAmount("usd", whole, given.length);
    given.forEach(({ used: part, isFinished }, place) => {
      const id = `s${String(place)}`;
      const share = shares[place] ?? 0;
      this.logs.set(id, []);
      this.#frozen.set(id, share);
      this.#used.set(id, share * part);
      if (isFinished) this.#finished.add(id);
    });
  }

  fold(id: string): HumanFold {
    return (this.logs.get(id) ?? []).reduce(foldHuman, EMPTY_HUMAN);
  }

  member(id: string): FleetMember {
    const fold = this.fold(id);
    const { given } = fold;
    const budget: Budget = withShares({ usd: this.#frozen.get(id) ?? 0 }, fold);
    const stage = this.#finished.has(id) ? "finished" : "working";
    return { id, stage, budget, used: used(this.#used.get(id) ?? 0), given: given.length };
  }

  get members(): readonly FleetMember[] {
    return [...this.logs.keys()].map((id) => this.member(id));
  }

  /** What all sessions together may use, in US dollars. */
  get total(): number {
    return this.members.reduce((sum, { budget }) => plusAmount("usd", sum, budget.usd ?? 0), 0);
  }

  /** A working session uses more, a finished one is reopened, or a working one finishes. */
  live(place: number): void {
    const id = `s${String(place % this.logs.size)}`;
    const share = this.#frozen.get(id) ?? 0;
    const after = (this.#used.get(id) ?? 0) + share * 0.4;
    if (this.#finished.delete(id)) return;
    if (place % 3 === 0) this.#finished.add(id);
    else if (after <= (this.member(id).budget.usd ?? 0)) this.#used.set(id, after);
  }

  /** As `recordGiven` does. */
  give({ id, from, to, amounts }: Grant): void {
    const isThere = this.fold(from).given.some((share) => share.id === id);
    const mayBe =
      this.#mistake === "does not check again" || mayGive(this.member(from), { id, amounts });
    if (isThere || !mayBe) return;
    this.logs.get(from)?.push({ kind: "budget.give", time: TIME, id, to, amounts });
  }

  /** As `recordGranted` does. */
  grant({ id, from, to, amounts }: Grant): void {
    const isThere = this.fold(to).granted.some((share) => share.id === id);
    if (isThere && this.#mistake !== "does not look for the id") return;
    const record = { kind: "budget.grant", time: TIME, from, amounts } as const;
    // The fold ignores an id that it knows, so the mistake has to be one of the whole.
    const again = isThere ? `${id}-${String(this.logs.get(to)?.length ?? 0)}` : id;
    this.logs.get(to)?.push({ ...record, id: again });
  }

  /** As `grantUnused` does: what was given and not granted yet, then what is to be given next. */
  next(): readonly Step[] {
    const given = [...this.logs.keys()].flatMap((from) =>
      this.fold(from).given.map(({ id, session: to, amounts }) => ({ id, from, to, amounts })),
    );
    const pending = given.find(({ id, to }) =>
      this.fold(to).granted.every((share) => share.id !== id),
    );
    if (pending !== undefined) return [{ step: "grant", share: pending }];
    const share = nextGrant(this.members);
    if (share === undefined) return [];
    const isFirst = this.#mistake === "grants before it is given";
    const [give, grant] = [{ step: "give", share } as const, { step: "grant", share } as const];
    return isFirst ? [grant, give] : [give];
  }
}

interface Step {
  readonly step: "give" | "grant";
  readonly share: Grant;
}

/** A process that grants, one append at a time; killed, it forgets what it was about to do. */
class Granter {
  #wants: readonly Step[] = [];

  look(fleet: Fleet): void {
    this.#wants = fleet.next();
  }

  act(fleet: Fleet): void {
    const [wants, ...later] = this.#wants;
    this.#wants = later;
    if (wants !== undefined) fleet[wants.step](wants.share);
  }

  die(): void {
    this.#wants = [];
  }
}

const sessions = fc.array(
  fc.record({ used: fc.constantFrom(0, 0.3, 0.85, 1, 1.2), isFinished: fc.boolean() }),
  { minLength: 2, maxLength: 6 },
);
const moves = fc.array(
  fc.record({
    by: fc.constantFrom(0, 1),
    place: fc.nat(40),
    does: fc.constantFrom("look", "look", "act", "act", "die", "live"),
  }),
  { maxLength: 80 },
);

function move(fleet: Fleet, granter: Granter, does: string, place: number): void {
  if (does === "look") granter.look(fleet);
  else if (does === "act") granter.act(fleet);
  else if (does === "die") granter.die();
  else fleet.live(place);
}

/** Grants until there is nothing left to grant. */
function grantAll(fleet: Fleet): void {
  const granter = new Granter();
  for (let count = 0; count < 200 && fleet.next().length > 0; count++) {
    granter.look(fleet);
    granter.act(fleet);
  }
}

const ROUNDED_USD = 1e-6;

/** Whether a session gave what it has used. */
function isAnyShort(fleet: Fleet): boolean {
  return fleet.members.some(
    ({ given, budget, used: { usd } }) => given > 0 && usd > (budget.usd ?? 0) + ROUNDED_USD,
  );
}

/** That the effective budgets never add up to more than the whole, and to exactly that in the end. */
function neverMoreThanTheWhole() {
  const cents = fc.integer({ min: 100, max: 9_000 });
  return fc.property(cents, sessions, moves, (whole, given, steps) => {
    const fleet = new Fleet(whole / 100, given);
    const granters = [new Granter(), new Granter()] as const;
    for (const { by, does, place } of steps) {
      move(fleet, granters[by === 0 ? 0 : 1], does, place);
      expect(fleet.total).toBeLessThanOrEqual(whole / 100);
      expect(isAnyShort(fleet)).toBe(false);
    }
    grantAll(fleet);
    expect(fleet.total).toBe(whole / 100);
    expect(fleet.next()).toEqual([]);
  });
}

test("whatever two processes decide at once and wherever they are killed, the effective budgets never exceed the whole, nothing is lost, and nobody gives what it has used", () => {
  fc.assert(neverMoreThanTheWhole(), { numRuns: 500 });
});

const ONE_NEEDS = [
  { used: 0, isFinished: true },
  { used: 1, isFinished: false },
];

/** Moves of two granters, and of the sessions, one after the other. */
function played(mistake: Mistake | undefined, script: string): Fleet {
  const fleet = new Fleet(60, ONE_NEEDS, mistake);
  const granters = [new Granter(), new Granter()] as const;
  for (const word of script.split(" ")) {
    const [, does = "", which = ""] = /^([a-z]+)(\d)$/.exec(word) ?? [];
    move(fleet, granters[which === "1" ? 1 : 0], does, Number(which));
  }
  return fleet;
}

// The first session is reopened (live0) and works on (live4), or a granter is killed between its two records.
test.each([
  ["grants before it is given", "look0 act0 die0", "total"],
  ["does not look for the id", "look0 act0 look0 look1 act0 act1", "total"],
  ["does not check again", "look0 live0 live4 live4 act0", "short"],
] as const)(
  "a granter that %s is found by what the sessions may use: %s",
  (mistake, script, fault) => {
    const [right, wrong] = [played(undefined, script), played(mistake, script)];
    expect([right.total <= 60, isAnyShort(right)]).toEqual([true, false]);
    expect([wrong.total > 60, isAnyShort(wrong)]).toEqual([fault === "total", fault === "short"]);
  },
);

test("records that are there twice, as after a restored log, count once", () => {
  fc.assert(
    fc.property(sessions, (given) => {
      const fleet = new Fleet(60, given);
      grantAll(fleet);
      const totals = fleet.members.map(({ budget }) => budget.usd);
      for (const [id, log] of fleet.logs) {
        const twice = log.flatMap((one) => [one, one]);
        fleet.logs.set(id, twice);
      }
      expect(fleet.members.map(({ budget }) => budget.usd)).toEqual(totals);
    }),
  );
});
