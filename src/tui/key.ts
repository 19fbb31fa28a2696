/** A key press, or text. */
export type Key =
  /** Text that was typed, on one line. */
  | { readonly kind: "text"; readonly text: string }
  /** Text that was pasted, possibly several lines; it is never treated as keys. */
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: PlainKey };

/** The keys besides those that type text. */
export type PlainKey =
  | "enter"
  | "new-line"
  | "escape"
  | "backspace"
  | "delete"
  | "erase-line"
  | "erase-rest"
  | "erase-word"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "up"
  | "down"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "tab"
  | "redraw"
  | "suspend"
  | "interrupt";
