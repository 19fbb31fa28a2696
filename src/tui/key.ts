/** A key press, or pasted text. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind:
        | "enter"
        | "escape"
        | "backspace"
        | "erase-line"
        | "left"
        | "right"
        | "up"
        | "down"
        | "page-up"
        | "page-down"
        | "home"
        | "end"
        | "tab"
        | "interrupt";
    };
