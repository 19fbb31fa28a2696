import { z } from "zod";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { Duration } from "./duration.ts";

const USD = "an amount of US dollars such as 5 or 2.50, above 0";
const TURNS = "a whole number of turns, from 1";
const TOKENS = "a number of tokens such as 500000, 500k or 2M, from 1";
const AMOUNT_MAX = 1_000_000;
const TOKENS_MAX = 1_000_000_000_000;

const FACTORS = { k: 1_000, M: 1_000_000 } as const;

/**
 * A number of thousands or millions, from one token to `TOKENS_MAX`. The limits are in the pattern, so that the
 * published JSON Schema has them, too.
 */
const SHORT_TOKENS =
  /^(?:(?!0+(?:\.0{1,2}|\.000\d*)?k$)\d{1,9}(?:\.\d{1,6})?k|(?!0+(?:\.0+)?M$)(?:0{0,3}\d{1,6}(?:\.\d{1,6})?|0{0,2}1000000(?:\.0{1,6})?)M)$/;

const Tokens = z.union(
  [
    z
      .int()
      .min(1, { error: TOKENS })
      .max(TOKENS_MAX, { error: TOKENS })
      .describe("A number of tokens."),
    z
      .string()
      .regex(SHORT_TOKENS, { error: TOKENS })
      .transform(tokensOf)
      .describe("A number with k for thousands, or M for millions."),
  ],
  { error: TOKENS },
);

/** `500k` as a number; fractions of a token are dropped. */
function tokensOf(text: string): number {
  const factor = text.endsWith("k") ? FACTORS.k : FACTORS.M;
  return Math.floor(Number(text.slice(0, -1)) * factor);
}

/** The schema of a budget's limits; `of` names what they apply to. */
export function budgetLimits(of: string) {
  return {
    usd: z
      .number({ error: USD })
      .positive({ error: USD })
      .max(AMOUNT_MAX, { error: USD })
      .optional()
      .describe(`US dollars for ${of}, as far as the engines report their cost.`),
    turns: z
      .int({ error: TURNS })
      .min(1, { error: TURNS })
      .max(AMOUNT_MAX, { error: TURNS })
      .optional()
      .describe(`Turns for ${of}, of all roles.`),
    tokens: Tokens.optional().describe(
      `Tokens for ${of}, input and output, cached ones included, as far as the engines report them.`,
    ),
    duration: Duration.optional().describe(`Total duration of all turns for ${of}.`),
  };
}

const Written = z.strictObject(budgetLimits("one"));
type Written = z.infer<typeof Written>;

/** A budget as sessions store it. */
export function budgetOf({ usd, turns, tokens, duration }: Written): Budget {
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(turns === undefined ? {} : { turns }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(duration === undefined ? {} : { durationMs: duration }),
  };
}

const FORM = "expected limits such as usd=5,turns=200,tokens=2M,duration=4h";

/**
 * Parses a budget from a command line: `usd=5,turns=200`. The failure describes what is wrong with
 * it.
 */
export function parseBudget(text: string): Result<Budget, string> {
  const written = new Map<string, unknown>();
  for (const part of text.split(",")) {
    const [, name, value] = /^\s*([a-z]+)=(\S+)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return fail(`${shown(part)}: ${FORM}`);
    if (!Object.hasOwn(Written.shape, name)) return fail(`${shown(name)} is not a limit: ${FORM}`);
    if (written.has(name)) return fail(`${name} is given twice: ${FORM}`);
    written.set(name, /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value);
  }
  const parsed = Written.safeParse(Object.fromEntries(written));
  if (parsed.success) return ok(budgetOf(parsed.data));
  const [issue] = parsed.error.issues;
  return fail(`${String(issue?.path[0])}: expected ${issue?.message ?? FORM}`);
}

function shown(text: string): string {
  return JSON.stringify(cleanText(text, { charsMax: 60, lines: "one" }));
}
