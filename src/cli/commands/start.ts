import { join, relative } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { EarlySupervisor } from "../../agents/supervisor/early-supervisor.ts";
import type { Repository } from "../../git/repository/repository.ts";
import type { Request } from "../../actions/start/read-request.ts";
import { likelyId } from "../../actions/start/choose-branch.ts";
import { homeAt } from "../../fs-protocol/home/home.ts";
import { supervisorCommand } from "../../views/next/supervisor-command.ts";
import { createSession } from "../../actions/start/create-session.ts";
import { beginRecording, checkRecording } from "../../actions/start/recording.ts";
import { refuseStarted } from "../../actions/start/same-request.ts";
import { noSandboxWords, sandboxRemedy } from "../../workspace/sandbox-program.ts";
import {
  draftSession,
  type SessionDraft,
  type StartWords,
} from "../../actions/start/session-draft.ts";
import { startView, type StartView } from "../../actions/start/start-view.ts";
import { requestWords } from "../../actions/start/request-words.ts";
import { sessionsDirectory, type FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { foreignCommands, trustCommands } from "../../actions/start/trust-commands.ts";
import { verifyLine } from "../../actions/start/verify-line.ts";

export interface StartOptions extends StartWords {
  /** False to only create the session. */
  readonly up: boolean;
  readonly detach: boolean;
  /** Print lines instead of showing the screen, even on a terminal. */
  readonly plain: boolean;
  /** All commands in the repository's settings may run. */
  readonly yes: boolean;
  /** Even if another session has the same request. */
  readonly again?: boolean | undefined;
  /** For programs, which do not watch. */
  readonly json: boolean;
  /** Directory to record the turns in. */
  readonly record?: string | undefined;
}

/** `wisp start`: creates a session for a request and, unless told otherwise, runs it. */
export async function start(cli: Cli, options: StartOptions): Promise<Outcome> {
  let early: EarlySupervisor | undefined;
  const onRequest = (repository: Repository, { slug }: Request) => {
    const { up, branch } = options;
    if (up) early = superviseEarly(cli, repository, { branch, slug });
  };
  try {
    return await startWith(cli, options, { onRequest, early: () => early });
  } finally {
    // Refused, or created under another name.
    early?.dismiss();
  }
}

/**
 * Starts the supervisor's process of a session that is about to be created: it waits, and loads its code meanwhile. If
 * the session gets another id than expected, the process ends unused.
 */
function superviseEarly(
  cli: Cli,
  repository: Repository,
  wanted: Pick<StartOptions, "branch"> & Pick<Request, "slug">,
): EarlySupervisor {
  const { directory } = repository;
  const id = likelyId(cli, repository, wanted);
  return new EarlySupervisor(cli.host.processes, {
    home: homeAt(join(sessionsDirectory(directory), id)),
    supervisor: supervisorCommand(cli, { session: { id, repository: directory } }),
  });
}

/** The supervisor's process, which is started once the request is read. */
interface Early {
  readonly onRequest: (repository: Repository, request: Request) => void;
  readonly early: () => EarlySupervisor | undefined;
}

async function startWith(
  cli: Cli,
  options: StartOptions,
  { onRequest, early }: Early,
): Promise<Outcome> {
  // Loaded while git is running, which takes about as long.
  const loading = options.up ? import("./up.ts") : undefined;
  const recording = checkRecording(cli, options.record, undefined);
  const draft = await draftSession(cli, options, onRequest);
  await refuseStarted(cli, draft, { ...options, path: options.request });
  const trusted = await trustCommands(cli, foreignCommands(draft), {
    isSure: options.yes,
    isProgram: options.json,
    command: `wisp start ${shellWord(options.request)} --yes`,
  });
  if (trusted === undefined) {
    cli.terminal.err("Nothing was created.");
    return ok(EXIT.failure);
  }
  const making = createSession(cli, draft);
  // Loaded and read while the session is created.
  const { notInBase } = await import("../../actions/start/not-in-base.ts");
  const finding = notInBase(cli, draft);
  await Promise.allSettled([making, finding]);
  const created = await making;
  const { missing, notices } = await finding;
  trusted.remember();
  sayCreated(cli, created);
  for (const line of requestWords(draft.request)) cli.terminal.err(line);
  for (const line of notices) cli.terminal.err(line);
  beginRecording(cli, created, recording);
  if (loading === undefined) {
    cli.terminal.err(`To run it: wisp up ${created.session.id}`);
    return sayView(cli, options, draft, { ...created, missing });
  }
  const { runNew } = await loading;
  const ran = await runNew(cli, created, {
    ...{ plain: options.plain, early: early() },
    detach: options.detach || options.json,
  });
  return ran.ok && options.json ? sayView(cli, options, draft, { ...created, missing }) : ran;
}

function sayView(
  { terminal }: Cli,
  { json, up }: StartOptions,
  draft: SessionDraft,
  { home, session: { id, branch }, missing }: FoundSession & Pick<StartView, "missing">,
): Outcome {
  const made = { id, branch, home: home.directory, isSupervised: up, missing };
  if (json) terminal.out(JSON.stringify(startView(draft, made), undefined, 2));
  return ok(EXIT.ok);
}

function sayCreated(cli: Cli, { home, session }: FoundSession): void {
  const { terminal, cwd } = cli;
  const { id, branch, verify, sandbox } = session;
  const files = relative(cwd, home.directory);
  terminal.err(`Session ${id} on branch ${shellWord(branch)}, files in ${files}`);
  terminal.err(verifyLine(verify));
  for (const line of noSandboxWords(sandbox, sandboxRemedy(cli))) terminal.err(`wisp: ${line}`);
}
