import type { EventLine, ScreenLine, ScreenFacts } from "../screen/screen-facts.ts";
import { spentWords } from "../cost/cost-text.ts";
import { keptEditNotice } from "./kept-edits.ts";
import { sentence } from "../../base/words/sentence.ts";
import { phaseWords, shortName, stallWords, stateSentences } from "./status-text.ts";
import type { StatusView } from "./status-view.ts";

/** What the screen shows beside the status. */
export interface Beside {
  readonly events: readonly EventLine[];
  readonly tail: ScreenFacts["tail"];
  readonly said: readonly ScreenLine[];
}

/** A status as the screen shows it: words of models and of the world are cleaned. */
export function screenFacts(view: StatusView, beside: Beside): ScreenFacts {
  const edited = keptEditNotice(view.edits);
  const clean = (text: string) => sentence("plain", text).text;
  return {
    ...beside,
    session: view.session,
    branch: clean(view.branch),
    phase: phaseWords(view),
    notices: [
      ...stateSentences(view),
      ...(edited === undefined ? [] : [edited]),
      ...[...view.degraded, ...view.meanwhile].map((text) => sentence("ask", text)),
    ].map(({ tone, text }) => ({ style: tone, text })),
    roles: view.roles.map(({ role, state, isRunning, says }) => {
      return { role, state, isRunning, says: clean(says) };
    }),
    milestones: view.milestones.map((milestone) => {
      const stall = [
        ...milestone.gaveUp.map((role) => `the ${role} gave up`),
        ...stallWords(milestone),
      ].join(", ");
      return { ...milestone, name: shortName(clean(milestone.name)), stall };
    }),
    reviewed: view.reviewed,
    openItems: view.openItems.map(({ id, kind, level, brief, isBlocking }) => {
      return { id: clean(id), kind, level, brief: clean(brief), isBlocking };
    }),
    spent: view.spent.turns === 0 ? undefined : spentWords(view.spent),
    questions: view.questions.map(({ id, role, ask }) => ({ id, role, ask: clean(ask) })),
  };
}
