import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { PushIntent } from "../../session/state/builder-state.ts";
import { currentMilestone } from "../../session/rules/build-order.ts";
import { currentFix } from "../../session/state/stage.ts";
import { present } from "../../base/assert.ts";
import { answerOnRemote } from "../../session/state/remote-push.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { recoverUnit, type Found } from "../../work/unit.ts";
import { endBuild, publishBuild, type BuildUnit } from "./end-build.ts";
import { recoverSync } from "./remote/sync-remote.ts";
import { endFixed, itemsOf, publishFix, type FixUnit } from "./fix.ts";

/**
 * Recovers a unit whose begin has no end in the builder's log (docs/PROTOCOL.md, section 11). Work that is on
 * the branch is ended without a new turn, and commits that are only in the clone are published again. If there is
 * neither, what the clone holds is saved, and the same attempt at the unit starts over.
 */
export async function recover(context: RoleContext<"builder">, state: SessionState): Promise<void> {
  const open = present(state.builder.open, "there is an open unit to recover");
  if (decodeUnit(open.unit)?.kind === "remote") {
    const mayMerge = answerOnRemote(state.builder, state.human) === "merge";
    await recoverSync(context, state, { kind: "remote", unit: open.unit, mayMerge });
    return;
  }
  const found = await recoverUnit(context, open.unit, (clone) => find(state, clone, open.intent));
  const clone = await context.clone();
  if (found === "nothing" || open.intent === undefined) return;
  const base = open.base ?? context.session.base;
  if (found === "committed") {
    // A rebase, or the verify of another commit, may have moved the clone away from it.
    need(await clone.syncTo(present(open.intent.shas.at(-1), "an intent names commits")));
  }
  if (state.builder.stage.kind === "fix") {
    await recoverFix(context, state, { clone, base, intent: open.intent, found });
    return;
  }
  const { builder, policy } = state;
  const milestone = present(
    currentMilestone(builder, policy),
    "a build unit has its milestone",
  ).name;
  const unit: BuildUnit = { key: open.unit, milestone, base };
  if (found === "published") await endBuild(context, state, unit, open.intent);
  else await publishBuild(context, state, unit, open.intent);
}

async function find(
  state: SessionState,
  clone: Clone,
  intent: PushIntent | undefined,
): Promise<Found> {
  const last = intent?.shas.at(-1);
  if (last === undefined) return "nothing";
  if (state.branch.places.has(last)) return "published";
  return (await clone.has(last)) ? "committed" : "nothing";
}

interface FoundFix {
  readonly clone: Clone;
  readonly base: Oid;
  readonly intent: PushIntent;
  readonly found: Found;
}

async function recoverFix(
  context: RoleContext<"builder">,
  state: SessionState,
  { clone, base, intent, found }: FoundFix,
): Promise<void> {
  const { builder } = state;
  const ids = currentFix(builder);
  const first = present(ids[0], "a fix unit has its item");
  const attempt = (builder.fixes.get(first)?.length ?? 0) + 1;
  const unit: FixUnit = {
    kind: "fix",
    ids,
    attempt,
    unit: present(builder.open, "the unit is open").unit,
    base,
    findings: itemsOf(state, ids),
    summary: intent.said,
  };
  const sha = present(intent.shas.at(-1), "an intent names commits");
  if (found === "published") await endFixed(context, unit, clone, sha);
  else await publishFix(context, state, unit, clone);
}
