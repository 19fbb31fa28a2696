import { followed } from "./followed.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { need } from "../../base/fatal.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { onSignals } from "../../host/processes/on-signals.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { serveWeb } from "../../web/serve-web.ts";
import { allSessions, findSession } from "../../workspace/find-session.ts";
import { Usage } from "../../workspace/usage.ts";

/** How the live page is asked for. */
export interface WatchOptions {
  readonly session: string | undefined;
  /** As typed; undefined: any free one. */
  readonly port: string | undefined;
}

const PORT_MAX = 65_535;

/** The link opens the sessions to whoever has it, so it must not get into a file. */
export const LinkNeedsTerminal = refusal("link-needs-terminal", EXIT.inputNeeded, () => [
  "wisp watch --web prints its link on a terminal only: whoever has the link can read the sessions.",
  "Nothing was started. Run it in a terminal, or have the report as a file:",
  "wisp report --html",
]);

/** `wisp watch --web`: serves the sessions' reports to a browser of this machine, live, until Ctrl-C. */
export async function watch(cli: Cli, options: WatchOptions): Promise<Outcome> {
  const port = need(portOf(options.port));
  const { files } = cli.host;
  need(allSessions(files, cli.cwd));
  const { session: asked } = options;
  const session = asked === undefined ? undefined : need(findSession(files, cli.cwd, asked));
  if (session?.mirrors !== undefined) await followed(cli, session);
  const screen = [process.stdout, process.stderr].find(({ isTTY }) => isTTY);
  if (screen === undefined) return fail(LinkNeedsTerminal({}));
  const ending = new AbortController();
  const forget = onSignals(["SIGHUP", "SIGINT", "SIGTERM"], () => {
    ending.abort();
  });
  const served = await serveWeb(cli, {
    port,
    session: session?.session.id,
    signal: ending.signal,
    onOpen: (link) => {
      screen.write(`${link}\n`);
      cli.terminal.err(
        "The link lets one browser of this machine in, once. It shows and changes nothing. Ctrl-C ends it.",
      );
    },
  });
  forget();
  return served.ok ? ok(EXIT.ok) : served;
}

function portOf(text: string | undefined): Result<number, Usage> {
  if (text === undefined) return ok(0);
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : Infinity;
  if (port <= PORT_MAX) return ok(port);
  return fail(
    Usage({ problem: `--port takes a number up to ${String(PORT_MAX)}, and ${text} is none` }),
  );
}
