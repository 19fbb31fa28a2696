import fc from "fast-check";
import { expect, test } from "vitest";
import { budgetOf, parseBudget } from "../../src/settings/schema/budget-setting.ts";
import { configProblemSentence } from "../../src/settings/config/config-problem.ts";
import { loadConfig } from "../../src/settings/config/load-config.ts";

function problemsOf(text: string): readonly string[] {
  const loaded = loadConfig(text);
  return loaded.ok ? [] : loaded.failure.problems.map(configProblemSentence);
}

test("reads a budget from command-line words", () => {
  expect(parseBudget("usd=5,turns=200,tokens=2M,duration=4h")).toEqual({
    ok: true,
    value: { usd: 5, turns: 200, tokens: 2_000_000, durationMs: 4 * 3_600_000 },
  });
  expect(parseBudget(" usd=2.50 , tokens=1.5k ")).toEqual({
    ok: true,
    value: { usd: 2.5, tokens: 1_500 },
  });
});

test("reads the same budget from the settings, for the session and for each milestone", () => {
  const loaded = loadConfig(
    "budget: { usd: 5, tokens: 500k, milestone: { turns: 20, duration: 1h } }\n",
  );
  expect(loaded).toMatchObject({ ok: true });
  if (!loaded.ok) return;
  const { milestone, ...session } = loaded.value.budget;
  expect(budgetOf(session)).toEqual({ usd: 5, tokens: 500_000 });
  expect(budgetOf(milestone)).toEqual({ turns: 20, durationMs: 3_600_000 });
});

test.each([
  ["turns=0", "turns: expected a whole number of turns, from 1"],
  ["turns=1.5", "turns: expected a whole number of turns, from 1"],
  ["usd=0", "usd: expected an amount of US dollars such as 5 or 2.50, above 0"],
  ["usd=-1", "usd: expected an amount of US dollars such as 5 or 2.50, above 0"],
  ["tokens=2G", "tokens: expected a number of tokens such as 500000, 500k or 2M, from 1"],
  ["tokens=0.0001k", "tokens: expected a number of tokens such as 500000, 500k or 2M, from 1"],
  [
    "duration=4d",
    "duration: expected a duration such as 10m, 30s, 1h, or a number of milliseconds, up to a week",
  ],
  ["", '"": expected limits such as usd=5,turns=200,tokens=2M,duration=4h'],
  ["200", '"200": expected limits such as usd=5,turns=200,tokens=2M,duration=4h'],
  ["eur=5", '"eur" is not a limit: expected limits such as usd=5,turns=200,tokens=2M,duration=4h'],
  [
    "usd=5,usd=6",
    "usd is given twice: expected limits such as usd=5,turns=200,tokens=2M,duration=4h",
  ],
  ["__proto__=5", '"__proto__=5": expected limits such as usd=5,turns=200,tokens=2M,duration=4h'],
])("refuses %s and says what was expected", (text, problem) => {
  expect(parseBudget(text)).toEqual({ ok: false, failure: problem });
});

test("reports invalid limits in the settings with their lines", () => {
  expect(problemsOf("budget: { turns: none }")[0]).toContain("a whole number of turns, from 1");
  expect(problemsOf("budget: { milestone: { usd: -1 } }")[0]).toContain("an amount of US dollars");
  expect(problemsOf("budget: { turn: 5 }")[0]).toContain("turns");
});

test("any text gives a usage error or limits above 0", () => {
  const part = fc.tuple(
    fc.constantFrom("usd", "turns", "tokens", "duration", "x", ""),
    fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)),
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 5 }).map((parts) => parts.map(([n, v]) => `${n}=${v}`).join(",")),
  );
  fc.assert(
    fc.property(text, (words) => {
      const parsed = parseBudget(words);
      if (!parsed.ok) return;
      for (const value of Object.values(parsed.value)) expect(value).toBeGreaterThan(0);
    }),
  );
});
