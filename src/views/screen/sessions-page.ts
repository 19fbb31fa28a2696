import { formatDuration } from "../../base/words/format-duration.ts";
import { shown } from "../../base/words/shown.ts";
import { stateTone } from "../next/session-rows.ts";
import { cutText } from "../rows/cells.ts";
import { row, span } from "../rows/row.ts";
import { table, type Cell } from "../rows/table.ts";
import { planProgress } from "../status/milestone-status.ts";
import { NOTHING_VERIFIED } from "../../session/rules/nothing-verified.ts";
import { isOutOfReach, stageWords } from "../status/stage-words.ts";
import type { StatusView } from "../status/status-view.ts";
import type { ListPage } from "./page-facts.ts";

/** A session of the repository; without a view if it cannot be read. */
export interface SessionLine {
  readonly id: string;
  readonly ageMs: number;
  readonly view: StatusView | undefined;
}

/** The sessions of a repository, to choose the one that the screen shows. */
export function sessionsPage(sessions: readonly SessionLine[], current: string): ListPage {
  const rows = table(sessions.map((one) => cellsOf(one, one.id === current)));
  return {
    kind: "list",
    page: { kind: "sessions" },
    title: "Sessions: state, progress, cost, age, place",
    rows,
    items: sessions.map(({ id, view }) => ({ id, acts: view === undefined ? [] : ["open"] })),
    ifNone: "There are no sessions here.",
  };
}

/** A longer name would leave no room for the state on a small screen. */
const NAME_CELLS_MAX = 32;

/** The known cost, shorter than in other places. */
function costWords({ spent: { turns, turnsOfUnknownCost, costUsd } }: StatusView): string {
  if (turns === 0) return "-";
  if (costUsd === undefined || turns === turnsOfUnknownCost) return "cost unknown";
  const known = `${costUsd.toFixed(2)} USD`;
  return turnsOfUnknownCost === 0 ? known : `${known} or more`;
}

function cellsOf({ id, ageMs, view }: SessionLine, isCurrent: boolean): readonly Cell[] {
  const name = row(
    span("strong", cutText(shown(id), NAME_CELLS_MAX)),
    isCurrent ? span("faint", " (shown)") : "",
  );
  const age = span("faint", formatDuration(ageMs));
  if (view === undefined) return [name, span("bad", "cannot be read"), "-", "-", age, ""];
  const { elsewhere } = view;
  const { tasks } = planProgress(view.milestones);
  const place = elsewhere === undefined ? "" : span("faint", `on ${shown(elsewhere.executor)}`);
  const questions = view.questions.length === 0 ? "" : ", asks you";
  // After the progress, which a narrow screen has room for in the other rows only if the states are short.
  const unverified = view.nothingVerified === true ? `, ${NOTHING_VERIFIED}` : "";
  // A narrow screen has no room for more of what was last seen.
  const stage = isOutOfReach(view)
    ? `OUT OF REACH (last ${view.state})`
    : stageWords({ ...view, nothingVerified: undefined });
  return [
    name,
    row(span(stateTone(view), stage), span("question", questions)),
    `${String(tasks.done)}/${String(tasks.of)} tasks${unverified}`,
    costWords(view),
    age,
    place,
  ];
}
