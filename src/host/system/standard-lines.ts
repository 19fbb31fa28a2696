import process from "node:process";
import { Transform, type Readable } from "node:stream";

/** Standard input, split into pieces by a given function, and standard output. */
export interface StandardLines {
  readonly input: Readable;
  readonly print: (line: string) => void;
  /** Stops reading standard input, so that the process can end. */
  readonly end: () => void;
}

/** Splits standard input with `cut`. The pieces stay separate: joined, a reader would get several at once. */
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
