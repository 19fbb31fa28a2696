import type { Result } from "../../base/result.ts";
import { editCopies, type EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import { openSessionReader, type ReadFailure } from "../../session/state/session-reader.ts";
import type { Quarantined } from "../../fs-protocol/codec/log-fold.ts";
import type { Troubles } from "../../session/state/role-troubles.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { newestFolds } from "../../fs-protocol/home/role-snapshots.ts";
import type { World } from "../world.ts";
import { sessionHub } from "./session-hub.ts";
import { wholeView } from "../home/home-shape.ts";
import type { FoundSession } from "../sessions.ts";

/** The current content of a session's logs, and its branch. */
export interface ReadState {
  readonly state: SessionState;
  readonly quarantined: readonly Quarantined[];
  readonly troubles: Troubles;
  /** Copies of what others wrote to files of the home. */
  readonly edits: readonly EditCopy[];
}

/**
 * Reads a session once. If a log was removed, its copy is read: the next process that continues the
 * session restores the log. Continues from what a role has kept of long logs.
 */
export async function readState(
  { host, env, program }: Pick<World, "host" | "env" | "program">,
  found: FoundSession,
): Promise<Result<ReadState, ReadFailure>> {
  const { home, session } = found;
  const hub = sessionHub({ host, env }, found);
  const place = newestFolds({ files: host.files, session, program });
  const files = wholeView(host.files, found);
  const reader = openSessionReader({ files, hub, home, session, place });
  const read = await reader.read();
  if (!read.ok) return read;
  return {
    ok: true,
    value: {
      state: read.value,
      quarantined: reader.quarantined(),
      troubles: reader.troubles(),
      edits: editCopies(host.files, home),
    },
  };
}
