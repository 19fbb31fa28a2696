import fc from "fast-check";
import { expect, test } from "vitest";
import type { Budget } from "../../src/fs-protocol/home/budget.ts";
import { EMPTY_HUMAN, foldHuman } from "../../src/session/state/fold-human.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { SpendRow } from "../../src/session/rules/spend-rows.ts";
import type { EngineHold } from "../../src/session/state/role-turns.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import { budgets, engineFor, turnHold, type TurnView } from "../../src/session/steps/turn-gate.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00.000Z");
const MINUTE_MS = 60_000;
const TIME = "2026-11-20T11:00:00.000Z";

interface Given {
  readonly engines?: readonly string[];
  /** That of the role's first engine. */
  readonly model?: string;
  readonly holds?: Readonly<Record<string, readonly Partial<EngineHold>[]>>;
  readonly human?: readonly HumanRecord[];
  readonly session?: Budget;
  readonly milestone?: Budget;
  readonly spend?: readonly Partial<SpendRow>[];
}

const HOLD: EngineHold = {
  engine: "claude",
  cause: "limited",
  untilMs: NOW_MS + MINUTE_MS,
  sinceMs: NOW_MS - MINUTE_MS,
  human: 0,
  reason: "at its limit",
};
const ROW: SpendRow = {
  role: "builder",
  milestone: "API",
  engine: "claude",
  model: undefined,
  attempt: "build 1",
  turns: 1,
  unpriced: 0,
  uncounted: 0,
  tooLow: 0,
  costUsd: 0.5,
  tokens: { input: 900, output: 100, cached: 500 },
  durationMs: MINUTE_MS,
};

function view(given: Given): TurnView {
  const { engines = ["claude"], holds = {}, human = [], session = {}, milestone = {} } = given;
  const { model } = given;
  const held = Object.entries(holds).map(
    ([engine, each]) => [engine, each.map((hold) => ({ ...HOLD, engine, ...hold }))] as const,
  );
  const known = new TurnLedger();
  return {
    facts: {
      spend: (given.spend ?? []).map((row) => ({ ...ROW, ...row })),
      holds: new Map(held),
      sessionOf: (role, unit, part) => known.sessionOf(role, unit, part),
      reportedBy: (role, of) => known.reportedBy(role, of),
      limitsOf: () => 0,
      wordHoldsOf: () => 0,
      runningOf: () => [],
      endingsOf: () => [],
      refusalsOf: () => [],
      lastOf: () => undefined,
    },
    engines: { planner: engines, builder: engines, reviewer: engines, tester: engines },
    models: { planner: model, builder: model, reviewer: model, tester: model },
    budget: { session, milestone },
    human: human.reduce(foldHuman, EMPTY_HUMAN),
  };
}

const resumes: HumanRecord = { kind: "resume", time: TIME };
const restarts: HumanRecord = { kind: "restart", time: TIME, role: "tester" };
const pauses: HumanRecord = { kind: "pause", time: TIME };

function engineIn(given: Given, nowMs = NOW_MS) {
  const found = engineFor(view(given), { role: "builder" }, nowMs);
  return "kind" in found ? found : found.engine;
}

function holdIn(given: Given, milestone: string | undefined = "API") {
  return turnHold(view(given), { role: "builder", milestone }, NOW_MS);
}

test("the first engine is asked, and those after it in their order while it is held", () => {
  const engines = ["claude", "codex", "gemini"];
  expect(engineIn({ engines })).toBe("claude");
  expect(engineIn({ engines, holds: { claude: [{}] } })).toBe("codex");
  expect(engineIn({ engines, holds: { codex: [{}] } })).toBe("claude");
  expect(engineIn({ engines, holds: { claude: [{}], codex: [{}] } })).toBe("gemini");
});

test("an engine that a turn asks for comes before the role's, unless it is held", () => {
  const asked = (given: Given) =>
    engineFor(view(given), { role: "builder", engine: "gemini" }, NOW_MS);
  expect(asked({ engines: ["claude"] })).toMatchObject({ engine: "gemini" });
  expect(asked({ engines: ["claude"], holds: { gemini: [{}] } })).toMatchObject({
    engine: "claude",
  });
});

test("a limit of one model leaves the engine's other models, and the replacements come after those", () => {
  const held = { model: { asked: "opus" } };
  const asked = (wanted: { model?: string; engine?: string }, given: Given) =>
    engineFor(view(given), { role: "builder", ...wanted }, NOW_MS);
  const given = { engines: ["claude", "codex"], model: "sonnet", holds: { claude: [held] } };
  expect(asked({}, given)).toEqual({ engine: "claude", model: "sonnet" });
  expect(asked({ model: "haiku" }, given)).toEqual({ engine: "claude", model: "haiku" });
  // With its usual model, if that is free; then with another engine.
  expect(asked({ model: "opus" }, given)).toEqual({ engine: "claude", model: "sonnet" });
  const usual = { ...given, model: "opus" };
  expect(asked({}, usual)).toEqual({ engine: "codex", model: undefined });
  expect(asked({ model: "haiku" }, usual)).toEqual({ engine: "claude", model: "haiku" });
  expect(asked({}, { ...usual, engines: ["claude"] })).toMatchObject({
    ...{ kind: "engine", engine: "claude", model: { asked: "opus" } },
  });
  // A limit of the whole engine counts for each of its models.
  const all = { ...usual, engines: ["claude"], holds: { claude: [held, {}] } };
  expect(asked({ model: "haiku" }, all)).toMatchObject({ kind: "engine" });
});

test("a limit of the engine's own choice of a model concerns turns that name none", () => {
  const holds = { claude: [{ model: { asked: undefined } }] };
  const asked = (model?: string) =>
    engineFor(
      view({ holds }),
      { role: "builder", ...(model === undefined ? {} : { model }) },
      NOW_MS,
    );
  expect(asked("opus")).toEqual({ engine: "claude", model: "opus" });
  expect(asked()).toMatchObject({ kind: "engine", model: { asked: undefined } });
});

test("if all engines are held, the role waits for the one that is free first", () => {
  const held = engineIn({
    engines: ["claude", "codex", "gemini"],
    holds: {
      claude: [{ cause: "auth", untilMs: undefined }],
      codex: [{ untilMs: NOW_MS + 9 * MINUTE_MS }],
      gemini: [{ untilMs: NOW_MS + 10 * MINUTE_MS }],
    },
  });
  expect(held).toMatchObject({ kind: "engine", engine: "codex", untilMs: NOW_MS + 9 * MINUTE_MS });
});

test("of several holds on one engine the longest counts", () => {
  const untilMs = NOW_MS + 30 * MINUTE_MS;
  const held = engineIn({ holds: { claude: [{}, { untilMs }, {}] } });
  expect(held).toMatchObject({ untilMs });
  const login = engineIn({
    holds: { claude: [{ untilMs }, { cause: "auth", untilMs: undefined }] },
  });
  expect(login).toMatchObject({ cause: "auth", untilMs: undefined });
});

test("a hold ends with its time", () => {
  const holds = { claude: [{}] };
  expect(engineIn({ holds }, NOW_MS + MINUTE_MS - 1)).toMatchObject({ kind: "engine" });
  expect(engineIn({ holds }, NOW_MS + MINUTE_MS)).toBe("claude");
});

test.each([
  ["a resume", resumes],
  ["a restart of any role", restarts],
])("%s that came after it lifts a hold, of whatever kind", (_, record) => {
  const holds = { claude: [{ cause: "auth", untilMs: undefined }, {}] } as const;
  expect(engineIn({ holds, human: [record] })).toBe("claude");
  const seen = { claude: [{ cause: "auth", untilMs: undefined, human: 1 }] } as const;
  expect(engineIn({ holds: seen, human: [record] })).toMatchObject({ cause: "auth" });
  expect(engineIn({ holds, human: [pauses] })).toMatchObject({ cause: "auth" });
});

test("resuming after a stop ends a hold for a login, but not for a limit", () => {
  const stops: HumanRecord = { kind: "stop", time: TIME };
  const limited = { claude: [{}] };
  const login = { claude: [{ cause: "auth", untilMs: undefined }] } as const;
  expect(engineIn({ holds: limited, human: [stops, resumes] })).toMatchObject({ cause: "limited" });
  expect(engineIn({ holds: limited, human: [stops, resumes, resumes] })).toBe("claude");
  expect(engineIn({ holds: login, human: [stops, resumes] })).toBe("claude");
});

test("a clock that was set back ends a hold, but a small difference does not", () => {
  const holds = { claude: [{ sinceMs: NOW_MS, untilMs: NOW_MS + 24 * 60 * MINUTE_MS }] };
  expect(engineIn({ holds }, NOW_MS - MINUTE_MS)).toMatchObject({ kind: "engine" });
  expect(engineIn({ holds }, NOW_MS - MINUTE_MS - 1)).toBe("claude");
});

test.each([
  ["usd", { usd: 1 }, 1, 1],
  ["turns", { turns: 2 }, 2, 2],
  ["tokens", { tokens: 1_500 }, 2_000, 1_500],
  ["durationMs", { durationMs: MINUTE_MS }, 2 * MINUTE_MS, MINUTE_MS],
] as const)("a budget of %s that is used up holds every turn", (of, session, used, allowed) => {
  const spend = [{}, { milestone: "UI" }];
  const held = { kind: "budget", milestone: undefined, of, used, allowed };
  expect(holdIn({ session, spend })).toEqual(held);
  expect(holdIn({ session, spend }, undefined)).toEqual(held);
  expect(holdIn({ session, spend: [] })).toBeUndefined();
});

test("the budget of a milestone holds turns of that milestone alone", () => {
  const given = { milestone: { turns: 2 }, spend: [{ turns: 2 }, { milestone: "UI" }] };
  expect(holdIn(given, "API")).toMatchObject({ milestone: "API", of: "turns", used: 2 });
  expect(holdIn(given, "UI")).toBeUndefined();
  expect(turnHold(view(given), { role: "planner", milestone: undefined }, NOW_MS)).toBeUndefined();
});

test("what a person sets later counts, limit by limit", () => {
  const human: readonly HumanRecord[] = [
    { kind: "budget", time: TIME, of: "session", limits: { turns: 9 } },
    { kind: "budget", time: TIME, of: "milestone", limits: { usd: 3 } },
    { kind: "budget", time: TIME, of: "session", limits: { turns: 10 } },
  ];
  const given = { session: { turns: 2, usd: 5 }, human };
  expect(budgets(view(given))).toEqual({
    session: { turns: 10, usd: 5 },
    milestone: { usd: 3 },
  });
  expect(holdIn({ ...given, spend: [{ turns: 9, costUsd: 1 }] })).toBeUndefined();
  expect(holdIn({ ...given, spend: [{ turns: 10, costUsd: 1 }] })).toMatchObject({ of: "turns" });
});

test("turns of unknown cost do not use up dollars, but turns", () => {
  const spend = [{ turns: 50, unpriced: 50, costUsd: 0 }];
  expect(holdIn({ session: { usd: 0.01 }, spend })).toBeUndefined();
  expect(holdIn({ session: { usd: 0.01, turns: 50 }, spend })).toMatchObject({ of: "turns" });
});

test("a used-up budget is reported before a held engine, because time alone does not end it", () => {
  const given = { holds: { claude: [{}] }, session: { turns: 1 }, spend: [{}] };
  expect(holdIn(given)).toMatchObject({ kind: "budget" });
  expect(holdIn({ ...given, spend: [] })).toMatchObject({ kind: "engine", engine: "claude" });
});

test("a larger budget never holds a turn that a smaller one allows", () => {
  const rows = fc.array(
    fc.record({
      milestone: fc.constantFrom("API", "UI"),
      turns: fc.integer({ min: 1, max: 5 }),
      costUsd: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 6 },
  );
  const limit = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(rows, limit, limit, (spend, one, more) => {
      const [less, most] = [Math.min(one, more), Math.max(one, more)];
      const isFree = (turns: number) =>
        holdIn({ spend, session: { turns, usd: turns }, milestone: { turns } }) === undefined;
      if (isFree(less)) expect(isFree(most)).toBe(true);
    }),
  );
});
