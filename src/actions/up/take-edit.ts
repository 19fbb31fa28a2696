import type { Lease } from "../../base/ports/locks.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { createHash } from "node:crypto";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { refuseWrites } from "../../home/write-fence.ts";
import { editKeeper } from "../../home/edit-keeper.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { checkEdit, type EditDraft } from "../../session/rules/check-edit.ts";
import { leasePath, planPath, type Home } from "../../fs-protocol/home/home.ts";
import {
  isTasksCurrent,
  compareTasks,
  type TasksComparison,
} from "../../session/rules/compare-tasks.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { appendHuman, type HumanLogWriter } from "../../workspace/session/append-human.ts";
import { dropEditCopies } from "./drop-edit-copies.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { count } from "../../base/words/sentence.ts";

interface NoPlan {
  readonly session: string;
  /** From 1. */
  readonly line: number;
  readonly problem: string;
  /** Name of the file, if it is not TASKS.md itself. */
  readonly file?: string | undefined;
}

/** A person's edit of TASKS.md that cannot be adopted. */
export const BadEdit = refusal(
  "bad-edit",
  EXIT.usage,
  ({ session, line, problem, file }: NoPlan) => [
    `${file === undefined ? "TASKS.md" : shown(file)}, line ${String(line)}: ${shown(problem)}.`,
    file === undefined
      ? "It was edited, and the edit cannot be adopted. Nothing was started, and the file is as you left it. Correct " +
        "it, or remove it to continue with the previous plan:"
      : "It cannot be adopted, and nothing was changed. Correct it and run the command again; or continue without it:",
    `wisp up ${session}`,
  ],
);

/**
 * Before a session continues: records a person's edit of TASKS.md made while no builder ran, for
 * the builder to adopt. The edited text is staged first, then named in human.log; if killed in
 * between, the next command repeats both. A text that is not a valid plan, or that alters completed
 * milestones, is refused and left as it is.
 *
 * @param state as it was just read; avoids a closer check if TASKS.md is as expected
 * @returns whether an edit was recorded
 */
export async function takeEdit(
  world: HumanLogWriter,
  found: FoundSession,
  state?: Pick<SessionState, "builder" | "human">,
): Promise<boolean> {
  const { host } = world;
  const { home, session } = found;
  if (state !== undefined) {
    if (need(isTasksCurrent(host.files, home, state))) return false;
  }
  await using lease = await takeBuildersLease(world, found);
  // A running builder writes TASKS.md itself, and restores it when others change it.
  if (lease === undefined) return false;
  return await putEditOnRecord(world, found, need(compareTasks(host.files, home, session)));
}

/**
 * The lease needed to write TASKS.md; undefined if a builder holds it. Throws `CannotGoOn` if the home is not written on
 * this machine.
 */
export async function takeBuildersLease(
  { host }: HumanLogWriter,
  { home }: FoundSession,
): Promise<Lease | undefined> {
  need(refuseWrites(host.files, home));
  need(host.files.makeDirectory(home.locks));
  const taken = await host.locks.takeLease(leasePath(home, "builder"));
  return !taken.ok && taken.failure.kind === "lease-held" ? undefined : need(taken);
}

/**
 * Stages an edit and names it in human.log; the caller holds the builder's lease. Returns whether
 * there was one.
 */
export async function putEditOnRecord(
  world: HumanLogWriter,
  found: FoundSession,
  { status, text, builder, pending }: TasksComparison,
): Promise<boolean> {
  if (status === "behind" && text !== undefined) sayBehind(world);
  if (status !== "edited" || text === undefined) return false;
  const draft = checkEdit(text, builder, pending);
  if (!draft.ok) {
    const { line, problem } = draft.failure;
    throw new CannotGoOn(BadEdit({ session: found.session.id, line, problem }));
  }
  return recordEdit(world, found, { text, builder, draft: draft.value });
}

/** An edited TASKS.md that was checked. */
interface JudgedEdit {
  readonly text: string;
  readonly builder: TasksComparison["builder"];
  readonly draft: EditDraft;
  /** The version of the request that the plan is for; absent: that of the plan in force. */
  readonly request?: number;
  /** Decides under the lock of human.log whether the edit is still wanted; absent: it is. */
  readonly isDue?: (human: HumanFold) => boolean;
}

/** Stages an edit, and names it in human.log. Returns false if it is not due any more. */
export async function recordEdit(
  world: HumanLogWriter,
  found: FoundSession,
  { text, builder, draft, request: made, isDue }: JudgedEdit,
): Promise<boolean> {
  const plan = createHash("sha256").update(text).digest("hex");
  stage(world, found.home, { plan, text });
  const appended = need(
    await appendHuman(world, found, (human) => {
      if (isDue?.(human) === false) return undefined;
      // Without a plan in force, the person's plan is for the current request.
      const inForce = builder.planSha === undefined ? human.updates : builder.planRequest;
      const request = made ?? inForce;
      const { base, milestones, ticks, cleared } = draft;
      return {
        kind: "edit",
        plan,
        base,
        request,
        milestones: [...milestones],
        ...boxes(ticks, cleared),
      };
    }),
  );
  if (!appended.isAppended) return false;
  sayTaken(world, draft);
  dropEditCopies(world.host.files, found.home, { file: "TASKS.md", text });
  return true;
}

function boxes(ticks: EditDraft["ticks"], cleared: EditDraft["cleared"]) {
  return { ticks: [...ticks], cleared: [...cleared] };
}

/** The file first, named by its content: an orphan is harmless, a record without a file is not. */
function stage(
  { host }: HumanLogWriter,
  home: Home,
  { plan, text }: { readonly plan: string; readonly text: string },
): void {
  const path = planPath(home, plan);
  const present = need(host.files.read(path, DOCUMENT_BYTES_MAX));
  const bytes = Buffer.from(text);
  if (present === undefined) need(host.files.create(path, bytes));
  // It may have been altered: then it is not a usable plan.
  else if (!bytes.equals(present)) {
    need(host.files.replace(path, bytes, () => editKeeper(host.files, home).keep(path, bytes)));
  }
}

function sayTaken({ tell }: HumanLogWriter, { milestones }: EditDraft): void {
  const tasks = milestones.reduce((sum, milestone) => sum + milestone.tasks.length, 0);
  tell(
    `TASKS.md was edited: ${count(milestones.length, "milestone")}, ${count(tasks, "task")}. ` +
      "The builder follows it from now on.",
  );
}

function sayBehind({ tell }: HumanLogWriter): void {
  tell("TASKS.md is older than the builder's log; the builder will update it.");
}
