import { join, relative } from "node:path";
import { ROLES } from "../../base/role.ts";
import type { SessionJson } from "./session-json.ts";

// What wisp itself reads or writes in the folder of a session's state. Clones, verify trees and the folders of a sandbox
// are left out: wisp makes them again. Anything else is a person's own.

const HOLDERS = ["supervisor", ...ROLES] as const;

/** Folders, as paths from that of the state; parents before children. */
const DIRECTORIES = [
  ...["kept", "plans", "prompts", "prompts/templates", "prompts/reviewers", "edited"],
  ...["refs", "refs/pack", "mirror"],
  ...HOLDERS.flatMap((holder) => [holder, `${holder}/kept`]),
  ...ROLES.map((role) => `${role}/tasks`),
];

/** Files, in the same way. What was moved aside has none of these names. */
const FILES = [
  /^(?:session|recording|far|spans-[^/]*)\.json$/u,
  /^plans\/[0-9a-f]{64}\.md$/u,
  /^refs\/(?:packed-refs|pack\/(?:pack-[0-9a-f]+\.(?:pack|rev|idx)|tmp_[^/]*))$/u,
  /^prompts\/(?:templates|reviewers)\/[^/]+\.md$/u,
  // As `copyPath` names them, by the time at which the session was created; and snapshots beside them.
  /^(?:[^/]+\/)?kept\/(?!.*\.aside-\d+$)(?:\d{4}-[^/]+|[^/]+\.snapshot)$/u,
  /^[^/]+\/(?:tasks\/TASKS\.md|before-turn\.json|(?:clone[^/]*\.(?:config|lfs)|contents\.lfs))$/u,
];

/** Where a session keeps the references that its clones get; a revision's are those of the clones' first session. */
export function refsDirectory({ state, parent }: Pick<SessionJson, "state" | "parent">): string {
  return join(parent?.state ?? state, "refs");
}

/** The folders in which wisp looks for files of a session's state, parents before children. */
export function stateDirectories({ state }: Pick<SessionJson, "state">): readonly string[] {
  return [state, ...DIRECTORIES.map((name) => join(state, name))];
}

/** Whether a file should be at a path below these folders, and nothing else. */
export function isStateFile({ state }: Pick<SessionJson, "state">, path: string): boolean {
  const name = relative(state, path);
  return FILES.some((pattern) => pattern.test(name));
}
