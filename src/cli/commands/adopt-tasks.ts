import { sessionFor } from "../../workspace/session/session-for.ts";
import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { need, CannotGoOn } from "../../base/fatal.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { editKeeper } from "../../home/edit-keeper.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { checkEdit } from "../../session/rules/check-edit.ts";
import { compareTasks, type TasksComparison } from "../../session/rules/compare-tasks.ts";
import { withAcceptedTicks } from "../../session/rules/plan-edit.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import { dropEditCopies } from "../../actions/up/drop-edit-copies.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { putEditOnRecord, takeBuildersLease, BadEdit } from "../../actions/up/take-edit.ts";

/** A TASKS.md cannot be adopted while a builder is running, because only the builder may write it then. */
export const BuilderWrites = refusal(
  "builder-writes",
  EXIT.leaseHeld,
  ({ session }: { readonly session: string }) => [
    `The builder of ${shown(session)} is running, and only the builder writes TASKS.md while it runs.`,
    "Nothing was changed. Stop it, wait until it has finished its turn (wisp status), and run the command again:",
    `wisp stop ${shellWord(session)}`,
  ],
);

/** The plan is not the one any more from which a text was made. */
export const PlanMovedOn = refusal(
  "plan-moved-on",
  EXIT.failure,
  ({ session }: { readonly session: string }) => [
    `The plan of ${shown(session)} has changed since that text was begun, and nothing of it was recorded.`,
    "Look at the plan as it is now, and edit that:",
    `wisp tasks ${shellWord(session)}`,
    `wisp edit ${shellWord(session)}`,
  ],
);

/** Names a text of TASKS.md, whichever of its boxes are ticked: ticks are merged. */
export function tasksDigest(text: string): string {
  return createHash("sha256").update(replaceTicks(text, new Map())).digest("hex");
}

/**
 * `wisp tasks --adopt`: a TASKS.md named by a person replaces the current one, and is recorded
 * like any edit. Tasks ticked since it was written stay ticked. If the command is killed midway, the edit is in
 * TASKS.md, and the next command that continues the session picks it up from there.
 */
export async function adoptTasks(
  cli: Cli,
  {
    session,
    adopt,
    from,
    dryRun,
  }: {
    readonly session: string | undefined;
    readonly adopt: string;
    /** What `tasksDigest` says of the TASKS.md from which it was made; undefined: whatever there is now. */
    readonly from?: string | undefined;
    /** Only check whether it can be the plan. */
    readonly dryRun: boolean;
  },
): Promise<Outcome> {
  const { found } = await sessionFor(cli, "update", session);
  const path = copyPath(cli, found, adopt);
  const text = textAt(cli, path);
  const named = { text, name: basename(path), from };
  if (dryRun) return sayAdopt(cli, found, named);
  await using lease = await takeBuildersLease(cli, found);
  if (lease === undefined) return fail(BuilderWrites({ session: found.session.id }));
  return await adoptText(cli, found, named);
}

/** A bare file name means a copy in the home, if there is one. */
function copyPath({ host, cwd }: Cli, { home }: FoundSession, named: string): string {
  const kept = join(home.edits, named);
  const isKept = basename(named) === named && host.files.stat(kept) !== undefined;
  return isKept ? kept : resolve(cwd, named);
}

function textAt({ host }: Cli, path: string): string {
  const bytes = need(host.files.read(path, DOCUMENT_BYTES_MAX));
  if (bytes !== undefined) return new TextDecoder().decode(bytes);
  throw new CannotGoOn(FileFailure({ operation: "read", path, errno: "ENOENT" }));
}

/** A text that is to be the plan. */
export interface NamedTasks {
  readonly text: string;
  /** Of the file, for messages. */
  readonly name: string;
  readonly from: string | undefined;
}

/** A TASKS.md as it would be adopted, and the current one. */
interface CheckedTasks {
  readonly look: TasksComparison;
  readonly adopted: string;
  /** Whether the text was made from the current one, so that nothing is lost with that. */
  readonly isMadeFromIt: boolean;
}

/** Checks whether a text can be adopted; throws `CannotGoOn` if it cannot. */
export function checkTasks(
  { host: { files } }: Pick<Cli, "host">,
  { home, session }: FoundSession,
  { text, name, from }: NamedTasks,
): CheckedTasks {
  const look = need(compareTasks(files, home, session));
  const { builder, pending } = look;
  const adopted = withAcceptedTicks(text, builder);
  const now = tasksDigest(look.text ?? "");
  const isMadeFromIt = from === now;
  // A command that was killed may have written it already.
  if (from !== undefined && !isMadeFromIt && now !== tasksDigest(adopted)) {
    throw new CannotGoOn(PlanMovedOn({ session: session.id }));
  }
  const draft = checkEdit(adopted, builder, pending);
  if (draft.ok) return { look, adopted, isMadeFromIt };
  const { line, problem } = draft.failure;
  throw new CannotGoOn(BadEdit({ session: session.id, line, problem, file: name }));
}

/** Shows what would be done. */
function sayAdopt(cli: Cli, found: FoundSession, named: NamedTasks): Outcome {
  const { look, adopted } = checkTasks(cli, found, named);
  const isSame = look.text === adopted && look.isOwn;
  cli.terminal.err(
    isSame
      ? `${named.name} is already the plan.`
      : `Would make ${named.name} the plan of ${found.session.id}.`,
  );
  cli.terminal.err("Nothing was done.");
  return ok(EXIT.ok);
}

/** Called with the builder's lease held. */
async function adoptText(cli: Cli, found: FoundSession, named: NamedTasks): Promise<Outcome> {
  const { host, terminal } = cli;
  const { home, session } = found;
  const { name } = named;
  const checked = checkTasks(cli, found, named);
  const { adopted } = checked;
  write(cli, found, checked);
  const look = need(compareTasks(host.files, home, session));
  const put = await putEditOnRecord(cli, found, look);
  dropEditCopies(host.files, home, { file: "TASKS.md", text: adopted });
  if (!put) terminal.err(`${name} is already the plan.`);
  terminal.err(`To continue: wisp up ${shellWord(session.id)}`);
  return ok(EXIT.ok);
}

/** A person's edit of TASKS.md that has not been adopted is kept as a copy. */
function write(
  { host: { files } }: Cli,
  { home }: FoundSession,
  { look, adopted, isMadeFromIt }: CheckedTasks,
): void {
  if (look.text === adopted) return;
  const bytes = Buffer.from(adopted);
  const isKnown = look.isOwn || isMadeFromIt;
  const own = isKnown && look.text !== undefined ? Buffer.from(look.text) : bytes;
  need(files.replace(home.tasks, bytes, () => editKeeper(files, home).keep(home.tasks, own)));
}
