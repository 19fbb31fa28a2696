import { posix } from "node:path";

/** Test runners that wisp knows how to give one more test. */
export type Runner = "node" | "vitest" | "jest" | "mocha" | "pytest" | "go" | "cargo";

/** Those that lines of commands start, each line as its words; in the order of the lines. */
export function runnersIn(lines: readonly (readonly string[])[]): readonly Runner[] {
  return [...new Set(lines.flatMap((words) => runnerIn(words) ?? []))];
}

function runnerIn(words: readonly string[]): Runner | undefined {
  const names = words.map((word) => posix.basename(word));
  const has = (...wanted: readonly string[]) => wanted.every((name) => names.includes(name));
  if (has("vitest")) return "vitest";
  if (has("jest") || has("react-scripts", "test")) return "jest";
  if (has("mocha") || has("_mocha")) return "mocha";
  if (has("pytest") || has("py.test")) return "pytest";
  if (words.includes("--test") && names.some((name) => /^(?:node|nodejs|tsx)$/.test(name))) {
    return "node";
  }
  if (has("go", "test") || has("gotestsum")) return "go";
  if (has("cargo", "test") || has("cargo", "nextest")) return "cargo";
  return undefined;
}
