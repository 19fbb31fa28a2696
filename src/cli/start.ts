import { relative } from "node:path";
import { ok } from "../base/result.ts";
import type { Cli, Outcome } from "./cli.ts";
import { createSession } from "./create-session.ts";
import { beginRecording, checkRecording } from "./recording.ts";
import { EXIT } from "./exit-codes.ts";
import { draftSession, type StartWords } from "./session-draft.ts";
import type { FoundSession } from "./sessions.ts";
import { shellWord } from "./shell-word.ts";
import { warnUncommitted } from "./warn-uncommitted.ts";

export interface StartOptions extends StartWords {
  /** False: only make the session. */
  readonly up: boolean;
  readonly detach: boolean;
  /** Directory that the turns are recorded to. */
  readonly record?: string | undefined;
}

/** `wisp start`: makes a session for a request and, unless told otherwise, runs it. */
export async function start(cli: Cli, options: StartOptions): Promise<Outcome> {
  // While git is asked: what is needed afterwards takes as long to load.
  const loading = options.up ? import("./up.ts") : undefined;
  const recording = checkRecording(cli, options.record, undefined);
  if (!recording.ok) return recording;
  const draft = await draftSession(cli, options);
  if (!draft.ok) return draft;
  const [created] = await Promise.all([
    createSession(cli, draft.value),
    warnUncommitted(cli, draft.value),
  ]);
  if (!created.ok) return created;
  sayCreated(cli, created.value);
  const begun = beginRecording(cli, created.value, recording.value);
  if (!begun.ok) return begun;
  if (loading === undefined) {
    cli.terminal.err(`To run it: wisp up ${created.value.session.id}`);
    return ok(EXIT.ok);
  }
  const { runNew } = await loading;
  return runNew(cli, created.value, options);
}

function sayCreated({ terminal, cwd }: Cli, { home, session }: FoundSession): void {
  const { id, branch, verify } = session;
  const files = relative(cwd, home.directory);
  terminal.err(`Session ${id} on branch ${shellWord(branch)}, files in ${files}`);
  terminal.err(
    verify.length === 0
      ? "wisp: no verify command: ticks and commits alone say what is done (`verify` in .wisp/config.yaml)"
      : `Verified by: ${verify.map((argv) => argv.map(shellWord).join(" ")).join(", then ")}`,
  );
}
