import { need } from "../../base/fatal.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { findSession } from "../find-session.ts";
import type { FoundSession } from "../sessions.ts";
import type { World } from "../world.ts";
import { readState } from "./read-state.ts";
import { allow } from "./session-stage.ts";

/** A session with its state as just read. */
export interface SessionNow {
  readonly found: FoundSession;
  readonly state: SessionState;
}

type Asked = Parameters<typeof allow>[0];

/**
 * The session that a command is about, with its current state. Throws `CannotGoOn` if there is
 * none, if it cannot be read, or if its state does not allow the event.
 *
 * @param named its id or branch; undefined for the newest
 */
export async function sessionFor(
  world: World,
  asked: Asked,
  named: string | undefined,
): Promise<SessionNow> {
  const found = need(findSession(world.host.files, world.cwd, named));
  return { found, state: await stateFor(world, asked, found) };
}

/** The state of a session, if it allows the event; throws like `sessionFor`. */
export async function stateFor(
  world: World,
  asked: Asked,
  found: FoundSession,
): Promise<SessionState> {
  const { state } = need(await readState(world, found));
  need(allow(asked, { id: found.session.id, state, nowMs: world.host.clock.nowMs() }));
  return state;
}
