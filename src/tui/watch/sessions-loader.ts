import { attempted, need } from "../../base/fatal.ts";
import { SESSIONS_SHOWN_MAX } from "../../base/limits.ts";
import { sessionsPage, type SessionLine } from "../../views/screen/sessions-page.ts";
import { statusView } from "../../views/status/status-view.ts";
import { allSessions } from "../../workspace/find-session.ts";
import { readPresence } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { startFollowing } from "../../actions/elsewhere/keep-followed.ts";
import type { PageLoader } from "./page-loader.ts";

/** Other sessions are read again at this interval while the list is shown. */
const SESSIONS_AGAIN_MS = 10_000;

/** The list of the repository's sessions, newest first. */
export const sessionsLoader: PageLoader = {
  basis: (_, { world }) => String(Math.floor(world.host.clock.nowMs() / SESSIONS_AGAIN_MS)),
  async load(_, { world, found }) {
    const { sessions } = need(allSessions(world.host.files, world.cwd));
    const newest = [...sessions]
      .sort((one, other) => other.session.createdAt.localeCompare(one.session.createdAt))
      .slice(0, SESSIONS_SHOWN_MAX);
    // The list is shown though one of them cannot be followed: it says itself that its place is out of reach.
    await Promise.all(newest.map((one) => attempted(() => startFollowing(world, one))));
    const lines: SessionLine[] = [];
    // One after the other: each may have long logs.
    for (const one of newest) lines.push(await lineOf(world, one));
    return sessionsPage(lines, found.session.id);
  },
};

async function lineOf(world: World, found: FoundSession): Promise<SessionLine> {
  const { id, createdAt } = found.session;
  const nowMs = world.host.clock.nowMs();
  const ageMs = Math.max(0, nowMs - Date.parse(createdAt));
  const presence = await readPresence(world.host, found.home);
  const read = await readState(world, found);
  const view = read.ok ? statusView({ ...found, ...read.value, ...presence, nowMs }) : undefined;
  return { id, ageMs, view };
}
