import { stateFor } from "../../workspace/session/session-for.ts";
import { need } from "../../base/fatal.ts";
import { IsRevision } from "../../actions/revise/revision-failures.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import { diffFiles } from "../../git/repository/diffs.ts";
import { gitContext } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { changeRequest } from "../../actions/up/change-request.ts";
import { findSession } from "../../workspace/find-session.ts";
import { readRequest, type Request } from "../../actions/start/read-request.ts";
import { requestWords } from "../../actions/start/request-words.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

export interface UpdateOptions {
  readonly request: string;
  /** Branch or id of the session; by default the newest. */
  readonly branch: string | undefined;
  /** False to only record the change. */
  readonly up: boolean;
  readonly detach: boolean;
  /** Print lines instead of showing the screen. */
  readonly plain: boolean;
  /** The planner plans it, whatever its form. */
  readonly plan: boolean;
  readonly dryRun: boolean;
}

/**
 * `wisp update`: changes the request. The old text is kept, so that the planner can be shown what
 * changed; the plan is reconciled at the next boundary, and the session continues.
 */
export async function update(cli: Cli, options: UpdateOptions): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = need(findSession(host.files, cli.cwd, options.branch));
  const { parent } = found.session;
  if (parent !== undefined) {
    const session = found.session.id;
    return fail(IsRevision({ session, parent: parent.id, asked: "update" }));
  }
  const request = readRequest(host.files, options.request, {
    cwd: cli.cwd,
    isProse: options.plan,
  });
  await stateFor(cli, "update", found);
  const { id } = found.session;
  if (options.dryRun) return sayUpdate(cli, found, request);
  const isRecorded = await changeRequest(cli, found, () => request);
  terminal.err(
    isRecorded
      ? `Changed the request of ${id}. The planner reconciles the plan with it at the next boundary.`
      : `The request of ${id} is unchanged.`,
  );
  if (isRecorded) for (const line of requestWords(request)) terminal.err(line);
  if (!options.up) {
    terminal.err(`To continue: wisp up ${id}`);
    return ok(EXIT.ok);
  }
  const { up } = await import("./up.ts");
  return up(cli, {
    session: id,
    detach: options.detach,
    plain: options.plain,
    resume: false,
    dryRun: false,
  });
}

/** Shows what would be recorded: the changes to the request. */
async function sayUpdate(cli: Cli, found: FoundSession, request: Request): Promise<Outcome> {
  const { home, session } = found;
  const pair = { before: home.request, after: request.path };
  const diff = need(await diffFiles(gitContext(cli), session.repository, pair));
  if (diff !== "") cli.terminal.out(diff.trimEnd());
  cli.terminal.err(
    diff === ""
      ? `The request of ${session.id} is unchanged. Nothing was done.`
      : `Would change the request of ${session.id} like this. Nothing was done.`,
  );
  if (diff !== "") for (const line of requestWords(request)) cli.terminal.err(line);
  return ok(EXIT.ok);
}
