import { expect, test } from "vitest";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { mayGive, nextGrant, type FleetMember } from "../../src/session/rules/next-grant.ts";
import { withShares } from "../../src/session/rules/share-budget.ts";
import { EMPTY_HUMAN, foldHuman } from "../../src/session/state/fold-human.ts";

const TIME = "2026-11-20T11:00:00.000Z";
const NOTHING = { usd: 0, turns: 0, tokens: 0, durationMs: 0 };

function member(id: string, given: Partial<FleetMember> = {}): FleetMember {
  return { id, stage: "working", budget: { usd: 30 }, used: NOTHING, given: 0, ...given };
}

const used = (usd: number) => ({ ...NOTHING, usd });
const finished = (id: string, usd: number, given = 0) =>
  member(id, { stage: "finished", used: used(usd), given });

test("a finished session gives all that it did not use to the only one that needs it", () => {
  const fleet = [finished("a", 18), member("b", { used: used(30) }), member("c")];
  const grant = { id: "a.1", from: "a", to: "b", amounts: { usd: 12 } };
  expect(nextGrant(fleet)).toEqual(grant);
});

test("the share of a session that has given before has the next number", () => {
  expect(nextGrant([finished("a", 18, 2), member("b", { used: used(30) })])?.id).toBe("a.3");
});

test("who has stopped at its budget comes before who has used four fifths, and who has used less needs nothing", () => {
  const giver = finished("a", 0);
  const near = member("b", { used: used(29) });
  const stopped = member("c", { used: used(31) });
  expect(nextGrant([giver, near, stopped])).toMatchObject({ to: "c", amounts: { usd: 15 } });
  expect(nextGrant([giver, near])).toMatchObject({ to: "b", amounts: { usd: 30 } });
  expect(nextGrant([giver, member("b", { used: used(24) })])).toMatchObject({ to: "b" });
  expect(nextGrant([giver, member("b", { used: used(23.99) })])).toBeUndefined();
});

test("of those that have stopped the first by name comes first, however far a last turn went beyond the limit", () => {
  const fleet = [
    finished("a", 0),
    member("c", { used: used(60) }),
    member("b", { used: used(30) }),
  ];
  expect(nextGrant(fleet)).toMatchObject({ to: "b" });
});

test("nothing is granted by sessions that go on, nor to those that a person stopped, nor of less than a cent", () => {
  const needy = member("b", { used: used(30) });
  expect(nextGrant([member("a"), needy])).toBeUndefined();
  expect(nextGrant([member("a", { stage: "idle" }), needy])).toBeUndefined();
  expect(nextGrant([finished("a", 0), { ...needy, stage: "idle" }])).toBeUndefined();
  expect(nextGrant([finished("a", 29.995), needy])).toBeUndefined();
});

test("a limit that does not apply to the receiver is not granted, and turns are granted like dollars", () => {
  const turns = (count: number) => ({ ...NOTHING, turns: count });
  const giver = member("a", { stage: "finished", budget: { turns: 5 }, used: turns(2) });
  expect(nextGrant([giver, member("b", { used: used(30) })])).toBeUndefined();
  const needy = member("b", { budget: { turns: 5 }, used: turns(5) });
  expect(nextGrant([giver, needy])).toMatchObject({ amounts: { turns: 3 } });
});

test("a share is given only by a finished session, under its next number, and of no more than is left", () => {
  const grant = { id: "a.1", amounts: { usd: 12 } };
  expect(mayGive(finished("a", 18), grant)).toBe(true);
  expect(mayGive(finished("a", 18.01), grant)).toBe(false);
  expect(mayGive(finished("a", 0, 1), grant)).toBe(false);
  expect(mayGive(member("a"), grant)).toBe(false);
});

test("a limit that a person sets is what it says, whatever was granted before; later grants add to it", () => {
  const grant = (id: string): HumanRecord => {
    return { kind: "budget.grant", time: TIME, id, from: "a", amounts: { usd: 12 } };
  };
  const set: HumanRecord = { kind: "budget", time: TIME, of: "session", limits: { usd: 50 } };
  const effective = (...records: readonly HumanRecord[]) => {
    const human = records.reduce(foldHuman, EMPTY_HUMAN);
    return withShares({ usd: 30, ...human.budget.session }, human);
  };
  expect(effective(grant("a.1"))).toEqual({ usd: 42 });
  expect(effective(grant("a.1"), set)).toEqual({ usd: 50 });
  expect(effective(grant("a.1"), set, grant("a.1"), grant("a.2"))).toEqual({ usd: 62 });
});
