import { formatDuration } from "../../base/words/format-duration.ts";
import { shown } from "../../base/words/shown.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { turnWords } from "../cost/cost-rows.ts";
import { listedStatus, stateTone, type ListedSession } from "../next/session-rows.ts";
import { row, span, titledRows, type Row } from "../rows/row.ts";
import { table, type Cell } from "../rows/table.ts";
import type { Elsewhere } from "../status/elsewhere.ts";
import { statusView } from "../status/status-view.ts";
import { startsRows, type StartedRequest } from "./starts-view.ts";

/** A session of the list of all, with where it runs and what it has cost. */
export interface SessionAnywhere extends ListedSession {
  /** The executor where it runs, as a person names it; `here` on this machine. */
  readonly executor: string;
  /** See `StatusView`; absent: it runs here, and its files are those that it works on. */
  readonly elsewhere?: Elsewhere | undefined;
  /** US dollars, over the turns that reported a cost; absent when none did. */
  readonly costUsd: number | undefined;
}

/** A start on another machine that was interrupted, or goes on now. */
export interface UnendedStart {
  readonly session: string;
  readonly branch: string;
  readonly executor: string;
}

/** What one repository has. */
export interface RepositoryOfAll {
  /** The top of its work tree. */
  readonly repository: string;
  readonly isThisOne: boolean;
  readonly sessions: readonly SessionAnywhere[];
  /** Sessions of which nothing can be told, and the kind of the failure. */
  readonly unreadable: readonly { readonly session: string; readonly problem: string }[];
  readonly starting: readonly UnendedStart[];
  /** Requests that wait in the queue, or have failed there. */
  readonly queue: readonly StartedRequest[];
}

/** What `wisp list --all --json` prints; fields are added, never renamed or removed. */
export interface ListAllView {
  readonly schema: "wisp.list-all/1";
  readonly repositories: readonly RepositoryOfAll[];
}

/** One session of the list of all. */
export function sessionAnywhere(facts: StatusFacts): SessionAnywhere {
  const view = statusView(facts);
  const { elsewhere, spent } = view;
  return {
    ...listedStatus(facts, view, facts.nowMs),
    executor: elsewhere?.executor ?? "here",
    elsewhere,
    costUsd: spent.costUsd,
  };
}

/** A block for each repository, which has its path as the title. */
export function listAllRows(repositories: readonly RepositoryOfAll[]): readonly (readonly Row[])[] {
  return repositories.map((one) => {
    const { repository, sessions, unreadable, starting, queue } = one;
    const cells = [
      ...sessions.map(cellsOf),
      ...unreadable.map(({ session, problem }): Cell[] => [
        ...[span("strong", shown(session)), "-", span("bad", "cannot be read"), "-", "-"],
        problem,
      ]),
      ...starting.map(({ session, executor, branch }): Cell[] => [
        ...[span("strong", shown(session)), shown(executor), "being started", "-", "-"],
        span("faint", shown(branch)),
      ]),
    ];
    const rows = [...table(cells), ...startsRows(queue)];
    return titledRows(shown(repository), rows, Number.MAX_SAFE_INTEGER);
  });
}

function cellsOf(one: SessionAnywhere): Cell[] {
  const { session, executor, says, tasks, costUsd, elsewhere, branch } = one;
  const cost = costUsd === undefined ? "-" : turnWords(undefined, costUsd);
  const done = `${String(tasks.done)}/${String(tasks.of)} tasks`;
  const head = [span("strong", shown(session)), shown(executor), span(stateTone(one), says)];
  return [...head, done, cost, row(span("faint", shown(branch)), freshness(elsewhere))];
}

/** How far what is shown can be believed. */
function freshness(elsewhere: Elsewhere | undefined): string {
  if (elsewhere === undefined || elsewhere.isHeard) return "";
  const { ageMs, trouble } = elsewhere;
  const age = ageMs === undefined ? "not all here yet" : `as of ${formatDuration(ageMs)} ago`;
  return `, ${age}${trouble === undefined ? "" : `: ${shown(trouble)}`}`;
}
