import process from "node:process";
import { fail, ok, type Result } from "../../base/result.ts";

/** A connection over this process's standard input and output. */
export interface StandardStream {
  /** The first line of standard input, without its end. Fails if there is none, or if it is too long. */
  readonly firstLine: (bytesMax: number) => Promise<Result<string, "no-line">>;
  /** Writes to standard output; resolves when more can be written. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
  /** Aborts when standard input ends: then nobody reads standard output any more. */
  readonly gone: AbortSignal;
}

/** Opens the connection; standard input is read from now on. */
export function standardStream(): StandardStream {
  const { stdin, stdout } = process;
  const gone = new AbortController();
  const end = () => gone.abort();
  stdin.once("end", end).once("close", end).once("error", end);
  return {
    gone: gone.signal,
    firstLine: (bytesMax) =>
      new Promise((resolve) => {
        let text = Buffer.alloc(0);
        const take = (chunk: Buffer) => {
          text = Buffer.concat([text, chunk]);
          const at = text.indexOf("\n");
          if (at >= 0) settle(ok(text.subarray(0, at).toString("utf8")));
          else if (text.length > bytesMax) settle(fail("no-line"));
        };
        const none = () => settle(fail("no-line"));
        const settle = (line: Result<string, "no-line">) => {
          stdin.off("data", take);
          gone.signal.removeEventListener("abort", none);
          // Whatever else arrives is read and dropped, so that the end is seen.
          stdin.resume();
          resolve(line);
        };
        gone.signal.addEventListener("abort", none, { once: true });
        stdin.on("data", take);
      }),
    send: (bytes) =>
      new Promise((resolve) => {
        if (stdout.write(bytes)) {
          resolve();
          return;
        }
        const settle = () => {
          stdout.off("drain", settle);
          gone.signal.removeEventListener("abort", settle);
          resolve();
        };
        stdout.once("drain", settle);
        gone.signal.addEventListener("abort", settle, { once: true });
      }),
  };
}
