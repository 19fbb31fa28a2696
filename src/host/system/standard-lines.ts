import process from "node:process";
import { Transform, type Readable } from "node:stream";

/** Standard input, as somebody cuts it into chunks, and standard output beside it. */
export interface StandardLines {
  readonly input: Readable;
  readonly print: (line: string) => void;
  /** Lets go of standard input, so that the process may end. */
  readonly end: () => void;
}

/** Reads standard input through `cut`. What it returns stays apart: joined, a reader would hold several at once. */
export function standardLines(cut: (chunk: Uint8Array) => readonly Uint8Array[]): StandardLines {
  const { stdin, stdout } = process;
  const input = new Transform({
    readableObjectMode: true,
    transform(chunk: Uint8Array, _encoding, done) {
      for (const line of cut(chunk)) this.push(line);
      done();
    },
  });
  stdin.pipe(input);
  return {
    input,
    print: (line) => void stdout.write(`${line}\n`),
    end: () => {
      stdin.unpipe(input);
      stdin.pause();
    },
  };
}
