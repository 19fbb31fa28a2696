import { expect, test } from "vitest";
import { costRows, spentWords } from "../../src/views/cost/cost-rows.ts";
import { costView } from "../../src/views/cost/cost-view.ts";
import type { CostBy } from "../../src/base/choices.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import type { Budget } from "../../src/fs-protocol/home/budget.ts";
import type { CommonRecord } from "../../src/fs-protocol/records/common-records.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import { factsOf } from "../cli/session-states.ts";

const TIME = "2026-11-20T12:00:00.000Z";
const END = "2026-11-20T12:01:30.000Z";
const ENGINES = { planner: [], builder: [], reviewer: [], tester: [] };

interface Turn {
  readonly role?: "planner" | "builder";
  readonly m?: string;
  readonly model?: string;
  readonly cost?: number;
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached: number };
  readonly isOpen?: boolean;
}

function stateOf(
  turns: readonly Turn[],
  session: Budget = {},
  milestone: Budget = {},
): SessionState {
  const facts = new TurnLedger();
  for (const [n, { role = "builder", m, model, cost, tokens, isOpen = false }] of turns.entries()) {
    const { onRecord } = facts.listener(role);
    const common = { time: TIME, unit: "u", output: String(n) };
    const begin = { kind: "turn.begin", purpose: "build", attempt: 1, engine: "claude" } as const;
    onRecord({ ...begin, ...common, m } satisfies CommonRecord);
    const end = { kind: "turn.end", ...common, time: END, outcome: "ended" } as const;
    if (!isOpen) onRecord({ ...end, model, cost, tokens } satisfies CommonRecord);
  }
  const { state } = factsOf({});
  return { ...state, turns: { facts, engines: ENGINES, budget: { session, milestone } } };
}

const TOKENS = { input: 12_000, output: 345, cached: 8_000 };
const KNOWN: Turn = { m: "API", cost: 0.5, tokens: TOKENS, model: "opus" };

function text(state: SessionState, by: CostBy = "role"): string {
  return plainText(costRows(costView("api", state, by)));
}

test("shows a table by role with the total", () => {
  expect(text(stateOf([{ ...KNOWN, role: "planner" }, KNOWN, KNOWN]))).toBe(
    [
      "         turns  input  output  cached      cost  duration",
      "planner      1  12.0k     345    8.0k  0.50 USD    1m 30s",
      "builder      2  24.0k     690   16.0k  1.00 USD     3m 0s",
      "total        3  36.0k    1.0k   24.0k  1.50 USD    4m 30s",
    ].join("\n"),
  );
});

test("unknown cost and tokens are shown as unknown, never as 0", () => {
  const shown = text(stateOf([{}, {}, { ...KNOWN, role: "planner" }, { role: "planner" }]));
  expect(shown).toMatch(/^builder +2 +unknown +unknown +unknown +unknown +3m 0s$/mu);
  expect(shown).toMatch(/^planner +2 +12\.0k\+\? +345\+\? +8\.0k\+\? +0\.50 USD\+\? +3m 0s$/mu);
  expect(shown).toContain("3 turns with unknown cost, 3 turns with unknown tokens");
  expect(shown).not.toMatch(/\b0\.00 USD/u);
  const view = costView("api", stateOf([{}]), "role");
  expect(view.total.costUsd).toBeUndefined();
  expect(JSON.parse(JSON.stringify(view))).toMatchObject({ total: { turnsOfUnknownCost: 1 } });
});

test("shows a known cost of 0 as 0, and one below a cent as less than a cent", () => {
  expect(text(stateOf([{ cost: 0, tokens: TOKENS }]))).toContain("0.00 USD");
  expect(text(stateOf([{ cost: 0.001, tokens: TOKENS }]))).toContain("< 0.01 USD");
});

test("counts a turn that has not ended separately", () => {
  expect(text(stateOf([KNOWN, { isOpen: true }]))).toContain(
    "1 turn with unknown cost, 1 turn with unknown tokens; 1 turn of these not yet ended",
  );
});

test("groups by milestone and by model, with unnamed ones last", () => {
  const state = stateOf([KNOWN, { ...KNOWN, m: "UI\u001b[31m", model: "haiku" }, {}]);
  const names = costView("api", state, "milestone").rows.map(({ name }) => name);
  expect(names).toEqual(["API", "UI\u001b[31m", undefined]);
  expect(text(state, "milestone")).toMatch(/^UI +1/mu);
  expect(text(state, "milestone")).toMatch(/^\(no milestone\) +1/mu);
  expect(text(state, "model")).toMatch(/^\(not reported\) +1/mu);
});

test("shows budgets of the session and each milestone as used of allowed", () => {
  const shown = text(stateOf([KNOWN, KNOWN], { turns: 2, tokens: 50_000 }, { usd: 5 }));
  expect(shown).toContain("budget: 2 turns of 2 turns, used up");
  expect(shown).toContain("budget: 24.7k tokens of 50.0k tokens");
  expect(shown).toContain('budget of milestone "API": 1.00 USD of 5.00 USD');
});

test("a budget in dollars says how many turns it does not count", () => {
  const shown = text(stateOf([KNOWN, {}, {}], { usd: 5, turns: 9 }));
  expect(shown).toContain(
    "budget: 0.50 USD of 5.00 USD\n  not counted: 2 turns for which the engine reported no cost",
  );
  expect(shown).toContain("budget: 3 turns of 9 turns");
});

test("says that a session has had no turns", () => {
  expect(text(stateOf([]))).toBe("api has had no turns yet.");
});

test("a status has one line about usage", () => {
  const facts = factsOf({});
  const used = { ...facts, state: stateOf([KNOWN, {}]) };
  expect(plainText(statusRows(statusView(used)))).toContain(
    "\nUsed 2 turns, more than 12.3k tokens, 0.50 USD; the cost of 1 turn not reported by the engine\n",
  );
  expect(plainText(statusRows(statusView(facts)))).not.toContain("Used");
  expect(statusView(facts).spent).toMatchObject({ turns: 0, costUsd: 0 });
  expect(spentWords(statusView({ ...facts, state: stateOf([{}]) }).spent)).toBe(
    "1 turn; tokens and cost not reported by the engine",
  );
});

test("says how many turns have too few tokens, as an older wisp counted them", () => {
  const facts = new TurnLedger();
  const { onRecord } = facts.listener("builder");
  const common = { time: TIME, unit: "u", output: "1" };
  const begin = { kind: "turn.begin", purpose: "build", attempt: 1, engine: "acp" } as const;
  onRecord({ ...begin, ...common, resume: "s" } satisfies CommonRecord);
  const reported = { tokens: TOKENS, tokensBasis: "session", costBasis: "session" } as const;
  const end = { kind: "turn.end", ...common, time: END, outcome: "ended" } as const;
  onRecord({ ...end, tokens: TOKENS, reported } satisfies CommonRecord);
  const { state } = factsOf({});
  const shown = text({
    ...state,
    turns: { facts, engines: ENGINES, budget: { session: {}, milestone: {} } },
  });
  expect(shown).toContain("1 turn over ACP with too few tokens: recorded by an older wisp");
  expect(text(stateOf([KNOWN]))).not.toContain("too few");
});
