import { basename, join } from "node:path";
import { present } from "../../base/assert.ts";
import type { SessionJson } from "./session-json.ts";
import { HOME_FILE_NAMES, homeFile, type HomeFileName } from "./catalogue.ts";

type CopiedSession = Pick<SessionJson, "state" | "createdAt">;

/**
 * The path of a file's copy outside of the session's home: with its only writer's copies, or with
 * the shared ones.
 */
export function copyPath(session: CopiedSession, name: HomeFileName): string {
  const { path, copy, writers } = homeFile(name);
  const owner = copy === "own" ? present(writers[0], "a copy of one writer has a writer") : "";
  // An earlier session may have had the same name.
  const stamp = session.createdAt.replace(/[:.]/g, "-");
  return join(session.state, owner, "kept", `${stamp}-${basename(path)}`);
}

/** Every file that has such a copy; those with a single writer come first. */
export const COPIED_FILES: readonly HomeFileName[] = [
  ...HOME_FILE_NAMES.filter((name) => homeFile(name).copy === "own"),
  ...HOME_FILE_NAMES.filter((name) => homeFile(name).copy === "shared"),
];

/** The folder of copies of staged plans, each under the name that it has in `plans/`. */
export function planCopies({ state }: Pick<CopiedSession, "state">): string {
  return join(state, "plans");
}

/** The copy of `session.json`, by which a session is found whose home was removed. */
export function sessionCopyPath({ state }: Pick<CopiedSession, "state">): string {
  return join(state, "session.json");
}
