import { basename, join, resolve } from "node:path";
import { need } from "../../base/fatal.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { editKeeper } from "../../agents/home/keep-edit.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { checkEdit } from "../../session/rules/check-edit.ts";
import { lookAtTasks, type TasksLook } from "../../session/rules/look-at-tasks.ts";
import { withAcceptedTicks } from "../../session/rules/plan-edit.ts";
import { dropEditCopies } from "../../actions/up/drop-edit-copies.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { allow } from "../../workspace/session/session-stage.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { putEditOnRecord, takeBuildersLease, BadEdit } from "../../actions/up/take-edit.ts";

/** A TASKS.md was to be adopted while a builder, who alone writes it then, is at work. */
export const BuilderWrites = refusal(
  "builder-writes",
  EXIT.leaseHeld,
  ({ session }: { readonly session: string }) => [
    `The builder of ${shown(session)} is at work, and TASKS.md is its own until its process has ended.`,
    "Nothing was changed. Stop it, wait until it has finished its turn (wisp status), and say this again:",
    `wisp stop ${shellWord(session)}`,
  ],
);

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
  const found = need(findSession(host.files, cli.cwd, session));
  const { id } = found.session;
  const read = need(await readState(cli, found));
  const { state } = read;
  need(allow("update", { id, state, nowMs: host.clock.nowMs() }));
  const path = copyPath(cli, found, adopt);
  const text = need(textAt(cli, path));
  const named = { text, name: basename(path) };
  if (dryRun) return sayAdopt(cli, found, named);
  await using lease = await takeBuildersLease(cli, found);
  if (lease === undefined) return fail(BuilderWrites({ session: id }));
  return await adoptText(cli, found, named);
}

/** A name alone is that of a copy in the home, if there is one. */
function copyPath({ host, cwd }: Cli, { home }: FoundSession, named: string): string {
  const kept = join(home.edits, named);
  const isKept = basename(named) === named && host.files.stat(kept) !== undefined;
  return isKept ? kept : resolve(cwd, named);
}

function textAt({ host }: Cli, path: string): Result<string, Refusal> {
  const read = host.files.read(path, DOCUMENT_BYTES_MAX);
  if (!read.ok) return read;
  if (read.value !== undefined) return ok(new TextDecoder().decode(read.value));
  return fail(FileFailure({ operation: "read", path, errno: "ENOENT" }));
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
): Result<{ readonly look: TasksLook; readonly adopted: string }, Refusal> {
  const look = lookAtTasks(files, home, session);
  if (!look.ok) return look;
  const { builder, pending } = look.value;
  const adopted = withAcceptedTicks(text, builder);
  const draft = checkEdit(adopted, builder, pending);
  if (draft.ok) return ok({ look: look.value, adopted });
  const { line, problem } = draft.failure;
  return fail(BadEdit({ session: session.id, line, problem, file: name }));
}

/** What would be done. */
function sayAdopt(cli: Cli, found: FoundSession, named: NamedTasks): Outcome {
  const checked = need(checkTasks(cli, found, named));
  const { look, adopted } = checked;
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
  const checked = need(checkTasks(cli, found, named));
  const { adopted } = checked;
  need(write(cli, found, checked));
  const look = need(lookAtTasks(host.files, home, session));
  const put = await putEditOnRecord(cli, found, look);
  dropEditCopies(host.files, home, { file: "TASKS.md", text: adopted });
  if (!put) terminal.err(`${name} is the plan already.`);
  terminal.err(`To go on: wisp up ${shellWord(session.id)}`);
  return ok(EXIT.ok);
}

/** What a person wrote into TASKS.md itself, and nobody adopted, is kept beside it. */
function write(
  { host: { files } }: Cli,
  { home }: FoundSession,
  { look, adopted }: { readonly look: TasksLook; readonly adopted: string },
): Result<void, Refusal> {
  if (look.text === adopted) return ok(undefined);
  const bytes = Buffer.from(adopted);
  const own = look.isOwn && look.text !== undefined ? Buffer.from(look.text) : bytes;
  return files.replace(home.tasks, bytes, () => editKeeper(files, home).keep(home.tasks, own));
}
