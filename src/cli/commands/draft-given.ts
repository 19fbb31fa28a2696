import {
  draftSession,
  type SessionDraft,
  type StartWords,
} from "../../actions/start/session-draft.ts";
import { STANDARD_INPUT } from "../../actions/start/read-request.ts";
import { need } from "../../base/fatal.ts";
import type { Cli } from "../../terminal/cli.ts";

/** Drafts the session of the request that a command line names: a file, or `-` for standard input. */
export async function draftGiven(cli: Cli, words: StartWords): Promise<SessionDraft> {
  if (words.request !== "-") return draftSession(cli, words);
  const { readInput } = await import("../../terminal/read-input.ts");
  const content = need(await readInput());
  return draftSession(cli, { ...words, request: STANDARD_INPUT, content });
}
