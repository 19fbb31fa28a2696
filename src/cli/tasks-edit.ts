import type { Files } from "../base/files.ts";
import type { EditCopy } from "../fs-protocol/edit-copies.ts";
import { isTasksCurrent, lookAtTasks } from "../fs-protocol/look-at-tasks.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";
import type { FoundSession } from "./sessions.ts";

/** TASKS.md itself, where a person edited it and no command has put that on record yet; only without a builder. */
export function tasksEdit(
  files: Files,
  { home, session }: FoundSession,
  state: SessionState,
): readonly EditCopy[] {
  const current = isTasksCurrent(files, home, state);
  if (!current.ok || current.value) return [];
  const look = lookAtTasks(files, home, session);
  const isEdited = look.ok && look.value.found === "edited" && look.value.text !== undefined;
  return isEdited ? [{ file: "TASKS.md", path: home.tasks }] : [];
}
