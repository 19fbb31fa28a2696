import { WISP_STATES } from "../fs-protocol/session-machine.ts";
import type { Result } from "../base/result.ts";
import { laterWords } from "./later-command.ts";
import type { Refused } from "./session-stage.ts";
import type { StatusView } from "./status-view.ts";

/** Why it cannot be taken, in the words of the status. */
export function inTheWay(
  view: StatusView,
  end: StatusView["end"],
  allowed: Result<void, Refused>,
): readonly string[] {
  const open = view.openItems.filter(({ isBlocking }) => isBlocking).map(({ id }) => id);
  return [
    ...(end === undefined && !allowed.ok ? [WISP_STATES[view.stage].says] : []),
    ...(end?.how === "stuck" ? [`it is stuck: ${end.reason}`] : []),
    ...(open.length === 0 ? [] : [`open: ${open.join(", ")}`]),
    ...(view.head === undefined ? [`its branch ${view.branch} is gone`] : []),
    ...(view.laterCommits > 0 ? [laterSaid(view)] : []),
  ];
}

/** Commits that nobody has reviewed. */
export function laterSaid({ laterCommits: count, reviewedTo: after }: StatusView): string {
  return laterWords({ count, after });
}
