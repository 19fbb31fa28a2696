import { basename, join } from "node:path";
import { keepFollowed } from "../../actions/elsewhere/keep-followed.ts";
import { EXIT } from "../../base/exit-code.ts";
import { attempted, need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX, PLAN_DIGEST_SHOWN_CHARS } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { compareTasks } from "../../session/rules/compare-tasks.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { openEditor } from "../../terminal/open-editor.ts";
import { findSession } from "../../workspace/find-session.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { sessionFor } from "../../workspace/session/session-for.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { forwardCommand } from "../forward/forward-command.ts";
import { adoptTasks, BuilderWrites, checkTasks, tasksDigest } from "./adopt-tasks.ts";

/** A person's text, and from which plan it was made. */
interface EditedTasks {
  /** The file in which it is kept until it is the plan. */
  readonly kept: string;
  /** What `tasksDigest` says of that plan. */
  readonly from: string;
}

/**
 * `wisp edit`: opens the plan of a stopped session in the person's editor, and has the text adopted as with
 * `wisp tasks --adopt`: where the session runs, and only if its plan is still the one that was opened. A text that is
 * not adopted is kept, and the next edit of the same plan begins with it.
 */
export async function editTasks(
  cli: Cli,
  { session, dryRun }: { readonly session: string | undefined; readonly dryRun: boolean },
): Promise<Outcome> {
  const { files } = cli.host;
  await keepFollowed(cli, need(findSession(files, cli.cwd, session)));
  const { found } = await sessionFor(cli, "update", session);
  const { id } = found.session;
  // Also while it is edited nobody is kept from anything: what changes meanwhile is noticed at the end.
  if ((await readLeases(cli.host, found.home)).has("builder")) {
    return fail(BuilderWrites({ session: id }));
  }
  if (dryRun) {
    cli.terminal.err(`Would open the plan of ${id} in your editor.`);
    cli.terminal.err("Nothing was done.");
    return ok(EXIT.ok);
  }
  return editPlanOf(cli, found);
}

async function editPlanOf(cli: Cli, found: FoundSession): Promise<Outcome> {
  const { files } = cli.host;
  const { text, from } = begun(cli, found);
  const directory = join(found.session.state, "edited");
  const kept = join(directory, `kept-tasks-${from.slice(0, PLAN_DIGEST_SHOWN_CHARS)}.md`);
  const before = need(files.read(kept, DOCUMENT_BYTES_MAX));
  if (before !== undefined) {
    cli.terminal.err(`The editor begins with your text that was not adopted, from ${shown(kept)}.`);
  }
  const begin = before === undefined ? text : new TextDecoder().decode(before);
  const name = `edited-tasks-${String(process.pid)}.md`;
  const edited = await openEditor(cli, { directory, name, text: begin.trimEnd() });
  if (edited === undefined) return ok(EXIT.failure);
  const isEmpty = edited.trim() === "";
  if (isEmpty || edited.trimEnd() === text.trimEnd()) {
    cli.terminal.err(
      `${isEmpty ? "Your text is empty." : "The plan is as it was."} Nothing was recorded.`,
    );
    return ok(isEmpty ? EXIT.failure : EXIT.ok);
  }
  need(files.replace(kept, Buffer.from(edited)));
  return adoptKept(cli, found, { kept, from });
}

/** What the editor begins with, and which plan that was made from. */
function begun(
  { host: { files } }: Cli,
  { home, session, mirrors }: FoundSession,
): { readonly text: string; readonly from: string } {
  const { status, text = "", expected = "" } = need(compareTasks(files, home, session));
  // What a person wrote into a mirror is not known where the session runs.
  const isOnlyHere = mirrors !== undefined && status === "edited";
  return { text, from: tasksDigest(isOnlyHere ? expected : text) };
}

async function adoptKept(cli: Cli, found: FoundSession, edited: EditedTasks): Promise<Outcome> {
  const { kept } = edited;
  const adopted = await attempted(() =>
    found.mirrors === undefined
      ? adoptTasks(cli, {
          session: found.session.id,
          adopt: kept,
          from: edited.from,
          dryRun: false,
        })
      : adoptThere(cli, found, edited),
  );
  const isAdopted = adopted.ok && adopted.value.ok && adopted.value.value === EXIT.ok;
  if (isAdopted) need(cli.host.files.remove(kept));
  else cli.terminal.err(`Your text is kept in ${shown(kept)}.`);
  return need(adopted);
}

/** Sends a text to where the session runs, once it has been found to be a plan here. */
async function adoptThere(
  cli: Cli,
  found: FoundSession,
  { kept, from }: EditedTasks,
): Promise<Outcome> {
  const bytes = need(cli.host.files.read(kept, DOCUMENT_BYTES_MAX));
  const text = new TextDecoder().decode(bytes);
  checkTasks(cli, found, { text, name: basename(kept), from: undefined });
  const { id } = found.session;
  const flags = { asks: false, shows: false, isDetached: false, isPlain: false };
  return forwardCommand(cli, found, {
    ...{ name: "tasks", session: id, file: kept, json: false, dryRun: false },
    words: ["tasks", id, "--adopt", kept, "--from", from],
    ...flags,
  });
}
