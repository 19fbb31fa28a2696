import { shortSha } from "./describe-unit.ts";
import { sentence, type Sentence } from "./sentence.ts";
import type { StatusView } from "./status-view.ts";

/** What became of the work of a session that a person closed, where it is, and what is left of it to take. */
export function closedSentences(view: StatusView): Sentence[] {
  const { session, branch, head, closed, stage, revised, next } = view;
  if (closed?.how !== "done") {
    return [sentence("plain", `its branch is kept as refs/wisp/rescue/${session}/abandoned`)];
  }
  const at = head === undefined ? `${branch}, which is gone` : `${branch} at ${shortSha(head)}`;
  const pushed = closed.remote === undefined ? "pushed nowhere" : `pushed to ${closed.remote}`;
  const isToTake = stage === "pushed" || next.some((command) => command.startsWith("wisp done "));
  const left =
    revised > 0
      ? "it was revised since: wisp done takes that, too"
      : "not everything was cleaned up: wisp done does the rest";
  return [
    sentence("plain", `its work is on ${at}, ${pushed}`),
    ...(closed.url === undefined ? [] : [sentence("good", closed.url)]),
    ...(isToTake ? [sentence("ask", left)] : []),
  ];
}
