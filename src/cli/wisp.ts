#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { leaveWithReader } from "./reader-gone.ts";

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
