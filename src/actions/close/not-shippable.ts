import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { WISP_STATES } from "../../session/rules/session-machine.ts";
import type { Result } from "../../base/result.ts";
import { laterWords } from "../../workspace/finished/later-command.ts";
import type { Refused } from "../../workspace/session/session-stage.ts";
import type { StatusView } from "../../views/status/status-view.ts";

interface Unfinished {
  readonly session: string;
  readonly problems: readonly string[];
  /** The next commands, as the status shows them. */
  readonly next: readonly string[];
}

/** A session cannot be shipped because it is not complete; lists what prevents it. */
export const NotGreen = refusal(
  "not-green",
  EXIT.stuck,
  ({ session, problems, next }: Unfinished) => [
    inSentences(`${shown(session)} is not complete: ${problems.map(shown).join("; ")}`),
    "Nothing was pushed or removed. To see what is left, and to continue:",
    `wisp status ${shellWord(session)}`,
    ...next,
  ],
);

/** Why it cannot be shipped, in the words of the status. */
export function whyNotShippable(
  view: StatusView,
  end: StatusView["end"],
  allowed: Result<void, Refused>,
): readonly string[] {
  const open = view.openItems.filter(({ isBlocking }) => isBlocking).map(({ id }) => id);
  return [
    ...(end === undefined && !allowed.ok ? [WISP_STATES[view.stage].meaning] : []),
    ...(end?.how === "stuck" ? [`it is stuck: ${end.reason}`] : []),
    ...(open.length === 0 ? [] : [`open: ${open.join(", ")}`]),
    ...(view.head === undefined ? [`its branch ${view.branch} is gone`] : []),
    ...(view.laterCommits > 0 ? [unreviewedWords(view)] : []),
  ];
}

/** Unreviewed commits. */
export function unreviewedWords({ laterCommits: count, reviewedTo: after }: StatusView): string {
  return laterWords({ count, after });
}
