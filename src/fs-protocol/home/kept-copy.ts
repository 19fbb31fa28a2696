import { basename, join } from "node:path";
import { present } from "../../base/assert.ts";
import type { SessionJson } from "./session-json.ts";
import { HOME_FILE_NAMES, homeFile, type HomeFileName } from "./catalogue.ts";

type Kept = Pick<SessionJson, "state" | "createdAt">;

/** Where the copy of a file lies outside of the session's home: that of its only writer, or that of all who write it. */
export function copyPath(session: Kept, name: HomeFileName): string {
  const { path, copy, writers } = homeFile(name);
  const owner = copy === "own" ? present(writers[0], "a copy of one writer has a writer") : "";
  // Another session may once have had the same name.
  const stamp = session.createdAt.replace(/[:.]/g, "-");
  return join(session.state, owner, "kept", `${stamp}-${basename(path)}`);
}

/** Every file that has such a copy: those of single writers first. */
export const COPIED_FILES: readonly HomeFileName[] = [
  ...HOME_FILE_NAMES.filter((name) => homeFile(name).copy === "own"),
  ...HOME_FILE_NAMES.filter((name) => homeFile(name).copy === "shared"),
];

/** The copies of staged plans, each by the name that it has in `plans/`. */
export function planCopies({ state }: Pick<Kept, "state">): string {
  return join(state, "plans");
}

/** The copy of `session.json`: by it a session is found whose home was removed. */
export function sessionCopyPath({ state }: Pick<Kept, "state">): string {
  return join(state, "session.json");
}
