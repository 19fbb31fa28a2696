import { closeSession } from "../../actions/close/close-session.ts";
import { endSession } from "../../actions/close/end-session.ts";
import { Oid } from "../../base/oid.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { fail, ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { Usage } from "../../workspace/usage.ts";
import { ownPlace } from "./own-place.ts";

/** How the work of the session was shipped. */
export interface ShippedWords {
  /** The commit. */
  readonly at: string;
  readonly remote?: string;
  readonly url?: string;
}

/** `wisp far close`: records that the work of a session was shipped, and ends it. Who leaves the place has its clones cleared. */
export async function close(
  cli: Cli,
  session: string,
  { at: text, remote, url }: ShippedWords,
): Promise<Outcome> {
  need(ownPlace(cli));
  const at = Oid.safeParse(text);
  if (!at.success) return fail(Usage({ problem: "--at takes a commit" }));
  const found = need(findSession(cli.host.files, cli.cwd, session));
  await closeSession(cli, found, {
    ...{ kind: "done", at: at.data },
    ...(remote === undefined ? {} : { remote }),
    ...(url === undefined ? {} : { url }),
  });
  await endSession(cli, found);
  return ok(EXIT.ok);
}
