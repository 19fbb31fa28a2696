import type { Clock } from "../../base/ports/clock.ts";
import type { FileRestored } from "../../fs-protocol/records/common-records.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/** How a file was found that nobody else may write. */
export type FileDamage = FileRestored["found"];

/** How a file was found that was put back, and where that is kept: a path below the home. */
export interface Restoration {
  readonly found: FileDamage;
  readonly copy?: string | undefined;
}

/** A file of the home that was put back. */
export interface Restored extends Restoration {
  readonly path: string;
}

/** The record that says so. */
export function restoredRecord(
  { path, found, copy }: Restored,
  { home, clock }: { readonly home: Home; readonly clock: Clock },
): FileRestored {
  const time = new Date(clock.nowMs()).toISOString();
  return { kind: "file.restored", time, file: path.slice(home.directory.length + 1), found, copy };
}
