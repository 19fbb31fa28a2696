// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A process, and the programs that it executed one after the other, each as its words.
 * @typedef {readonly (readonly string[])[]} Started
 */

/** strace, before a command: one file for each process below `prefix`, with what it executed. */
export function straceArgs(/** @type {string} */ prefix) {
  const only = ["-e", "trace=execve", "-e", "signal=none", "-s", "300"];
  return ["-ff", "-qq", "--seccomp-bpf", ...only, "-o", prefix];
}

/**
 * The processes that executed a program, from the files that strace wrote.
 * @param {string} directory
 * @returns {readonly Started[]}
 */
export function startedIn(directory) {
  return readdirSync(directory)
    .map((name) => startedOf(readFileSync(join(directory, name), "utf8")))
    .filter(({ length }) => length > 0);
}

/**
 * What one process executed, from the lines of strace.
 * @param {string} text
 * @returns {Started}
 */
export function startedOf(text) {
  return [...text.matchAll(/^execve\("[^"]*", \[(.*)\], .* = 0$/gm)].map(([, words = ""]) =>
    [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word),
  );
}

/**
 * The same, by the name of the last program of each process: how often.
 * @param {readonly Started[]} started
 * @returns {ReadonlyMap<string, number>}
 */
export function countsByName(started) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const programs of started) {
    const name = nameOf(programs.at(-1) ?? []);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** @param {readonly string[]} words */
function nameOf([program = "", first = ""]) {
  const name = program.split("/").at(-1) ?? "";
  return name === "bash" || name === "node" ? `${name} ${first.split("/").at(-1)}` : name;
}
