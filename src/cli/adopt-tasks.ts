import { basename, join, resolve } from "node:path";
import { editKeeper } from "../agents/keep-edit.ts";
import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { checkEdit } from "../fs-protocol/check-edit.ts";
import { lookAtTasks, type TasksLook } from "../fs-protocol/look-at-tasks.ts";
import { withAcceptedTicks } from "../fs-protocol/plan-edit.ts";
import { dropEditCopies } from "./drop-edit-copies.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import type { CliFailure } from "./failures.ts";
import { findSession } from "./find-session.ts";
import { readState } from "./read-state.ts";
import { allow } from "./session-stage.ts";
import type { FoundSession } from "./sessions.ts";
import { shellWord } from "./shell-word.ts";
import { putEditOnRecord, takeBuildersLease } from "./take-edit.ts";

/**
 * `wisp tasks --adopt`: a TASKS.md that a person names takes the place of the one that is there, and is put on
 * record like any edit. What was ticked since it was written stays ticked. Killed in between, the edit lies in
 * TASKS.md, where the next command that goes on with the session takes it from.
 */
export async function adoptTasks(
  cli: Cli,
  {
    session,
    adopt,
    dryRun,
  }: {
    readonly session: string | undefined;
    readonly adopt: string;
    /** Only look whether it can be the plan, and say so. */
    readonly dryRun: boolean;
  },
): Promise<Outcome> {
  const { host } = cli;
  const found = findSession(host.files, cli.cwd, session);
  if (!found.ok) return found;
  const { id } = found.value.session;
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const { state } = read.value;
  const allowed = allow("update", { id, state, nowMs: host.clock.nowMs() });
  if (!allowed.ok) return allowed;
  const path = copyPath(cli, found.value, adopt);
  const text = textAt(cli, path);
  if (!text.ok) return text;
  const named = { text: text.value, name: basename(path) };
  if (dryRun) return sayAdopt(cli, found.value, named);
  const lease = await takeBuildersLease(cli, found.value);
  if (!lease.ok) {
    const { failure } = lease;
    return fail(failure.kind === "lease-held" ? { kind: "builder-writes", session: id } : failure);
  }
  try {
    return await adoptText(cli, found.value, named);
  } finally {
    await lease.value.release();
  }
}

/** A name alone is that of a copy in the home, if there is one. */
function copyPath({ host, cwd }: Cli, { home }: FoundSession, named: string): string {
  const kept = join(home.edits, named);
  const isKept = basename(named) === named && host.files.stat(kept) !== undefined;
  return isKept ? kept : resolve(cwd, named);
}

function textAt({ host }: Cli, path: string): Result<string, CliFailure> {
  const read = host.files.read(path, DOCUMENT_BYTES_MAX);
  if (!read.ok) return read;
  if (read.value !== undefined) return ok(new TextDecoder().decode(read.value));
  return fail({ kind: "file", operation: "read", path, errno: "ENOENT" });
}

interface NamedTasks {
  readonly text: string;
  readonly name: string;
}

/** A TASKS.md as it would be adopted, and what lies in its place. */
function checkTasks(
  { host: { files } }: Cli,
  { home, session }: FoundSession,
  { text, name }: NamedTasks,
): Result<{ readonly look: TasksLook; readonly adopted: string }, CliFailure> {
  const look = lookAtTasks(files, home, session);
  if (!look.ok) return look;
  const { builder, pending } = look.value;
  const adopted = withAcceptedTicks(text, builder);
  const draft = checkEdit(adopted, builder, pending);
  if (draft.ok) return ok({ look: look.value, adopted });
  const { line, problem } = draft.failure;
  return fail({ kind: "bad-edit", session: session.id, line, problem, file: name });
}

/** What would be done. */
function sayAdopt(cli: Cli, found: FoundSession, named: NamedTasks): Outcome {
  const checked = checkTasks(cli, found, named);
  if (!checked.ok) return checked;
  const { look, adopted } = checked.value;
  const isSame = look.text === adopted && look.isOwn;
  cli.terminal.err(
    isSame
      ? `${named.name} is the plan already.`
      : `Would make ${named.name} the plan of ${found.session.id}.`,
  );
  cli.terminal.err("Nothing was done.");
  return ok(EXIT.ok);
}

/** With the builder's lease. */
async function adoptText(cli: Cli, found: FoundSession, named: NamedTasks): Promise<Outcome> {
  const { host, terminal } = cli;
  const { home, session } = found;
  const { name } = named;
  const checked = checkTasks(cli, found, named);
  if (!checked.ok) return checked;
  const { adopted } = checked.value;
  const written = write(cli, found, checked.value);
  if (!written.ok) return written;
  const look = lookAtTasks(host.files, home, session);
  if (!look.ok) return look;
  const put = await putEditOnRecord(cli, found, look.value);
  if (!put.ok) return put;
  const dropped = dropEditCopies(host.files, home, { file: "TASKS.md", text: adopted });
  if (!dropped.ok) return dropped;
  if (!put.value) terminal.err(`${name} is the plan already.`);
  terminal.err(`To go on: wisp up ${shellWord(session.id)}`);
  return ok(EXIT.ok);
}

/** What a person wrote into TASKS.md itself, and nobody adopted, is kept beside it. */
function write(
  { host: { files } }: Cli,
  { home }: FoundSession,
  { look, adopted }: { readonly look: TasksLook; readonly adopted: string },
): Result<void, CliFailure> {
  if (look.text === adopted) return ok(undefined);
  const bytes = Buffer.from(adopted);
  const own = look.isOwn && look.text !== undefined ? Buffer.from(look.text) : bytes;
  return files.replace(home.tasks, bytes, () => editKeeper(files, home).keep(home.tasks, own));
}
