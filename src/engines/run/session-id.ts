import { createHash } from "node:crypto";

/** The namespace UUID for session ids of engines (RFC 9562, section 5.5). */
const NAMESPACE = Buffer.from("6f0f5ab2e1d34f6d9b7a2c64b1a7d3c5", "hex");

/**
 * The id of the session that a turn begins, for CLIs that let us choose it: a UUID derived from the name of the
 * turn's output, which is unique. So the id is known without the CLI, even after both it and wisp were killed.
 */
export function sessionIdOf(outputBase: string): string {
  const bytes = createHash("sha1").update(NAMESPACE).update(outputBase).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
