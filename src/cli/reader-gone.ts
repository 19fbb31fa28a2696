import { EXIT } from "./exit-codes.ts";

/**
 * Who reads our output may go before we do, as in `wisp --help | head -1`: then the process ends, and nobody
 * is told of it. To be called before anything is said.
 */
export function leaveWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failure);
  });
  // Messages that nobody reads any more are no reason to stop work.
  process.stderr.on("error", () => undefined);
}
