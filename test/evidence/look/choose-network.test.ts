import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseNetwork, type NetworkedLook } from "../../../src/evidence/look/choose-network.ts";
import type { SuiteBefore } from "../../../src/evidence/look/judge-run.ts";
import { settleLooks, type Settled } from "../../../src/evidence/look/settle-looks.ts";
import { NAMING_RULES } from "../../../src/fs-protocol/records/tally.ts";
import type { LookNetwork } from "../../../src/fs-protocol/records/look-record.ts";

/** What a suite shows on one network. */
type Shown =
  | { readonly verdict: "green"; readonly ran: number | undefined; readonly skipped?: number }
  | {
      readonly verdict: "red";
      readonly failing: readonly string[] | undefined;
      readonly ran: number | undefined;
    }
  | { readonly verdict: "unknown"; readonly cause: "time" | "signal" };

const green = (ran: number | undefined, skipped = 0): Shown => ({ verdict: "green", ran, skipped });
const red = (ran: number | undefined, ...failing: readonly string[]): Shown => {
  return { verdict: "red", ran, failing };
};
const UNNAMED: Shown = { verdict: "red", ran: undefined, failing: undefined };
const HUNG: Shown = { verdict: "unknown", cause: "time" };
const KILLED: Shown = { verdict: "unknown", cause: "signal" };

function look(shown: Shown, network: LookNetwork): NetworkedLook {
  if (shown.verdict === "unknown") return { ...shown, network, reason: "", ran: undefined };
  const { ran } = shown;
  const failed = shown.verdict === "red" ? (shown.failing?.length ?? 0) : 0;
  const counted = ran === undefined ? {} : { passed: ran - failed, failed };
  const skipped = shown.verdict === "green" ? { skipped: shown.skipped ?? 0 } : {};
  const tally = { rules: NAMING_RULES, ...counted, ...skipped };
  return shown.verdict === "green"
    ? { verdict: "green", tally, network, ran }
    : { verdict: "red", failing: shown.failing, tally, network, ran };
}

interface World {
  readonly first: LookNetwork | undefined;
  readonly before?: SuiteBefore | undefined;
  readonly isDeciding?: boolean;
  /** What the n-th look on each network shows; the last one is repeated. */
  readonly own: readonly Shown[];
  readonly machine: readonly Shown[];
}

interface Played {
  readonly settled: Exclude<Settled, { readonly kind: "again" }>;
  readonly network: LookNetwork;
  readonly looks: readonly NetworkedLook[];
  readonly counted: readonly NetworkedLook[];
}

const LOOKS_MAX = 9;

/** Takes looks until they decide, as at the rim. */
function play({ first, before, isDeciding = true, own, machine }: World): Played {
  const looks: NetworkedLook[] = [];
  while (looks.length <= LOOKS_MAX) {
    const { network, counted } = chooseNetwork(looks, { first, before });
    const settled = settleLooks(counted, isDeciding);
    if (settled.kind !== "again") return { settled, network, looks, counted };
    const shown = network === "own" ? own : machine;
    const times = looks.filter((each) => each.network === network).length;
    looks.push(look(shown[Math.min(times, shown.length - 1)] ?? KILLED, network));
  }
  throw new Error("the looks have no end");
}

const networksOf = ({ looks }: Played) => looks.map(({ network }) => network);

test("what is green on a loopback of its own is looked at once", () => {
  const played = play({ first: "own", own: [green(5)], machine: [UNNAMED] });
  expect(played).toMatchObject({ settled: { kind: "green" }, network: "own" });
  expect(networksOf(played)).toEqual(["own"]);
});

test("what is red for the want of a network is decided by one look with it, and nothing of it is split", () => {
  const played = play({ first: "own", own: [red(5, "asks")], machine: [green(5)] });
  expect(played).toMatchObject({ settled: { kind: "green", split: [] }, network: "machine" });
  expect(networksOf(played)).toEqual(["own", "machine"]);
});

test("what needed the network at the base is looked at with it alone", () => {
  const played = play({ first: "machine", own: [], machine: [red(5, "a")] });
  expect(played).toMatchObject({ settled: { kind: "red", failing: ["a"] }, network: "machine" });
  expect(networksOf(played)).toEqual(["machine", "machine", "machine"]);
});

test("what is red both ways is decided without the network, and so are ports that somebody holds", () => {
  const held = red(5, "listens", "wrong");
  const played = play({ first: "own", own: [red(5, "wrong")], machine: [held] });
  expect(played).toMatchObject({ settled: { kind: "red", failing: ["wrong"] }, network: "own" });
  expect(networksOf(played)).toEqual(["own", "machine", "own", "own"]);
});

test.each<[string, Shown, Shown]>([
  ["other tests fail with it", red(5, "a"), red(5, "b")],
  ["fewer tests fail with it", red(5, "a", "b"), red(5, "a")],
  ["more tests run with it", red(3, "a"), red(5, "a", "b")],
  ["nothing tells how many ran", red(undefined, "a"), red(undefined, "a")],
  ["nothing names what failed", UNNAMED, UNNAMED],
])("red both ways is decided, and repeated, with the network if %s", (_, own, machine) => {
  const played = play({ first: "own", own: [own], machine: [machine] });
  expect(played).toMatchObject({ settled: { kind: "red" }, network: "machine" });
  expect(networksOf(played)).toEqual(["own", "machine", "machine", "machine"]);
});

test("fewer tests than at the range's start are doubtful, and so are tests that are left out", () => {
  const before = { tookMs: 1, ran: 5, skipped: 1 };
  const fewer = { first: "own", before, own: [green(4)], machine: [green(5)] } as const;
  expect(play(fewer).network).toBe("machine");
  const left = { first: "own", before, own: [green(5, 2)], machine: [red(6, "asks")] } as const;
  expect(play(left).settled).toMatchObject({ kind: "red", failing: ["asks"] });
  const asBefore = { ...left, own: [green(5, 1)] };
  expect(networksOf(play(asBefore))).toEqual(["own"]);
  const atBase = { ...left, before: undefined, own: [green(5, 1)] };
  expect(networksOf(play(atBase))).toEqual(["own", "machine", "machine", "machine"]);
});

test("tests that the range removed run nowhere: it stays green without the network", () => {
  const before = { tookMs: 1, ran: 5 };
  const played = play({ first: "own", before, own: [green(4)], machine: [red(4, "held")] });
  expect(played).toMatchObject({ settled: { kind: "green" }, network: "own" });
  expect(networksOf(played)).toEqual(["own", "machine"]);
});

test("a suite that hangs without the network is looked at with it; one that is killed is not", () => {
  const hung = play({ first: "own", own: [HUNG], machine: [green(5)] });
  expect(hung).toMatchObject({ settled: { kind: "green" }, network: "machine" });
  const killed = play({ first: "own", own: [KILLED, green(5)], machine: [UNNAMED] });
  expect(killed).toMatchObject({ settled: { kind: "green" }, network: "own" });
  expect(networksOf(killed)).toEqual(["own", "own"]);
});

test("a look with the network that says nothing is taken again before it decides", () => {
  const world = { first: "own", own: [red(5, "a")], machine: [KILLED, red(5, "a")] } as const;
  const played = play({ ...world, isDeciding: false });
  expect(played).toMatchObject({ settled: { kind: "red", failing: ["a"] }, network: "own" });
  expect(networksOf(played)).toEqual(["own", "machine", "machine"]);
});

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 });
const count = fc.option(fc.integer({ min: 3, max: 6 }), { nil: undefined });
const shown: fc.Arbitrary<Shown> = fc.oneof(
  fc.record({ verdict: fc.constant("green" as const), ran: count, skipped: fc.nat(2) }),
  fc.record({
    verdict: fc.constant("red" as const),
    ran: count,
    failing: fc.option(names, { nil: undefined }),
  }),
  fc.constantFrom(HUNG, KILLED),
);
const shows = fc.array(shown, { minLength: 1, maxLength: 5 });
const worlds = fc.record({
  first: fc.constantFrom("own" as const, "machine" as const, undefined),
  before: fc.option(
    fc.record({
      tookMs: fc.constant(1),
      ran: count,
      skipped: fc.option(fc.nat(2), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  isDeciding: fc.boolean(),
  own: shows,
  machine: shows,
});

test("whatever suites show: one look at most is added, and the looks that count are of one network", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { settled, network, looks, counted } = play(world);
      expect(counted.every((each) => each.network === network)).toBe(true);
      const others = looks.filter((each) => !counted.includes(each));
      const isFirst = (each: NetworkedLook) => looks.indexOf(each) === 0;
      if (world.first !== "own") expect(others).toEqual([]);
      // Looks that say nothing may be repeated before they decide anything; besides these, one look is added.
      expect(others.filter(({ verdict }) => verdict !== "unknown").length).toBeLessThanOrEqual(1);
      if (others.length > 0 && network === "machine") expect(others.some(isFirst)).toBe(true);
      // Nothing is green that no look was, and nothing is settled by a network that the session does not have.
      if (settled.kind === "green") expect(counted.at(-1)?.verdict).toBe("green");
      if (world.first === "machine") expect(network).toBe("machine");
    }),
    { numRuns: 2000 },
  );
});

test("whatever suites show: nothing is red for the want of a network, and no licence grows by it", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { settled, network, looks } = play(world);
      if (settled.kind !== "red" || network !== "own") return;
      const withNetwork = looks.filter((each) => each.network !== "own");
      const reds = withNetwork.flatMap((each) => (each.verdict === "red" ? [each] : []));
      // Red without the network was red with it, too, and everything that failed without it failed with it.
      expect(reds.length).toBeGreaterThan(0);
      for (const name of settled.failing ?? []) {
        expect(reds.every(({ failing }) => failing?.includes(name))).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
