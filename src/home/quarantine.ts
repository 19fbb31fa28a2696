import { need } from "../base/fatal.ts";
import type { Quarantined } from "../fs-protocol/codec/log-fold.ts";
import { sha256 } from "../base/sha256.ts";
import { basename } from "node:path";
import type { Files } from "../base/ports/files.ts";
import { readLines, START, type Line } from "../fs-protocol/codec/read-lines.ts";
import type { Locks } from "../base/ports/locks.ts";
import type { Home } from "../fs-protocol/home/home.ts";

/** At most so many bytes of a bad line are kept. */
const KEPT_BYTES_MAX = 4_096;

/** Where the logs are, and the ports that copying their bad lines needs. */
export interface QuarantineDeps {
  readonly home: Pick<Home, "quarantine">;
  readonly ports: { readonly files: Files; readonly locks: Pick<Locks, "withLock"> };
}

/**
 * Copies each bad complete line of these logs to `logs/quarantine.log`, once. Readers count and skip such lines, and
 * the quarantine keeps them as evidence (facts: bad bytes in the middle are kept).
 *
 * @param paths the logs that the caller is responsible for
 *
 * ```
 * builder.log|12345|3f2a9c01|"not a record"
 * ```
 */
export async function quarantine(
  { home, ports }: QuarantineDeps,
  quarantined: readonly Quarantined[],
  paths: readonly string[],
): Promise<void> {
  const own = quarantined.filter(({ path }) => paths.includes(path));
  if (own.length === 0) return;
  const append = () => {
    const unseen = new Set(own.map((bad) => quarantineLine(ports.files, bad)));
    // Line by line, so that an overfull quarantine.log cannot keep a role from starting.
    const line = ({ text }: Line) => void unseen.delete(text ?? "");
    need(readLines(ports.files, home.quarantine, START, { line, restart: () => undefined }));
    const missing = [...unseen].map((text) => `${text}\n`).join("");
    if (missing !== "") need(ports.files.append(home.quarantine, Buffer.from(missing)));
  };
  need(await ports.locks.withLock(home.quarantine, append));
}

function quarantineLine(files: Files, { path, offsetBytes, lengthBytes }: Quarantined): string {
  const bytes = need(files.readChunk(path, offsetBytes, Math.min(lengthBytes, KEPT_BYTES_MAX)));
  const digest = sha256(bytes).slice(0, 8);
  const text = JSON.stringify(Buffer.from(bytes).toString("utf8").trimEnd());
  return `${basename(path)}|${String(offsetBytes)}|${digest}|${text}`;
}
