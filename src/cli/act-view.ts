import { need } from "../base/fatal.ts";
import { ok } from "../base/result.ts";
import type { Cli, Outcome } from "../terminal/cli.ts";
import { findSession } from "../workspace/find-session.ts";
import { readStatus } from "../views/status/read-status.ts";
import type { StatusView } from "../views/status/status-view.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A command that acts on a session, and reports it in sentences. */
export type Act =
  "adopt" | "answer" | "decide-plan" | "move" | "restart" | "resume" | "stop" | "up" | "update";

/** What such a command prints with `--json`; fields are added, never renamed or removed. */
export interface ActView {
  readonly schema: `wisp.${Act}/1`;
  readonly session: string;
  /** Nothing was done; `said` describes what would be done. */
  readonly isDryRun: boolean;
  /** The command's messages for people, in order. */
  readonly said: readonly string[];
  /** The session's status afterwards, as in `wisp status --json`. */
  readonly status: StatusView;
}

interface Asked {
  readonly act: Act;
  /** As given; undefined for the newest. */
  readonly session: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Runs a command for a program: it asks and shows nothing, and prints its result as one object.
 * The caller must explain a failure; this function prints no object for it.
 */
export async function actForProgram(
  cli: Cli,
  { act, session: asked, dryRun: isDryRun }: Asked,
  action: (cli: Cli) => Promise<Outcome>,
): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, asked));
  const messages: string[] = [];
  const acted = need(await action(collecting(cli, messages)));
  const read = need(await readStatus(cli, found));
  const session = found.session.id;
  const status = read.view;
  const view = {
    schema: `wisp.${act}/1`,
    session,
    isDryRun,
    said: messages,
    status,
  } satisfies ActView;
  cli.terminal.out(JSON.stringify(view, undefined, 2));
  return ok(acted);
}

/** Collects messages; standard output is reserved for the object. */
function collecting(cli: Cli, messages: string[]): Cli {
  const err = (text: string) => {
    messages.push(text.trim());
    cli.terminal.err(text);
  };
  const terminal: Terminal = {
    out: (text) => void messages.push(text.trim()),
    err,
    call: () => undefined,
    outHasColors: false,
    errHasColors: false,
    isInteractive: false,
    hasScreen: false,
  };
  return { ...cli, terminal, tell: err, ask: undefined };
}
