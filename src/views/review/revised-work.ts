import type { Refusal } from "../../base/failure.ts";
import { ok, type Result } from "../../base/result.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import { readRevisionsLog } from "../../fs-protocol/projections/revisions-log.ts";
import type { Troubles } from "../../session/state/role-troubles.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { World } from "../../workspace/world.ts";
import { spentBy } from "../cost/cost-view.ts";
import { reviewedCommits } from "../../workspace/finished/later-commits.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { differsElsewhere } from "../status/differs-elsewhere.ts";
import { statusView, type StatusView } from "../status/status-view.ts";

/** A complete revision with its state and status. */
export interface RevisedWork {
  readonly found: FoundSession;
  readonly state: SessionState;
  readonly troubles: Troubles;
  readonly view: StatusView;
}

/** The complete revisions of a session, oldest first; they are parts of the same work. */
export async function readRevisedWork(
  world: Pick<World, "host" | "env" | "program">,
  { home }: FoundSession,
): Promise<Result<readonly RevisedWork[], Refusal>> {
  const { files, clock } = world.host;
  const lines = readRevisionsLog(files, home.revisions);
  if (!lines.ok) return lines;
  const complete = new Set(lines.value.map(({ number }) => number));
  const homes = revisionHomes(files, home);
  if (!homes.ok) return homes;
  const works: RevisedWork[] = [];
  for (const one of homes.value) {
    const found = readSession(files, one);
    if (!found.ok) return found;
    if (!complete.has(found.value.session.parent?.revision ?? 0)) continue;
    const read = await readState(world, found.value);
    if (!read.ok) return read;
    const { state, troubles } = read.value;
    // The revision was complete once, but a person may have reopened and abandoned it since.
    if (endOf(state)?.how !== "complete") continue;
    const facts = { ...found.value, ...read.value, alive: NOBODY, nowMs: clock.nowMs() };
    works.push({ found: found.value, state, troubles, view: statusView(facts) });
  }
  return ok(works);
}

const NOBODY: ReadonlySet<never> = new Set();

/**
 * The status of the work as a whole: everything that its revisions reviewed, fixed or left open counts as reviewed,
 * fixed or open.
 */
export function withRevisions(
  view: StatusView,
  state: SessionState,
  works: readonly RevisedWork[],
): StatusView {
  if (works.length === 0) return view;
  const reviewed = reviewedCommits([state, ...works.map((work) => work.state)]);
  const { commits } = state.branch;
  const views = works.map((work) => work.view);
  return {
    ...view,
    reviewed: { commits: commits.filter((oid) => reviewed.has(oid)).length, of: commits.length },
    openItems: [view, ...views].flatMap(({ openItems }) => openItems),
    dismissed: [view, ...views].flatMap(({ dismissed }) => dismissed),
    fixed: {
      findings: sum([view, ...views].map(({ fixed }) => fixed.findings)),
      bugs: sum([view, ...views].map(({ fixed }) => fixed.bugs)),
    },
    unchanged: {
      findings: sum([view, ...views].map(({ unchanged }) => unchanged?.findings ?? 0)),
      bugs: sum([view, ...views].map(({ unchanged }) => unchanged?.bugs ?? 0)),
    },
    spent: spentBy(state, ...works.map((work) => work.state)),
    meanwhile: [view, ...views].flatMap(({ meanwhile }) => meanwhile),
    saidMeanwhile: [view, ...views].flatMap((one) => one.saidMeanwhile),
    differs: differsElsewhere(state, ...works.map((work) => work.state)),
    revised: works.length,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
