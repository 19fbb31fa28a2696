import { createInterface } from "node:readline";

/** Asks questions on the terminal, one after the other. */
export interface LinePrompts {
  /** One line, without its newline; undefined if the terminal was closed or Ctrl-C was pressed. */
  ask(question: string): Promise<string | undefined>;
  /** Releases the terminal, for example to an engine. */
  close(): void;
}

/** Lines that were typed or pasted ahead answer the following questions. */
export function openPrompts(): LinePrompts {
  const lines: string[] = [];
  let isClosed = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const settle = (line: string | undefined) => {
    const settled = waiting;
    waiting = undefined;
    settled?.(line);
  };
  reader.on("line", (line) => {
    if (waiting === undefined) lines.push(line);
    else settle(line);
  });
  reader.once("close", () => {
    isClosed = true;
    settle(undefined);
  });
  return {
    ask(question) {
      const ahead = lines.shift();
      reader.setPrompt(question);
      if (ahead !== undefined || isClosed) {
        process.stderr.write(`${question}${ahead ?? ""}\n`);
        return Promise.resolve(ahead);
      }
      return new Promise((resolve) => {
        waiting = resolve;
        reader.prompt();
      });
    },
    close: () => reader.close(),
  };
}
