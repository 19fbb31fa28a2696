import { present } from "../../../base/assert.ts";
import { need } from "../../../base/fatal.ts";
import type { Oid } from "../../../base/oid.ts";
import type { BuilderRecord } from "../../../fs-protocol/records/builder-log.ts";
import type { SessionState } from "../../../session/state/session-state.ts";
import { remoteRelation, type Unreachable } from "../../../git/remote/remote-branch.ts";
import type { RemotePushFailure } from "../../../git/remote/push-remote.ts";
import type { BuilderStep } from "../../../session/steps/step.ts";
import { clip } from "../../../work/clip.ts";
import { fetchFromRemote, pushToRemote } from "../../../work/push-to-remote.ts";
import { questionFields } from "../../../work/unit.ts";
import type { RoleContext } from "../../../work/role-context.ts";
import { beginAtHead } from "../attempt.ts";
import { joinRemoteBranch } from "./join-remote-branch.ts";
import { remoteQuestion, type MovedRemote } from "./remote-question.ts";
import { holdsCommit } from "../../../git/repository/known-objects.ts";

type Context = RoleContext<"builder">;
/** A step that synchronizes the session's branch with the user's remote. */
export type RemoteStep = Extract<BuilderStep, { kind: "remote" }>;

/** How often to start over if the remote's branch moves during the synchronization. */
const ROUNDS_MAX = 3;

/** The result of a synchronization: the fields of its record, without time and unit. */
type SyncResult = Omit<Extract<BuilderRecord, { kind: "remote.push" }>, "kind" | "time" | "unit">;

/**
 * Synchronizes the session's branch with the user's remote, at a boundary and before the end: fetches its branch, joins
 * its commits into ours, and pushes ours, never with force. A remote that cannot be reached, or refuses, does not stop
 * the work: that is recorded, and the next synchronization tries again. A process that is asked to end leaves the unit
 * open, so that the next process does it again.
 */
export async function syncRemote(
  context: Context,
  state: SessionState,
  step: RemoteStep,
): Promise<void> {
  await beginAtHead(context, step.unit);
  await finishSync(context, state, step);
}

/** Synchronizes for a unit that has begun; steps that were done before have no effect. */
async function finishSync(context: Context, state: SessionState, step: RemoteStep): Promise<void> {
  const result = await sync(context, state, step);
  if (result === undefined || (context.signal.aborted && result.outcome === "failed")) return;
  const { journal } = context;
  journal.append({ kind: "remote.push", time: journal.time(), unit: step.unit, ...result });
}

/** Records that a person wants the remote left alone: wisp no longer asks about it, fetches or pushes. */
export function leaveRemote(
  { journal, session }: Context,
  { branch }: SessionState,
  { unit }: Extract<BuilderStep, { kind: "leave-remote" }>,
): void {
  const at = branch.head ?? session.base;
  journal.append({ kind: "remote.push", time: journal.time(), unit, at, outcome: "left" });
}

/** Undefined if the process is asked to end. */
async function sync(
  context: Context,
  state: SessionState,
  step: RemoteStep,
): Promise<SyncResult | undefined> {
  let took: Oid | undefined;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const once = await syncOnce(context, state, { ...step, took });
    if (once.kind === "stopped") return undefined;
    if (once.kind === "ended") return { took: once.took, ...once.result };
    ({ took } = once);
  }
  const at = await headOf(context);
  const reason = "the remote's branch moves on faster than it can be followed";
  return { at, outcome: "failed", reason, took };
}

/** The result of one round; `took` is the remote's commit that was joined into the branch, if any. */
type Round =
  | { readonly kind: "stopped" }
  | { readonly kind: "ended"; readonly result: SyncResult; readonly took: Oid | undefined }
  /** The remote's branch moved meanwhile. */
  | { readonly kind: "moved"; readonly took: Oid | undefined };

async function syncOnce(
  context: Context,
  state: SessionState,
  { unit, mayMerge, ...before }: RemoteStep & { readonly took: Oid | undefined },
): Promise<Round> {
  const { session, env, random, signal } = context;
  const { repository: directory, branch, id } = session;
  const remote = present(session.publish.remote, "a remote step needs a configured remote");
  const place = { directory, remote, branch, signal };
  const here = { environment: env };
  let { took } = before;
  let at = await headOf(context);
  const ended = (result: SyncResult): Round => ({ kind: "ended", result, took });
  const fetched = await fetchFromRemote(here, { ...place, session: id }, { random });
  if (!fetched.ok) return ended(failed(at, fetched.failure));
  const tip = fetched.value;
  const found = await compare(context, state, { at, tip });
  if (found.kind === "rewritten" && !mayMerge) {
    return ended(asks(context, state, { at, tip, why: found }));
  }
  if (tip !== undefined && found.isMoved) {
    const joined = await joinRemoteBranch(context, state, { unit, tip });
    if (joined.kind === "stopped") return joined;
    if (joined.kind !== "joined") return ended(asks(context, state, { at, tip, why: joined }));
    at = joined.head;
    took = tip;
  }
  if (at === tip) return ended({ at, outcome: "pushed" });
  const push = { ...place, at, since: session.base };
  const pushed = await pushToRemote({ ...here, files: context.ports.files }, push, { random });
  if (pushed.ok) return ended({ at, outcome: "pushed" });
  return pushed.failure.kind === "rejected"
    ? { kind: "moved", took }
    : ended(failed(at, pushed.failure));
}

async function headOf({ hub, session }: Context): Promise<Oid> {
  return (await hub.head(session.branch)) ?? session.base;
}

/** The heads of the session's branch and of the remote's. */
interface Heads {
  readonly at: Oid;
  readonly tip: Oid | undefined;
}

type Compared = { readonly isMoved: boolean } & (
  { readonly kind: "grown" } | { readonly kind: "rewritten"; readonly pushed: Oid }
);

/**
 * Compares the remote's branch with ours. A branch that no longer contains what wisp pushed was rewritten or reset on
 * purpose. A branch that no longer exists is simply pushed again, which loses nobody's work.
 */
async function compare(
  { session, env }: Context,
  { builder }: SessionState,
  { at, tip }: Heads,
): Promise<Compared> {
  const { repository: directory } = session;
  const context = { environment: env };
  const relation = await remoteRelation(context, directory, { head: at, tip });
  const isMoved = relation === "ahead" || relation === "apart";
  const { pushed } = builder.remote;
  if (pushed === undefined || tip === undefined) return { kind: "grown", isMoved };
  const hasPushed = await holdsCommit(context, directory, { commit: pushed, holder: tip });
  return hasPushed ? { kind: "grown", isMoved } : { kind: "rewritten", pushed, isMoved };
}

function asks(
  { session }: Context,
  { builder }: SessionState,
  { at, tip, why }: Heads & Pick<MovedRemote, "why">,
): SyncResult {
  const remote = session.publish.remote ?? "";
  const question = remoteQuestion({
    ...{ remote, branch: session.branch, tip },
    why,
  });
  const asked = questionFields("builder", builder.questions.length, question);
  return { at, outcome: "needs_input", ...asked };
}

function failed(
  at: Oid,
  failure: Unreachable | Exclude<RemotePushFailure, { kind: "rejected" }>,
): SyncResult {
  const { message } = failure;
  const reason = clip(message === "" ? "git does not say why" : message);
  return { at, outcome: "failed", reason };
}

/** Completes an interrupted synchronization, after repairing the clone: a merge that it had begun is made again. */
export async function recoverSync(
  context: Context,
  state: SessionState,
  step: RemoteStep,
): Promise<void> {
  const clone = await context.clone();
  need(await clone.repair());
  const { journal } = context;
  const last = state.builder.open?.intent?.shas.at(-1);
  const found = last !== undefined && state.branch.places.has(last) ? "published" : "nothing";
  journal.append({ kind: "unit.recover", time: journal.time(), unit: step.unit, found });
  await finishSync(context, state, step);
}
