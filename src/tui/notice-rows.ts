import { wrapText } from "../views/rows/cells.ts";
import { plainText, row, span, type Row, type Style } from "../views/rows/row.ts";
import type { ScreenSize } from "./screen-size.ts";
import { shareRows } from "./share-rows.ts";

/** What a notice begins with, also without colours. Only a question begins with `?`. */
const SIGNS: Partial<Readonly<Record<Style, string>>> = {
  bad: "✗ ",
  ask: "! ",
  good: "✓ ",
};

/** The styles of notices, the most important first. */
const IMPORTANCE: readonly Style[] = ["bad", "ask", "good", "plain"];

/**
 * Notices in at most `rows` rows, wrapped as far as there is room. If there is none for all of them, the most important
 * come first, and the last row says how many more there are and how they begin.
 */
export function noticeRows(notices: readonly Row[], room: ScreenSize): readonly Row[] {
  const rows = Math.max(0, room.rows);
  if (notices.length <= rows) return shared(notices, room);
  const sorted = notices.toSorted((one, other) => rankOf(one) - rankOf(other));
  const shown = sorted.slice(0, Math.max(0, rows - 1));
  const rest = sorted.slice(shown.length);
  const words = rest.map((one) => plainText([one])).join("; ");
  const more = row(span(styleOf(rest[0]), `${String(rest.length)} more: ${words}`));
  return [...shown.map(signed), more].slice(0, rows);
}

function styleOf(notice: Row | undefined): Style {
  return notice?.[0]?.style ?? "plain";
}

function rankOf(notice: Row): number {
  const rank = IMPORTANCE.indexOf(styleOf(notice));
  return rank === -1 ? IMPORTANCE.length : rank;
}

function signed(notice: Row): Row {
  const sign = SIGNS[styleOf(notice)];
  return sign === undefined ? notice : [span(styleOf(notice), sign), ...notice];
}

/** Every notice has a row, and the rest of the rows goes to those that need more. */
function shared(notices: readonly Row[], { columns, rows }: ScreenSize): readonly Row[] {
  const pieces = notices.map((notice) => {
    const sign = SIGNS[styleOf(notice)] ?? "";
    return wrapText(plainText([notice]), Math.max(1, columns - sign.length));
  });
  const given = shareRows(
    rows,
    pieces.map(({ length }) => length),
  );
  return notices.flatMap((notice, index) => {
    const [all = [], count = 1] = [pieces[index], given[index]];
    if (all.length <= 1) return [signed(notice)];
    const style = styleOf(notice);
    const sign = SIGNS[style] ?? "";
    // What does not fit is in the last row, where it is cut with an ellipsis.
    const texts = [...all.slice(0, count - 1), all.slice(count - 1).join(" ")];
    return texts.map((text, at) =>
      row(span(style, at === 0 ? sign : " ".repeat(sign.length)), span(style, text)),
    );
  });
}
