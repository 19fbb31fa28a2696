import { PAST_SESSIONS_MAX } from "../base/limits.ts";
import type { PastWork } from "../session/rules/estimate-cost.ts";
import type { SessionState } from "../session/state/session-state.ts";
import { allSessions } from "./find-session.ts";
import { readState } from "./session/read-state.ts";
import type { World } from "./world.ts";

/**
 * What earlier sessions of this repository took, newest first. Sessions that cannot be read, that
 * recorded no milestone, or whose turns cost no time are left out: this is an estimate, and nothing depends on
 * it being whole.
 *
 * @param session the id of a session that does not count
 */
export async function pastWork(
  world: Pick<World, "host" | "env" | "program" | "cwd">,
  session: string | undefined,
): Promise<readonly PastWork[]> {
  const all = allSessions(world.host.files, world.cwd);
  if (!all.ok) return [];
  const others = all.value.sessions
    .filter((one) => one.session.id !== session)
    .sort((a, b) => b.session.createdAt.localeCompare(a.session.createdAt))
    .slice(0, PAST_SESSIONS_MAX);
  const past: PastWork[] = [];
  for (const found of others) {
    const read = await readState(world, found);
    const work = read.ok ? workOf(read.value.state) : undefined;
    if (work !== undefined) past.push(work);
  }
  return past;
}

function workOf({ builder, turns }: SessionState): PastWork | undefined {
  const recorded = new Set(builder.milestones.map(({ name }) => name));
  const tasks = builder.plan
    .filter(({ name }) => recorded.has(name))
    .reduce((sum, milestone) => sum + milestone.tasks.length, 0);
  const rows = turns?.facts.spend ?? [];
  const durationMs = rows.reduce((sum, row) => sum + row.durationMs, 0);
  if (tasks === 0 || durationMs === 0) return undefined;
  const isPriced = rows.every(({ unpriced }) => unpriced === 0);
  const costUsd = isPriced ? rows.reduce((sum, row) => sum + row.costUsd, 0) : undefined;
  return { tasks, costUsd, durationMs };
}
