import type { Terminal } from "../../src/terminal/terminal.ts";

/** Takes what commands say, for somebody who is not at a terminal. */
export interface CapturedTerminal extends Terminal {
  /** Everything that was said, line by line. */
  readonly lines: readonly string[];
}

/** Nobody sits there: nothing is asked, nothing has colours. */
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
