import { openBy } from "../../agents/builder/endings.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { openItems } from "../status/open-items.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** How many items are shown with the command that closes each. */
const DISMISSALS_MAX = 3;

/**
 * The next commands for a session that ended stuck. Fresh attempts come first, unless they were used up before: then
 * only a person's decision or another plan can end it. More attempts do not fix what `--no-fix` left open.
 */
export function stuckCommands({
  session,
  state,
}: Pick<StatusFacts, "session" | "state">): readonly string[] {
  const { id } = session;
  const open = openItems(state).flatMap((item) => (item.isBlocking ? [item.id] : []));
  const dismissals = open.slice(0, DISMISSALS_MAX).map((item) => dismissCommand(item, id));
  const resume = `wisp resume ${id}`;
  if (openBy(state, open).reported.length > 0) return [`${resume} --fix`, ...dismissals];
  const isAgain = open.some((item) => wasForgiven(state, item));
  return isAgain ? [...dismissals, resume] : [resume, ...dismissals];
}

/** Whether the item used up its attempts again after a `resume` had granted fresh ones. */
function wasForgiven({ builder }: SessionState, item: string): boolean {
  return (builder.forgiven.get(item) ?? 0) > 0;
}

/** The command that closes a finding or a bug for good; the reason is left to the person. */
function dismissCommand(item: string, session: string): string {
  return `wisp findings dismiss ${shellWord(item)} --session ${session} --why "<your reason>"`;
}
