#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };

const { version } = packageJson;
const words = process.argv.slice(2);

// What is asked most often, by scripts and by doubters, loads nothing at all.
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${version}\n`);
} else {
  const { runProgram } = await import("./program.ts");
  const entry = fileURLToPath(import.meta.url);
  process.exitCode = await runProgram(words, { entry, version });
}
