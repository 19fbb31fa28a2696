import type { Clock } from "../../base/ports/clock.ts";
import { FileRestored } from "../../fs-protocol/records/common-records.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import type { FileDamage } from "./kept-log.ts";

/** A file of the home that was put back, and how it was found. */
export interface Restored {
  readonly path: string;
  readonly found: FileDamage;
  /** Of what was found, below the home. */
  readonly copy?: string | undefined;
}

interface Where {
  readonly home: Home;
  readonly clock: Clock;
}

/** The record that says so. */
export function restoredRecord(
  { path, found, copy }: Restored,
  { home, clock }: Where,
): FileRestored {
  const time = new Date(clock.nowMs()).toISOString();
  return { kind: "file.restored", time, file: path.slice(home.directory.length + 1), found, copy };
}

/** The same as a line of the log of a role or of the supervisor. */
export function restoredLine(restored: Restored, where: Where): string {
  return encodeRecord(FileRestored, restoredRecord(restored, where));
}
