import { readFileSync } from "node:fs";

/** Reads this process's standard input to its end. */
export function readInput(): string {
  return readFileSync(0, "utf8");
}
