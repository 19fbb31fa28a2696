import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { isTasksCurrent, lookAtTasks } from "../../fs-protocol/look-at-tasks.ts";
import type { SessionState } from "../../fs-protocol/session-state.ts";
import type { RoleContext } from "../role-context.ts";
import { clip } from "../clip.ts";

/**
 * Before the first TASKS.md of this process is written: where somebody edited it, and no command has put
 * that on record (the role was started by hand, or anew after it was killed), the text is kept aside.
 */
export function keepFoundTasks(
  { ports, home, session, journal }: RoleContext<"builder">,
  state: SessionState,
): void {
  if (need(isTasksCurrent(ports.files, home, state))) return;
  const { found, text } = need(lookAtTasks(ports.files, home, session));
  if (found !== "edited" || text === undefined) return;
  const directory = join(session.state, "builder", "kept");
  need(ports.files.makeDirectory(directory));
  const path = join(directory, "TASKS.md.found");
  need(ports.files.replace(path, Buffer.from(text)));
  const why = "TASKS.md was edited, and no command took that over; it was put back";
  journal.append({
    kind: "note",
    time: journal.time(),
    text: clip(`${why}, and what was found is kept as ${path}`),
  });
}
