import { createHash } from "node:crypto";
import type { CommittedFile } from "../../base/ports/repo.ts";
import type { SandboxKind } from "../../base/ports/sandbox.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { setupInputs } from "./setup-inputs.ts";

/** What determines the setup of a commit. */
export interface SetupFacts {
  readonly session: Pick<SessionJson, "setup" | "setupInputs" | "build">;
  /** All files of the commit. */
  readonly files: readonly Pick<CommittedFile, "path" | "oid">[];
  readonly sandbox: SandboxKind;
  /** The variables that an answer has commands see from then on; absent: those of the session. */
  readonly env?: readonly string[] | undefined;
}

/** Increase it when trees are set up in another way, so that all keys change. */
const VERSION = "2";
const KEY_CHARS = 16;

/**
 * The key of a commit's setup, computed from its commands and all tracked files that determine what they make.
 * Commits with the same key share a setup. A verdict with one setup does not count for another.
 */
export function setupKey({ session, files, sandbox, env }: SetupFacts): string {
  const { setup, build = [], setupInputs: globs = [] } = session;
  const hash = createHash("sha256");
  const replaced = env === undefined ? [] : [env];
  hash.update(JSON.stringify([VERSION, setup, build, sandbox, ...replaced]));
  const isInput = setupInputs(globs, setup.flat());
  for (const { path, oid } of setup.length === 0 ? [] : files) {
    if (isInput(path)) hash.update(`\0${path}\0${oid}`);
  }
  return hash.digest("hex").slice(0, KEY_CHARS);
}
