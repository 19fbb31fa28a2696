import type { BudgetUse, CostView, Spent, SpentBy } from "./cost-view.ts";
import { quoted } from "../../workspace/session/describe-unit.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { takeCells } from "../rows/cells.ts";
import { inBlocks, plainText, row, span, type Row } from "../rows/row.ts";
import { table } from "../rows/table.ts";
import { count, sentence } from "../../base/words/sentence.ts";

/** The columns of a table of costs. */
export const AMOUNTS = ["turns", "input", "output", "cached", "cost", "duration"];

/** A table of what a session used, and how much of its budget that is. */
export function costRows(view: CostView): readonly Row[] {
  if (view.total.turns === 0) return [row(`${view.session} has had no turns yet.`)];
  const cells = [
    ["", ...AMOUNTS],
    ...view.rows.map((one) => [nameOf(one, view.by), ...amountCells(one)]),
    ...(view.rows.length > 1 ? [["total", ...amountCells(view.total)]] : []),
  ];
  const [head = [], ...rows] = table(cells, [{}, ...AMOUNTS.map(() => ({ isRight: true }))]);
  return inBlocks([
    [row(span("faint", plainText([head]))), ...rows],
    unknownLines(view).map((line) => row(line)),
    view.budget.flatMap(budgetRows),
  ]);
}

/** `12 turns, 1.2M tokens, 3.20 USD; the cost of 3 turns not reported by the engine`. */
export function spentWords(spent: Spent): string {
  const { turns, tokens, costUsd, turnsOfUnknownTokens, turnsOfUnknownCost } = spent;
  const counted = tokens && shortNumber(tokens.input + tokens.output);
  const more = counted !== undefined && turnsOfUnknownTokens > 0 ? "more than " : "";
  const known = [
    count(turns, "turn"),
    ...(counted === undefined ? [] : [`${more}${counted} tokens`]),
    ...(costUsd === undefined ? [] : [usdWords(costUsd)]),
  ];
  const missing = [
    ...(counted === undefined ? ["tokens"] : []),
    ...(costUsd === undefined ? ["cost"] : []),
    ...(costUsd !== undefined && turnsOfUnknownCost > 0
      ? [`the cost of ${count(turnsOfUnknownCost, "turn")}`]
      : []),
  ];
  const unknown =
    missing.length === 0 ? "" : `; ${missing.join(" and ")} not reported by the engine`;
  return `${known.join(", ")}${unknown}`;
}

/** The usage of one turn: `1.2k tokens, 0.05 USD`. */
export function turnWords(tokens: Spent["tokens"], costUsd: number | undefined): string {
  const counted = tokens && `${shortNumber(tokens.input + tokens.output)} tokens`;
  const cost = costUsd === undefined ? "cost unknown" : usdWords(costUsd);
  return `${counted ?? "tokens unknown"}, ${cost}`;
}

/** The name of a row of a table of costs. */
export function nameOf({ name }: SpentBy, by: CostView["by"]): string {
  if (name === undefined) return by === "milestone" ? "(no milestone)" : "(not reported)";
  return takeCells(sentence("plain", name).text, NAME_CELLS_MAX);
}

const NAME_CELLS_MAX = 40;

/** The cells of one row, in the order of `AMOUNTS`. */
export function amountCells(spent: Spent): readonly string[] {
  const { turns, tokens, turnsOfUnknownTokens, durationMs } = spent;
  const part = turnsOfUnknownTokens > 0 ? "+?" : "";
  const tokenCell = (of: "input" | "output" | "cached") =>
    tokens === undefined ? "unknown" : `${shortNumber(tokens[of])}${part}`;
  return [
    String(turns),
    tokenCell("input"),
    tokenCell("output"),
    tokenCell("cached"),
    costCell(spent),
    formatDuration(durationMs),
  ];
}

function costCell({ costUsd, turnsOfUnknownCost }: Spent): string {
  if (costUsd === undefined) return "unknown";
  return `${usdWords(costUsd)}${turnsOfUnknownCost > 0 ? "+?" : ""}`;
}

function unknownLines(view: CostView): readonly string[] {
  const { turnsOfTooFewTokens = 0 } = view.total;
  const tooFew =
    turnsOfTooFewTokens === 0
      ? []
      : [
          `${count(turnsOfTooFewTokens, "turn")} over ACP with too few tokens: recorded by an older wisp, which counted them wrong`,
        ];
  return [...unreportedLines(view), ...tooFew];
}

function unreportedLines({ total, open }: CostView): readonly string[] {
  const { turnsOfUnknownCost, turnsOfUnknownTokens } = total;
  const turns = Math.max(turnsOfUnknownCost, turnsOfUnknownTokens);
  if (turns === 0) return [];
  const counts = [
    ...(turnsOfUnknownCost === 0 ? [] : [`${count(turnsOfUnknownCost, "turn")} with unknown cost`]),
    ...(turnsOfUnknownTokens === 0
      ? []
      : [`${count(turnsOfUnknownTokens, "turn")} with unknown tokens`]),
  ].join(", ");
  return [open === 0 ? counts : `${counts}; ${count(open, "turn")} of these not yet ended`];
}

/** `5 turns of 42 turns (2 turns + 40 turns granted by words)`. */
function budgetWords({ of, used, allowed, own, shares }: BudgetUse): string {
  const sources = shares.map(({ session, amount }) =>
    amount < 0
      ? ` - ${amountWords(of, -amount)} given to ${session}`
      : ` + ${amountWords(of, amount)} granted by ${session}`,
  );
  const from = sources.length === 0 ? "" : ` (${amountWords(of, own)}${sources.join("")})`;
  return `${amountWords(of, used)} of ${amountWords(of, allowed)}${from}`;
}

/** The limits of a session in one line; empty if it has none. */
export function budgetsLine(uses: readonly BudgetUse[] = []): string {
  return sentence("plain", uses.map(budgetWords).join("; ")).text;
}

function budgetRows(use: BudgetUse): readonly Row[] {
  const { milestone, of, used, allowed, unseenTurns } = use;
  const whose = milestone === undefined ? "budget" : `budget of milestone ${quoted(milestone)}`;
  const line = `${whose}: ${budgetWords(use)}`;
  const shown = sentence("plain", line).text;
  const head = used >= allowed ? span("ask", `${shown}, used up`) : shown;
  if (unseenTurns === 0) return [row(head)];
  const unseen = `not counted: ${count(unseenTurns, "turn")} for which the engine reported no`;
  return [row(head), row(span("ask", `  ${unseen}${of === "usd" ? " cost" : " tokens"}`))];
}

function amountWords(of: BudgetUse["of"], value: number): string {
  switch (of) {
    case "usd":
      return usdWords(value);
    case "turns":
      return count(value, "turn");
    case "tokens":
      return `${shortNumber(value)} tokens`;
    case "durationMs":
      return `${formatDuration(value)} of turns`;
  }
}

const CENT = 0.01;

/** An amount in whole cents. An amount below half a cent but above zero shows as `< 0.01 USD`. */
function usdWords(usd: number): string {
  return usd > 0 && usd < CENT / 2 ? "< 0.01 USD" : `${usd.toFixed(2)} USD`;
}

/** `950`, `12.3k`, `4.56M`. */
function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 999_950) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(2)}M`;
}
