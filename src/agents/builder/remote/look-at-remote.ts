import { present } from "../../../base/assert.ts";
import { need } from "../../../base/fatal.ts";
import type { Oid } from "../../../base/oid.ts";
import type { BuilderRecord } from "../../../fs-protocol/records/builder-log.ts";
import type { SessionState } from "../../../session/state/session-state.ts";
import { remoteRelation, type Unreachable } from "../../../git/repository/remote-branch.ts";
import type { RemotePushFailure } from "../../../git/repository/push-remote.ts";
import type { BuilderStep } from "../../../session/steps/step.ts";
import { clip } from "../../work/clip.ts";
import { fetchFromRemote, pushToRemote } from "../../work/push-to-remote.ts";
import { questionFields } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { beginAtHead } from "../attempt.ts";
import { joinMoved } from "./join-moved.ts";
import { remoteQuestion, type MovedRemote } from "./remote-question.ts";
import { holdsCommit } from "../../../git/repository/known-objects.ts";

type Context = RoleContext<"builder">;
export type LookStep = Extract<BuilderStep, { kind: "remote" }>;

/** A remote that moves while it is looked at is looked at again, so often. */
const ROUNDS_MAX = 3;

/** What came of a look, but for time and unit. */
type Came = Omit<Extract<BuilderRecord, { kind: "remote.push" }>, "kind" | "time" | "unit">;

/**
 * A look at the user's remote, at a boundary and before the end: its branch is fetched, what it has is taken over, and
 * ours is pushed, never forced. A remote that cannot be reached, or refuses, stops nobody's work: it is on record, and
 * the next look tries again. A process that is asked to end leaves the unit open: the look is taken again.
 */
export async function lookAtRemote(
  context: Context,
  state: SessionState,
  step: LookStep,
): Promise<void> {
  await beginAtHead(context, step.unit);
  await finishLook(context, state, step);
}

/** The look itself, of a unit that was begun; what was done of it before is found done. */
async function finishLook(context: Context, state: SessionState, step: LookStep): Promise<void> {
  const came = await look(context, state, step);
  if (came === undefined || (context.signal.aborted && came.outcome === "failed")) return;
  const { journal } = context;
  journal.append({ kind: "remote.push", time: journal.time(), unit: step.unit, ...came });
}

/** A person has said to leave the remote alone: nothing is asked, fetched or pushed any more. */
export function leaveRemote(
  { journal, session }: Context,
  { branch }: SessionState,
  { unit }: Extract<BuilderStep, { kind: "leave-remote" }>,
): void {
  const at = branch.head ?? session.base;
  journal.append({ kind: "remote.push", time: journal.time(), unit, at, outcome: "left" });
}

/** Undefined: the process is asked to end. */
async function look(
  context: Context,
  state: SessionState,
  step: LookStep,
): Promise<Came | undefined> {
  let took: Oid | undefined;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const came = await lookOnce(context, state, { ...step, took });
    if (came.kind === "stopped") return undefined;
    if (came.kind === "came") return { took: came.took, ...came.came };
    ({ took } = came);
  }
  const at = await headOf(context);
  const reason = "the remote's branch moves on faster than it can be followed";
  return { at, outcome: "failed", reason, took };
}

type Once =
  | { readonly kind: "stopped" }
  | { readonly kind: "came"; readonly came: Came; readonly took: Oid | undefined }
  /** The remote's branch moved on meanwhile. */
  | { readonly kind: "moved"; readonly took: Oid | undefined };

async function lookOnce(
  context: Context,
  state: SessionState,
  { unit, mayMerge, ...before }: LookStep & { readonly took: Oid | undefined },
): Promise<Once> {
  const { session, env, random, signal } = context;
  const { repository: directory, branch, id } = session;
  const remote = present(session.publish.remote, "a look is due where a remote is configured");
  const place = { directory, remote, branch, signal };
  const here = { environment: env };
  let { took } = before;
  let at = await headOf(context);
  const came = (what: Came): Once => ({ kind: "came", came: what, took });
  const fetched = await fetchFromRemote(here, { ...place, session: id }, { random });
  if (!fetched.ok) return came(failed(at, fetched.failure));
  const tip = fetched.value;
  const found = await compare(context, state, { at, tip });
  if (found.kind === "rewritten" && !mayMerge) {
    return came(asks(context, state, { at, tip, why: found }));
  }
  if (tip !== undefined && found.isMoved) {
    const joined = await joinMoved(context, state, { unit, tip });
    if (joined.kind === "stopped") return joined;
    if (joined.kind !== "joined") return came(asks(context, state, { at, tip, why: joined }));
    at = joined.head;
    took = tip;
  }
  if (at === tip) return came({ at, outcome: "pushed" });
  const pushed = await pushToRemote(here, { ...place, at }, { random });
  if (pushed.ok) return came({ at, outcome: "pushed" });
  return pushed.failure.kind === "rejected"
    ? { kind: "moved", took }
    : came(failed(at, pushed.failure));
}

async function headOf({ hub, session }: Context): Promise<Oid> {
  return (await hub.head(session.branch)) ?? session.base;
}

interface Found {
  readonly at: Oid;
  readonly tip: Oid | undefined;
}

type Compared = { readonly isMoved: boolean } & (
  { readonly kind: "grown" } | { readonly kind: "rewritten"; readonly pushed: Oid }
);

/**
 * A branch that has lost what was brought there was rewritten, or set back, by somebody who meant it. One that is gone
 * is made again: nothing of anybody's is lost by that.
 */
async function compare(
  { session, env }: Context,
  { builder }: SessionState,
  { at, tip }: Found,
): Promise<Compared> {
  const { repository: directory } = session;
  const context = { environment: env };
  const relation = await remoteRelation(context, directory, { head: at, tip });
  const isMoved = relation === "ahead" || relation === "apart";
  const { pushed } = builder.remote;
  if (pushed === undefined || tip === undefined) return { kind: "grown", isMoved };
  const isKept = await holdsCommit(context, directory, { commit: pushed, holder: tip });
  return isKept ? { kind: "grown", isMoved } : { kind: "rewritten", pushed, isMoved };
}

function asks(
  { session }: Context,
  { builder }: SessionState,
  { at, tip, why }: Found & Pick<MovedRemote, "why">,
): Came {
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
): Came {
  const says = failure.message;
  const reason = clip(says === "" ? "git does not say why" : says);
  return { at, outcome: "failed", reason };
}

/** The clone as the hub's branch is: what an interrupted look left there is made again, and the same. */
export async function recoverLook(
  context: Context,
  state: SessionState,
  step: LookStep,
): Promise<void> {
  const clone = await context.clone();
  need(await clone.repair());
  const { journal } = context;
  const last = state.builder.open?.intent?.shas.at(-1);
  const found = last !== undefined && state.branch.places.has(last) ? "published" : "nothing";
  journal.append({ kind: "unit.recover", time: journal.time(), unit: step.unit, found });
  await finishLook(context, state, step);
}
