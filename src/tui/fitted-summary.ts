import type { ScreenFacts, ScreenSection } from "../views/screen/screen-facts.ts";
import { row, span, type Row } from "../views/rows/row.ts";
import { noticeRows } from "./notice-rows.ts";
import { roleRows } from "./role-rows.ts";
import type { ScreenSize } from "./screen-size.ts";
import { shareRows } from "./share-rows.ts";

/** The summary of a session without frames, in at most `rows` rows; what matters most gets room first. */
export function fittedSummary(facts: ScreenFacts, { columns, rows }: ScreenSize): readonly Row[] {
  const { title, roles, notices, sections } = facts;
  const shownRoles = roleRows(roles, { columns, rows: roles.length });
  const above = [...title, ...shownRoles];
  const most = Math.min(notices.length, rows - above.length);
  const head = [...above, ...noticeRows(notices, { columns, rows: most })];
  const given = shareRows(
    rows - head.length,
    // Plus the title of the section and a blank row above it.
    sections.map((section) => section.rows.length + 2),
  );
  const shown = sections.map((section, index) => sectionRows(section, given[index] ?? 0));
  return [...head, ...shown.flat()].slice(0, Math.max(rows, 0));
}

function sectionRows({ title, rows, from }: ScreenSection, given: number): readonly Row[] {
  const heading = row(span("strong", title));
  if (given <= 1) return given === 1 ? rows.slice(-1) : [];
  const shown = given === 2 ? 1 : given - 2;
  const before = given === 2 ? [heading] : [row(""), heading];
  // The row that must be visible, the one before it, and as many of the following rows as fit.
  const first = Math.max(0, Math.min(from - 1, rows.length - shown));
  return [...before, ...rows.slice(first, first + shown)];
}
