import { need } from "../../base/fatal.ts";
import type { Cli } from "../../terminal/cli.ts";
import type { Seen } from "../../views/timeline/record-streams.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import { runningOther } from "../../workspace/session/other-program.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { viewSession } from "./view-session.ts";

/** How often the leases of roles are looked at that no supervisor waits for. */
const LOOK_MS = 200;

/**
 * Lets the processes of another version of wisp finish their turns, if some work on the session, and shows what they do
 * meanwhile. They are told by a `stop`, which every version understands, and which is lifted when they have ended: whoever
 * is killed in between, `wisp up` goes on. How long that takes is limited by the turns' own limits.
 *
 * @returns how many records of each log have been seen by now
 */
export async function replaceOther(cli: Cli, found: FoundSession, seen: Seen): Promise<Seen> {
  const { home, session } = found;
  if (runningOther(cli, home) === undefined) return seen;
  cli.terminal.err(
    `Another version of wisp works on ${session.id}. Its agents finish their turns first; then this version continues. ` +
      `If you leave before, the session stops there: wisp up ${session.id} continues it.`,
  );
  need(await appendHuman(cli, found, ({ stopped }) => (stopped ? undefined : { kind: "stop" })));
  const shown = await viewSession(cli, found, seen);
  while (runningOther(cli, home) !== undefined) await cli.host.clock.sleep(LOOK_MS);
  need(await appendHuman(cli, found, ({ stopped }) => (stopped ? { kind: "resume" } : undefined)));
  return shown;
}
