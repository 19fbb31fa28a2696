import type { Result } from "../../base/result.ts";
import { editCopies, type EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import { createSessionReader, type ReadFailure } from "../../session/state/session-reader.ts";
import type { Quarantined } from "../../fs-protocol/codec/log-fold.ts";
import type { Troubles } from "../../session/state/role-troubles.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext, type World } from "../world.ts";
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
 * session restores the log.
 */
export async function readState(
  { host, env }: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<Result<ReadState, ReadFailure>> {
  const { home, session } = found;
  const hub = openHub(gitContext({ host, env }), session.repository);
  const reader = createSessionReader(wholeView(host.files, found), hub, home, session);
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
