#!/usr/bin/env node
import packageJson from "../../package.json" with { type: "json" };

// The same as in help/exit-codes.ts, which is not loaded when only the version is asked for.
const EXIT_OK = 0;
const EXIT_FAILURE = 1;

const { version } = packageJson;
/** The digest of this program (`base/program-digest.ts`), which the build puts here. */
const CODE = "__WISP_CODE__";
const words = process.argv.slice(2);

leaveWithReader();
// The version is asked for most often, so that nothing else is loaded for it.
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${version}\n`);
} else {
  void runWords();
}

async function runWords(): Promise<never> {
  const { keepOwnCode } = await import("./keep-own-code.ts");
  keepOwnCode({ directory: __dirname, code: CODE }, words);
  const { runProgram } = await import("./program.ts");
  const exitCode = await runProgram(words, { entry: __filename, code: CODE, version });
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // The work is on disk and the output is flushed. Timers of packages would delay the exit by a second.
  return process.exit(exitCode);
}

/** Resolves when all earlier output has been handed over, or the reader has gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

/**
 * The reader of our output may leave first, as in `wisp --help | head -1`: then the process ends
 * silently. Must be called before anything is printed.
 */
function leaveWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT_OK : EXIT_FAILURE);
  });
  // An unread message stream is no reason to stop work.
  process.stderr.on("error", () => undefined);
}
