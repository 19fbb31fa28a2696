// As in exit-codes.ts, which asking for the version does not load.
const EXIT_OK = 0;
const EXIT_FAILURE = 1;

/**
 * Who reads our output may go before we do, as in `wisp --help | head -1`: then the process ends, and nobody
 * is told of it. To be called before anything is said.
 */
export function leaveWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT_OK : EXIT_FAILURE);
  });
  // Messages that nobody reads any more are no reason to stop work.
  process.stderr.on("error", () => undefined);
}
