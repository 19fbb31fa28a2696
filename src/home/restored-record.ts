import type { Clock } from "../base/ports/clock.ts";
import type { FileRestored } from "../fs-protocol/records/common-records.ts";
import type { Home } from "../fs-protocol/home/home.ts";

/** How a file that wisp protects was damaged. */
export type FileDamage = FileRestored["found"];

/** How a restored file had been damaged; `copy`: where its content from before is kept, relative to the home. */
export interface Restoration {
  readonly found: FileDamage;
  readonly copy?: string | undefined;
}

/** A file of the home that was restored. */
export interface Restored extends Restoration {
  readonly path: string;
}

/** The journal record about a restored file. */
export function restoredRecord(
  { path, found, copy }: Restored,
  { home, clock }: { readonly home: Home; readonly clock: Clock },
): FileRestored {
  const time = new Date(clock.nowMs()).toISOString();
  return { kind: "file.restored", time, file: path.slice(home.directory.length + 1), found, copy };
}
