import { need } from "../base/fatal.ts";
import { ok } from "../base/result.ts";
import type { Cli, Outcome } from "../terminal/cli.ts";
import { findSession } from "../workspace/find-session.ts";
import { readStatus } from "../views/status/read-status.ts";
import type { StatusView } from "../views/status/status-view.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A command that does something with a session, and says so in sentences. */
export type Act = "adopt" | "answer" | "restart" | "resume" | "stop" | "up" | "update";

/** What such a command prints with `--json`; fields are added, never renamed or removed. */
interface ActView {
  readonly schema: `wisp.${Act}/1`;
  readonly session: string;
  /** Nothing was done: `said` tells what would be. */
  readonly isDryRun: boolean;
  /** What it says to people, in order. */
  readonly said: readonly string[];
  /** Where the session stands afterwards, as `wisp status --json` says it. */
  readonly status: StatusView;
}

interface Asked {
  readonly act: Act;
  /** As given; undefined: the newest. */
  readonly session: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Has a command done for a program: nobody is asked or shown anything, and one object tells what came of it. A
 * command that fails is explained by whoever runs it, and prints no object here.
 */
export async function actForProgram(
  cli: Cli,
  { act, session: asked, dryRun: isDryRun }: Asked,
  action: (cli: Cli) => Promise<Outcome>,
): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, asked));
  const said: string[] = [];
  const acted = need(await action(listening(cli, said)));
  const read = need(await readStatus(cli, found));
  const session = found.session.id;
  const status = read.view;
  const view = { schema: `wisp.${act}/1`, session, isDryRun, said, status } satisfies ActView;
  cli.terminal.out(JSON.stringify(view, undefined, 2));
  return ok(acted);
}

/** Keeps what is said; standard output is left to the object. */
function listening(cli: Cli, said: string[]): Cli {
  const err = (text: string) => {
    said.push(text.trim());
    cli.terminal.err(text);
  };
  const terminal: Terminal = {
    out: (text) => void said.push(text.trim()),
    err,
    call: () => undefined,
    outHasColors: false,
    errHasColors: false,
    isInteractive: false,
    hasScreen: false,
  };
  return { ...cli, terminal, tell: err, ask: undefined };
}
