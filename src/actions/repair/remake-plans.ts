import { createHash } from "node:crypto";
import { need } from "../../base/fatal.ts";
import { checkEdit } from "../../session/rules/check-edit.ts";
import { planPath } from "../../fs-protocol/home/home.ts";
import { readHomeLogs } from "../../fs-protocol/home/logs.ts";
import { compareTasks } from "../../session/rules/compare-tasks.ts";
import { renderTasks } from "../../fs-protocol/tasks/tasks-render.ts";
import type { World } from "../../workspace/world.ts";
import { lostPlans, type LostPlan } from "../../workspace/home/lost-plans.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { recordEdit } from "../up/take-edit.ts";

type RepairWorld = Pick<World, "host" | "env" | "tell">;

/**
 * Restores staged plans from their copies or from TASKS.md. If neither has the plan in force, it is
 * recreated: TASKS.md with the recorded milestones and tasks, adopted like a person's edit.
 * The caller must hold all leases.
 */
export async function remakePlans(world: RepairWorld, found: FoundSession): Promise<void> {
  const { files } = world.host;
  const logs = readHomeLogs(files, found.home);
  for (const lost of lostPlans(files, found, logs)) {
    if (lost.bytes !== undefined) need(files.replace(planPath(found.home, lost.plan), lost.bytes));
    else if (lost.way === "recreate") await remake(world, found, lost);
  }
}

async function remake(
  world: RepairWorld,
  found: FoundSession,
  { milestones }: LostPlan,
): Promise<void> {
  const { files } = world.host;
  const { home, session } = found;
  const look = need(compareTasks(files, home, session));
  const { builder, pending, text: present } = look;
  const isPlan = present !== undefined && checkEdit(present, builder, pending).ok;
  const text = isPlan ? present : renderTasks(milestones, builder.ticks);
  const draft = checkEdit(text, builder, pending);
  // The recorded text is not a valid plan any more: the check of the home reports it.
  if (!draft.ok) return;
  if (!isPlan) {
    if (present !== undefined) keepAside(world, found, present);
    need(files.replace(home.tasks, Buffer.from(text)));
  }
  await recordEdit(world, found, { text, builder, draft: draft.value });
  world.tell(
    "The plan was lost. wisp recreated it from the logs; notes between its tasks are gone.",
  );
}

/** Keeps a copy of existing text that is not a usable plan. */
function keepAside({ host: { files } }: RepairWorld, { home }: FoundSession, text: string): void {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  need(files.replace(`${home.tasks}.aside-${digest}`, Buffer.from(text)));
}
