import { logFolds } from "../../session/state/session-logs.ts";
import { assert } from "../../base/assert.ts";
import { EMPTY_BUILDER, type StuckHint } from "../../session/state/builder-state.ts";
import { pendingEdit } from "../../session/rules/plan-edit.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { encodeBatch } from "../../fs-protocol/records/item-id.ts";
import type { BuilderStep, Exit, Wait } from "../../session/steps/step.ts";
import { roleProjector } from "../../work/role-projector.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { note } from "../../work/journal.ts";
import type { RoleMain } from "../../work/role.ts";
import { build } from "./build.ts";
import { explainDone, explainHalt } from "./endings.ts";
import { fix } from "./fix.ts";
import { hint } from "./hint.ts";
import { acceptBase, verifyBase } from "./verify-base.ts";
import { leaveRemote, syncRemote } from "./remote/sync-remote.ts";
import { saveUnrecordedEdits } from "./save-unrecorded-edits.ts";
import { planRecord } from "./plan-record.ts";
import { builderProjections, writeStuckHint, writeTasks } from "./projections.ts";
import { recover } from "./recover.ts";

type Work = Exclude<BuilderStep, Wait | Exit>;

const NO_VERIFY = "no verify command was found: milestones are taken on ticks and commits alone";

/**
 * The builder: builds milestones, fixes items, and decides about plans, drain windows and the end. It writes TASKS.md,
 * milestones.log and `builder.done`.
 */
export function builderMain(context: RoleContext<"builder">): RoleMain<Work> {
  const { ports, home, session } = context;
  const project = builderProjections(home, session);
  const projector = roleProjector(context, { ...logFolds(session).builder, project });
  let written = EMPTY_BUILDER;
  let writtenHint: StuckHint | undefined;
  return {
    reconcile: () => projector.reconcile(),
    async start(state) {
      saveUnrecordedEdits(context, state);
      await projector.reconcile();
      if (state.builder.stage.kind === "plan" && context.session.verify.length === 0)
        note(context, NO_VERIFY);
    },
    async perform(work, state) {
      await performStep(context, state, work);
      await projector.advance();
    },
    settle: ({ builder, human }) => {
      if (builder.lastHint !== writtenHint) writeStuckHint(ports.files, home, builder);
      writtenHint = builder.lastHint;
      // A person's edit of TASKS.md stays until it is adopted or refused.
      if (pendingEdit(human, builder) !== undefined) return;
      if (builder.planSha === written.planSha && builder.ticks === written.ticks) return;
      writeTasks(ports.files, home, builder);
      written = builder;
    },
  };
}

async function performStep(
  context: RoleContext<"builder">,
  state: SessionState,
  work: Work,
): Promise<void> {
  switch (work.kind) {
    case "recover":
      return recover(context, state);
    case "base":
      return verifyBase(context, state, work);
    case "accept-base":
      acceptBase(context, state, work);
      return;
    case "build":
      return build(context, state, work);
    case "hint":
      return hint(context, state, work);
    case "fix":
      return fix(context, state, work);
    case "remote":
      return syncRemote(context, state, work);
    case "leave-remote":
      leaveRemote(context, state, work);
      return;
    default:
      record(context, state, work);
  }
}

type Decision = Exclude<
  Work,
  {
    kind: "recover" | "base" | "accept-base" | "build" | "hint" | "fix" | "remote" | "leave-remote";
  }
>;

/** Carries out a decision that only appends a record. */
function record(context: RoleContext<"builder">, state: SessionState, work: Decision): void {
  const { journal, session } = context;
  const time = journal.time();
  const head = state.branch.head ?? session.base;
  switch (work.kind) {
    case "adopt":
    case "refuse":
    case "adopt-edit":
    case "refuse-edit":
      journal.append({ ...planRecord(work), time });
      return;
    case "halt":
      journal.append({ kind: "halt", time, ...explainHalt(work.why, state) });
      return;
    case "close": {
      const { cause, waiting, fix: ids, batches } = work;
      const joined = batches.map(encodeBatch);
      const shared = joined.length === 0 ? {} : { batches: joined };
      const round = { waiting: [...waiting], fix: [...ids], ...shared };
      journal.append({ kind: "drain.close", time, cause, ...round });
      return;
    }
    case "final":
      journal.append({ kind: "final.open", time, n: work.n, at: head });
      return;
    case "reopen":
      journal.append({ kind: "reopen", time, human: work.human, by: "human.log" });
      return;
    case "done": {
      const { how, open, gaveup, failed, human } = work;
      assert(
        how === "stuck" || open.length === 0,
        "nothing is open at the end of a complete session",
      );
      journal.append({
        kind: "done",
        time,
        how,
        head,
        open: [...open],
        gaveup: gaveup.map((key) => key.replace(/[\s,]+/g, "_")),
        failed: [...failed],
        human,
        reason: explainDone(work, state),
      });
    }
  }
}
