import { padCells } from "../views/rows/cells.ts";
import { row, span, type Row, type Span } from "../views/rows/row.ts";
import type { RoleFacts } from "../views/screen/screen-facts.ts";
import type { ScreenSize } from "./screen-size.ts";

const NAME_CELLS = "reviewer".length;
const ELAPSED_CELLS = "1m 59s".length;
/** It moves on with each piece of output, and never by itself. */
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/**
 * The roles, one below the other: a sign of life, how long the turn has been running, what the role does, and the last
 * line of its engine. That line has a row of its own if there are rows for all of them.
 */
export function roleRows(roles: readonly RoleFacts[], { rows }: ScreenSize): readonly Row[] {
  const spoken = roles.filter(({ lastLine }) => lastLine !== undefined);
  const isApart = roles.length + spoken.length <= rows;
  return roles.flatMap((facts) => {
    const { lastLine } = facts;
    const whole = roleRow(facts);
    if (lastLine === undefined) return [whole];
    if (isApart) return [whole, row(LAST_LINE_INDENT, span("faint", `└ ${lastLine}`))];
    return [[...whole, span("faint", `  └ ${lastLine}`)]];
  });
}

const LAST_LINE_INDENT = " ".repeat(2);

function roleRow(facts: RoleFacts): Row {
  const { role, says, elapsed = "" } = facts;
  const name = span(role, padCells(role, NAME_CELLS));
  return row(
    signOf(facts),
    " ",
    name,
    " ",
    span("faint", padCells(elapsed, ELAPSED_CELLS)),
    " ",
    says,
  );
}

function signOf({ role, isAtWork, beat, says }: RoleFacts): Span {
  if (says.style === "bad") return span("bad", "✗");
  if (!isAtWork) return span("faint", "○");
  return span(role, beat === undefined ? "●" : (SPINNER[beat % SPINNER.length] ?? "●"));
}
