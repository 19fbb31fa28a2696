import fc from "fast-check";
import { expect, test } from "vitest";
import { sumOf } from "../../src/session/rules/spend-rows.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import type { TurnUsage } from "../../src/fs-protocol/records/turn-usage.ts";
import { usedByRun } from "../../src/fs-protocol/records/turn-usage.ts";

type Listener = ReturnType<TurnLedger["listener"]>;
type Taken = Extract<Parameters<Listener["onRecord"]>[0], { readonly time: string }>;
type Begin = Extract<Taken, { readonly kind: "turn.begin" }>;
type End = Extract<Taken, { readonly kind: "turn.end" }>;

const START_MS = Date.parse("2026-11-20T12:00:00.000Z");

function at(seconds: number): string {
  return new Date(START_MS + seconds * 1_000).toISOString();
}

function begins(output: string, more: Partial<Begin> = {}): Begin {
  const unit = "build:API:1";
  const common = { purpose: "build", attempt: 1, engine: "claude", m: "API" };
  return { kind: "turn.begin", time: at(0), unit, ...common, output, ...more };
}

function ends(output: string, more: Partial<End> = {}): End {
  const unit = "build:API:1";
  return { kind: "turn.end", time: at(60), unit, output, outcome: "ended", ...more };
}

function ledgerOf(...records: readonly Taken[]): TurnLedger {
  const ledger = new TurnLedger();
  const { onRecord } = ledger.listener("builder");
  for (const record of records) onRecord(record);
  return ledger;
}

const TOKENS = { input: 1_000, output: 100, cached: 400 };

test("a turn is counted by role, milestone, engine, model and attempt", () => {
  const ledger = ledgerOf(
    begins("1"),
    ends("1", { model: "opus", cost: 0.5, tokens: TOKENS }),
    begins("2"),
    ends("2", { model: "opus", cost: 0.25, tokens: TOKENS }),
    begins("3", { m: "UI" }),
    ends("3", { model: "opus", cost: 1, tokens: TOKENS }),
  );
  const of = { role: "builder", engine: "claude", model: "opus", attempt: "build 1" };
  const common = { ...of, unpriced: 0, uncounted: 0, tooLow: 0 };
  expect(ledger.spend).toEqual([
    {
      ...common,
      milestone: "API",
      turns: 2,
      costUsd: 0.75,
      tokens: { input: 2_000, output: 200, cached: 800 },
      durationMs: 120_000,
    },
    { ...common, milestone: "UI", turns: 1, costUsd: 1, tokens: TOKENS, durationMs: 60_000 },
  ]);
});

test("usage that an engine does not report is counted as unknown", () => {
  const { spend } = ledgerOf(begins("1"), ends("1"), begins("2"), ends("2", { cost: 0 }));
  expect(sumOf(spend)).toMatchObject({ turns: 2, unpriced: 1, uncounted: 2, costUsd: 0 });
});

test("a turn without an end counts as one of unknown cost, and is reported as running", () => {
  const ledger = ledgerOf(begins("1", { part: "docs" }));
  expect(sumOf(ledger.spend)).toMatchObject({ turns: 1, unpriced: 1, uncounted: 1 });
  expect(ledger.runningOf("builder")).toMatchObject([{ output: "1", part: "docs" }]);
  expect(ledger.runningOf("tester")).toEqual([]);
});

test("an interrupted turn that was ended later is counted once", () => {
  const { onRecord } = ledgerOf().listener("builder");
  onRecord(begins("1"));
  const ledger = ledgerOf(begins("1"), ends("1", { outcome: "stopped", cost: 0.1 }));
  expect(sumOf(ledger.spend)).toMatchObject({ turns: 1, unpriced: 0, uncounted: 1, costUsd: 0.1 });
  expect(ledger.runningOf("builder")).toEqual([]);
});

test("an end that belongs to no turn, and a second end, count nothing", () => {
  const { spend } = ledgerOf(
    ends("0", { cost: 7 }),
    begins("1"),
    ends("1", { cost: 1 }),
    ends("1", { cost: 1 }),
  );
  expect(sumOf(spend)).toMatchObject({ turns: 1, costUsd: 1 });
});

test("parallel parts are turns of their own, whichever ends first", () => {
  const ledger = ledgerOf(
    begins("1", { part: "docs" }),
    begins("2", { part: "tests" }),
    ends("2", { cost: 2, session: "s2" }),
    ends("1", { cost: 1, session: "s1" }),
  );
  expect(sumOf(ledger.spend)).toMatchObject({ turns: 2, costUsd: 3 });
  expect(ledger.sessionOf("builder", "build:API:1", "docs")?.session).toBe("s1");
  expect(ledger.sessionOf("builder", "build:API:1", "tests")?.session).toBe("s2");
  expect(ledger.sessionOf("builder", "build:API:1")).toBeUndefined();
});

test("a clock that was set back never gives a turn a negative duration", () => {
  const { spend } = ledgerOf(begins("1", { time: at(60) }), ends("1", { time: at(0) }));
  expect(sumOf(spend).durationMs).toBe(0);
});

test.each(["no-session", "context-too-long"] as const)(
  "a session that failed with %s is not resumed",
  (failure) => {
    const ledger = ledgerOf(
      begins("1"),
      ends("1", { session: "s" }),
      begins("2", { resume: "s" }),
      ends("2", { outcome: "failed", failure, session: "s" }),
    );
    expect(ledger.sessionOf("builder", "build:API:1")).toBeUndefined();
  },
);

test("limits of an engine are counted until it ends a turn well", () => {
  const limited: Taken = {
    kind: "limited",
    time: at(1),
    engine: "claude",
    cause: "limited",
    human: 0,
    reason: "",
  };
  const ledger = ledgerOf(limited, { ...limited, time: at(2), until: at(9) });
  expect(ledger.limitsOf("builder", "claude")).toBe(2);
  expect(ledger.limitsOf("builder", "codex")).toBe(0);
  expect(ledger.holds.get("claude")).toMatchObject([{ untilMs: START_MS + 9_000 }]);
  const well = ledgerOf(limited, begins("1"), ends("1"));
  expect(well.limitsOf("builder", "claude")).toBe(0);
});

test("only limits whose end is a guess make the next guess longer", () => {
  const limited = { kind: "limited", engine: "claude", cause: "limited", human: 0 } as const;
  const said: Taken = { ...limited, time: at(1), until: at(9), end: "said", reason: "" };
  const guessed: Taken = { ...limited, time: at(20), until: at(80), end: "guessed", reason: "" };
  expect(ledgerOf(said, guessed, said).limitsOf("builder", "claude")).toBe(1);
  expect(ledgerOf(said).holds.get("claude")).toMatchObject([{ end: "said" }]);
});

test("turns at the same time that fail by the same words count once", () => {
  const held = { kind: "limited", engine: "claude", cause: "limited", human: 0 } as const;
  const words = (from: number, to: number): Taken => ({
    ...{ ...held, time: at(from), until: at(to), end: "guessed" },
    ...{ evidence: "words", reason: "" },
  });
  const counted = (...taken: readonly Taken[]) =>
    ledgerOf(...taken).wordHoldsOf("builder", "claude");
  expect(counted(words(1, 9), words(2, 9), words(3, 9))).toBe(1);
  expect(counted(words(1, 9), words(10, 19), words(20, 29))).toBe(3);
  expect(counted(words(1, 9), words(10, 19), begins("1"), ends("1"))).toBe(0);
  const byStatus: Taken = { ...held, time: at(10), until: at(19), evidence: "status", reason: "" };
  expect(counted(words(1, 9), byStatus, words(20, 29))).toBe(1);
});

test("of several roles each holds an engine by itself", () => {
  const ledger = new TurnLedger();
  for (const role of ["builder", "tester"] as const) {
    const { onRecord } = ledger.listener(role);
    onRecord({ kind: "limited", time: at(1), engine: "x", cause: "auth", human: 0, reason: role });
  }
  expect(ledger.holds.get("x")?.map(({ reason }) => reason)).toEqual(["builder", "tester"]);
});

test("a log that is read again from its start counts nothing twice", () => {
  const ledger = new TurnLedger();
  const { onRecord, onRestart } = ledger.listener("builder");
  const records = [begins("1"), ends("1", { cost: 1, session: "s" }), begins("2")];
  for (const record of records) onRecord(record);
  const before = ledger.spend;
  onRestart();
  expect(ledger.spend).toEqual([]);
  for (const record of records) onRecord(record);
  expect(ledger.spend).toEqual(before);
});

test("memory is bounded: only the sessions of the newest units are kept", () => {
  const records = Array.from({ length: 2_000 }, (_, n): readonly Taken[] => {
    const [output, unit] = [String(n), `commit:${String(n)}`];
    const reported: TurnUsage = { costUsd: n, tokensBasis: "session", costBasis: "session" };
    const session = `s${String(n)}`;
    return [begins(output, { unit }), ends(output, { unit, session, reported })];
  });
  const ledger = ledgerOf(...records.flat());
  const known = records.filter((_, n) => ledger.sessionOf("builder", `commit:${String(n)}`));
  expect(known).toHaveLength(500);
  expect(ledger.sessionOf("builder", "commit:1999")?.session).toBe("s1999");
  expect(ledger.reportedBy("builder", { engine: "claude", session: "s0" })).toBeUndefined();
  expect(sumOf(ledger.spend).turns).toBe(2_000);
});

test("the turns of an engine session add up to what the engine reported last", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(steps, (costs) => {
      const ledger = new TurnLedger();
      const { onRecord } = ledger.listener("builder");
      let sum = 0;
      for (const [n, cost] of costs.entries()) {
        sum += cost;
        const tokens = { input: sum, output: sum, cached: 0 };
        const reported: TurnUsage = {
          ...{ costUsd: sum / 100, tokens },
          ...{ tokensBasis: "session", costBasis: "session" },
        };
        const known = ledger.reportedBy("builder", { engine: "claude", session: "s" });
        const used = usedByRun(reported, n === 0 ? undefined : { usage: known });
        const resume = n === 0 ? undefined : "s";
        onRecord(begins(String(n), { resume }));
        const spent = { cost: used.costUsd, tokens: used.tokens };
        onRecord(ends(String(n), { session: "s", reported, ...spent }));
      }
      const total = sumOf(ledger.spend);
      expect(total).toMatchObject({ turns: costs.length, unpriced: 0, uncounted: 0 });
      expect(total.tokens).toEqual({ input: sum, output: sum, cached: 0 });
      expect(total.costUsd).toBeCloseTo(sum / 100, 6);
    }),
  );
});

test("whatever comes in whatever order, each begun turn is counted once", () => {
  const output = fc.constantFrom("1", "2", "3", "4");
  const record = fc.oneof(
    output.map((name) => begins(name)),
    fc
      .tuple(output, fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }))
      .map(([name, cost]) => ends(name, { cost })),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 40 }), (records) => {
      // No two turns have the same output: a second begin with it is the same record, read again.
      const fresh = records.filter(
        (one, at) =>
          one.kind === "turn.end" ||
          records.findIndex((other) => other.kind === one.kind && other.output === one.output) ===
            at,
      );
      const total = sumOf(ledgerOf(...fresh).spend);
      expect(total.turns).toBe(fresh.filter(({ kind }) => kind === "turn.begin").length);
      expect(total.unpriced).toBeLessThanOrEqual(total.turns);
    }),
  );
});

test("refusals of only the last attempt at a unit are reported, part by part", () => {
  const begin = (output: string, attempt: number, part: string) =>
    begins(output, { attempt, part, engine: "copilot" });
  const first = [
    begin("1", 1, "docs"),
    ends("1", { denied: 1, refused: "view on …/a" }),
    begin("2", 1, "tests"),
    ends("2", { denied: 2 }),
  ];
  const unit = "build:API:1";
  expect(ledgerOf(...first).refusalsOf("builder", unit)).toEqual([
    { engine: "copilot", denied: 1, refused: "view on …/a" },
    { engine: "copilot", denied: 2, refused: "" },
  ]);
  const second = ledgerOf(...first, begin("3", 2, "docs"), ends("3"));
  expect(second.refusalsOf("builder", unit)).toEqual([]);
  expect(second.lastOf("builder")).toEqual({ unit, outcome: "ended", refusals: undefined });
  expect(second.refusalsOf("builder", "build:API:9")).toEqual([]);
  expect(second.lastOf("tester")).toBeUndefined();
});

test("a conversation in which the engine read nothing is not resumed", () => {
  const ended = { outcome: "failed", failure: "unseen", session: "s-1" } as const;
  const ledger = ledgerOf(begins("1"), ends("1", ended));
  expect(ledger.sessionOf("builder", "build:API:1")).toBeUndefined();
  expect(ledger.endingsOf("builder", "build:API:1")).toHaveLength(1);
});

test("tokens of a resumed turn over ACP that an older wisp subtracted are counted as too low, and those since are not", () => {
  const low = (tokensBasis: "session" | "run", more: Partial<Begin> = { resume: "s" }) => {
    const reported = { tokens: TOKENS, tokensBasis, costBasis: "session" } as const;
    const of = { engine: "acp", ...more };
    const { spend } = ledgerOf(begins("1", of), ends("1", { tokens: TOKENS, reported }));
    return sumOf(spend).tooLow;
  };
  expect([low("session"), low("run"), low("session", {})]).toEqual([1, 0, 0]);
  expect(low("session", { resume: "s", engine: "codex" })).toBe(0);
});
