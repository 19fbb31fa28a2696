import { ensureFollower } from "../../actions/elsewhere/ensure-follower.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { MIRROR_LOOK_MS, MIRROR_WAIT_MS_MAX } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { onSignals } from "../../host/processes/on-signals.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { InterruptKeys } from "../../terminal/interrupt-keys.ts";
import { showRows } from "../../terminal/show-view.ts";
import { row } from "../../views/rows/row.ts";
import { readStatus } from "../../views/status/read-status.ts";
import { summaryRows } from "../../views/status/summary-rows.ts";
import { NOTHING_SEEN, type Seen } from "../../views/timeline/record-streams.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { sessionExitCode } from "../../workspace/session/session-end.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { viewSession } from "../commands/view-session.ts";

/** How a session that runs elsewhere is shown. */
export interface ShowMirrored {
  readonly detach: boolean;
  readonly json: boolean;
  /** Print lines instead of showing the screen. */
  readonly plain: boolean;
  /** What was seen of it before. */
  readonly seen?: Seen;
}

/**
 * Shows what happens in a session that runs elsewhere, from its mirror here, until nothing works on it any more. The
 * session goes on there when this ends.
 */
export async function showMirrored(
  cli: Cli,
  found: FoundSession,
  { detach, json, plain, seen = NOTHING_SEEN }: ShowMirrored,
): Promise<Outcome> {
  const { id, repository, parent } = found.session;
  const where = shown(found.mirrors?.executor ?? "");
  await ensureFollower(cli, { id: parent?.id ?? id, home: found.home, repository });
  if (detach || json) {
    cli.terminal.err(`${id} is running on ${where}. To watch it: wisp up ${id}`);
    return ok(EXIT.ok);
  }
  cli.terminal.err(`${id} runs on ${where}. Ctrl-C leaves it, and it goes on there.`);
  await awaitSupervisor(cli, found);
  const isOnScreen = !plain && cli.terminal.hasScreen;
  const left = isOnScreen ? await onScreen(cli, found, seen) : await inLines(cli, found, seen);
  if (left === "left-behind") {
    cli.terminal.err(`${id} goes on on ${where}. To come back: wisp up ${id}`);
    return ok(isOnScreen ? EXIT.ok : EXIT.interrupted);
  }
  const { view, state } = need(await readStatus(cli, found));
  showRows(cli.terminal, [row(""), ...summaryRows(view, found.session, undefined)]);
  return ok(sessionExitCode(state));
}

/** Waits until it is known who works on the session, or that nobody has to. */
async function awaitSupervisor(cli: Cli, found: FoundSession): Promise<void> {
  const { clock } = cli.host;
  const endsMs = clock.nowMs() + MIRROR_WAIT_MS_MAX;
  while (clock.nowMs() < endsMs) {
    if ((await readLeases(cli.host, found.home)).has("supervisor")) return;
    const { state } = need(await readState(cli, found));
    if (endOf(state) !== undefined || state.human.stopped) return;
    await clock.sleep(MIRROR_LOOK_MS);
  }
}

type Left = "over" | "left-behind";

async function onScreen(cli: Cli, found: FoundSession, seen: Seen): Promise<Left> {
  // Imported only here: it takes longer to load than most commands take to run.
  const { watchScreen } = await import("../../tui/watch/watch-screen.ts");
  const keys = new InterruptKeys(cli, found.home);
  return (await watchScreen(cli, found, { seen, keys })) === "background" ? "left-behind" : "over";
}

async function inLines(cli: Cli, found: FoundSession, seen: Seen): Promise<Left> {
  let forget: () => void = () => undefined;
  const leaving = new Promise<Left>((resolve) => {
    forget = onSignals(["SIGINT"], () => resolve("left-behind"));
  });
  const over = viewSession(cli, found, seen).then((): Left => "over");
  const left = await Promise.race([over, leaving]);
  forget();
  return left;
}
