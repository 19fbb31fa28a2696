#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };

// As in exit-codes.ts, which asking for the version does not load.
const EXIT_OK = 0;
const EXIT_FAILURE = 1;

const { version } = packageJson;
const words = process.argv.slice(2);

leaveWithReader();
// What is asked most often, by scripts and by doubters, loads nothing at all.
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${version}\n`);
} else {
  const { runProgram } = await import("./program.ts");
  const entry = fileURLToPath(import.meta.url);
  const exitCode = await runProgram(words, { entry, version });
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // What is done is on disk, and what was said is out. Timers of packages would keep us for a second.
  process.exit(exitCode);
}

/** Resolves when everything said before has been handed over, or there is nobody to take it. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

/**
 * Who reads our output may go before we do, as in `wisp --help | head -1`: then the process ends, and nobody
 * is told of it. To be called before anything is said.
 */
function leaveWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT_OK : EXIT_FAILURE);
  });
  // Messages that nobody reads any more are no reason to stop work.
  process.stderr.on("error", () => undefined);
}
