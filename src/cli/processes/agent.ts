import { EXIT } from "../../base/exit-code.ts";
import { homeHost } from "../../work/home-host.ts";
import type { RoleStart } from "../../agents/role-start.ts";
import type { RoleEnd } from "../../work/run-role.ts";
import { loadRole, startRole } from "../../agents/start-role.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { traced, type SpanOf } from "../../base/ports/trace.ts";
import { fail, ok } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { branchRewritten } from "../../workspace/branch-rewritten.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { passGate } from "../../host/processes/pass-gate.ts";
import { openEngines } from "../../actions/attach/open-engine.ts";
import { commandSandbox, openRoleSandbox } from "../../actions/attach/open-sandbox.ts";
import { roleNeeded, type TypedNames } from "../../workspace/role-and-session.ts";
import { OtherProgram, runningOther } from "../../workspace/session/other-program.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { promptDirectories } from "../../actions/start/prompt-files.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import { slotsDirectory } from "../../workspace/state-directory.ts";

const PREPARE: SpanOf = { category: "start", name: "prepare the role" };

/** `wisp agent`: one role of a session in this process, until it ends. */
export async function agent(
  cli: Cli,
  options: TypedNames & {
    /** Only load the code, until the process that started this one lets it begin. */
    readonly whenTold?: boolean | undefined;
  },
): Promise<Outcome> {
  const named = need(roleNeeded("agent", options));
  const { role } = named;
  const found = need(findSession(cli.host.files, cli.cwd, named.session));
  const { id } = found.session;
  if (options.whenTold === true) {
    await loadRole(role);
    if (!passGate()) return ok(EXIT.ok);
  }
  const { terminal } = cli;
  const other = runningOther(cli, found.home);
  if (other !== undefined) return fail(OtherProgram({ session: id, holder: other }));
  terminal.err(
    `Starting the ${role} of ${id}. To see what it does: wisp logs ${role} ${id} --follow`,
  );
  const host = homeHost(cli.host, found);
  const end = await startRole(
    role,
    traced(PREPARE, () => roleStart({ ...cli, host }, found, role)),
  );
  if (end.kind === "ended") terminal.err(`The ${role} of ${id} has ended: ${WHY[end.reason]}.`);
  return outcomeOf(cli, found, end);
}

/** Why a role's process ended, for the person who started it. */
const WHY: Readonly<Record<Extract<RoleEnd, { kind: "ended" }>["reason"], string>> = {
  done: "the session has ended, and nothing is left for it to do",
  stopped: "the session was stopped; wisp resume continues it",
  "branch-rewritten": "the session's branch was rewritten or deleted",
  interrupted: "it was interrupted",
};

async function roleStart(
  cli: Cli,
  { home, session }: FoundSession,
  role: Role,
): Promise<RoleStart> {
  const { host, env } = cli;
  const stop = new AbortController();
  for (const signalName of ["SIGTERM", "SIGINT"] as const) {
    process.on(signalName, () => {
      stop.abort();
    });
  }
  const sandbox = await openRoleSandbox(cli, session, role);
  return {
    host,
    home,
    session,
    engines: openEngines(cli, session, { role, sandbox }),
    sandbox: commandSandbox(sandbox, session.sandbox),
    ...promptDirectories(cli, session),
    env,
    slots: slotsDirectory(env),
    temporary: temporaryDirectory(),
    pid: process.pid,
    stop,
    program: cli.program,
  };
}

async function outcomeOf(cli: Cli, found: FoundSession, end: RoleEnd): Promise<Outcome> {
  switch (end.kind) {
    case "lease-held":
    case "mirror-is-read-only":
    case "moved-away":
      return fail(end);
    case "failed":
      // Failures of a role are explained where those of every command are.
      throw new CannotGoOn(end.failure);
    case "ended":
      if (end.reason === "interrupted") return ok(EXIT.interrupted);
      if (end.reason !== "branch-rewritten") return ok(EXIT.ok);
      return rewritten(cli, found);
  }
}

async function rewritten(cli: Cli, found: FoundSession): Promise<Outcome> {
  const read = await readState(cli, found);
  return read.ok ? fail(await branchRewritten(cli, found, read.value.state)) : read;
}
