import { readFileSync } from "node:fs";

/** Standard input of this process, to its end. */
export function readInput(): string {
  return readFileSync(0, "utf8");
}
