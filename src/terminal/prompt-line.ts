import { createInterface } from "node:readline";

/** Asks for one line on the terminal; undefined if the terminal is closed instead. */
export function promptLine(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once("close", () => resolve(undefined));
    terminal.question(question, (line) => {
      resolve(line);
      terminal.close();
    });
  });
}
