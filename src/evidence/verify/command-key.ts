import { createHash } from "node:crypto";

/** The key of commands in records: the first 12 hex digits of the SHA-256 of the argument vectors, as JSON. */
export function commandKey(commands: readonly (readonly string[])[]): string {
  return createHash("sha256").update(JSON.stringify(commands)).digest("hex").slice(0, 12);
}
