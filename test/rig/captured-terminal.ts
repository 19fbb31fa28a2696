import type { Terminal } from "../../src/terminal/terminal.ts";

/** Captures the output of commands, without a person at a terminal. */
export interface CapturedTerminal extends Terminal {
  /** Everything that was printed, line by line. */
  readonly lines: readonly string[];
}

/** No person is there: nothing is asked, and there are no colours. */
export function captureTerminal(): CapturedTerminal {
  const lines: string[] = [];
  const take = (text: string) => void lines.push(text);
  return {
    lines,
    out: take,
    err: take,
    call: () => undefined,
    outHasColors: false,
    errHasColors: false,
    isInteractive: false,
    hasScreen: false,
  };
}
