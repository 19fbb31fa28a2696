import type { PaneName, ScreenSection } from "../../views/screen/screen-facts.ts";

/** A move in a list: by a number of rows, or to one of its ends. */
export type PaneMove = { readonly rows: number } | "begin" | "end";

/** The pane that keys scroll: the chosen one, or the last one while the chosen one is not on the screen. */
export function focusedName(names: readonly PaneName[], chosen: PaneName): PaneName | undefined {
  return names.includes(chosen) ? chosen : names.at(-1);
}

/**
 * Index of the first visible row of a list in a window of `room` rows. A place is the number of a row, so that rows that
 * are dropped or added do not move what the person reads; undefined: the row that matters, or else the end, is followed.
 */
export function topOfPane(
  { first, rows, from }: ScreenSection,
  place: number | undefined,
  room: number,
): number {
  const last = Math.max(0, rows.length - room);
  const wanted = place === undefined ? from - 1 : place - first;
  return Math.max(0, Math.min(wanted, last));
}

/** The place after a move; undefined at the end of a list whose end is followed. */
export function movePane(
  section: ScreenSection,
  place: number | undefined,
  { move, room }: { readonly move: PaneMove; readonly room: number },
): number | undefined {
  const { first, rows, from } = section;
  const last = Math.max(0, rows.length - room);
  const top = topOfPane(section, place, room);
  const wanted = move === "begin" ? 0 : move === "end" ? last : top + move.rows;
  const next = Math.max(0, Math.min(wanted, last));
  return next === last && from === rows.length ? undefined : first + next;
}
