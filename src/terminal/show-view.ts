import type { Row } from "../views/rows/row.ts";
import { paintRows } from "./paint-rows.ts";
import type { Terminal } from "./terminal.ts";

/** Shows a command's result: rows to people, an object to programs. */
export function showView(
  terminal: Terminal,
  {
    json,
    view,
    rows,
  }: { readonly json: boolean; readonly view: object; readonly rows: () => readonly Row[] },
): void {
  if (json) terminal.out(JSON.stringify(view, undefined, 2));
  else showRows(terminal, rows());
}

/** Shows rows, in colours if the terminal supports them. */
export function showRows(terminal: Terminal, rows: readonly Row[]): void {
  terminal.out(paintRows(rows, terminal.outHasColors));
}
