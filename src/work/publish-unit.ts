import {
  PUBLISH_ATTEMPTS_MAX,
  PUBLISH_HUB_BACKOFF_MS_MIN,
  UNIT_BACKOFF_MS_MAX,
} from "../base/limits.ts";
import { need, type WorldFailure } from "../base/fatal.ts";
import type { Oid } from "../base/oid.ts";
import { traced, type SpanOf } from "../base/ports/trace.ts";
import type { Clone, GitFailure } from "../base/ports/repo.ts";
import type { Result } from "../base/result.ts";
import { EMPTY_HUMAN, foldHuman } from "../session/state/fold-human.ts";
import { HumanRecord } from "../fs-protocol/records/human-log.ts";
import { LogFold } from "../fs-protocol/codec/log-fold.ts";
import { pushWithRetry, type PushAttempt } from "../streams/push-with-retry.ts";
import { WriteFence } from "../home/write-fence.ts";
import { clip } from "./clip.ts";
import type { Journal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";
import { findUnfiltered, type Unfiltered } from "./unfiltered.ts";

/** How often wisp looks again whether a person still has the branch checked out. */
const CHECKED_OUT_POLL_MS = 1_000;
/** Attempts while other roles publish too: an attempt is lost only because another commit was published. */
const RACES_MAX = PUBLISH_ATTEMPTS_MAX * 3;

const PUBLISH: SpanOf = { category: "publish", name: "publish" };

/** The result of publishing a unit's commits. */
export type Published =
  | { readonly kind: "published"; readonly head: Oid; readonly shas: readonly Oid[] }
  | { readonly kind: "conflict" }
  /** `beforePublish` refused the rebased commits, or content that they name would be lost. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Commits have files without a filter that agents do not have: nothing was intended or published. */
  | ({ readonly kind: "unfiltered" } & Unfiltered)
  | { readonly kind: "stopped" };

/** The commits conflict with the branch, or git failed. */
type PlaceFailure = { readonly kind: "conflict" } | GitFailure;

/** What differs from unit to unit. */
export interface PublishUnit {
  readonly unit: string;
  readonly clone: Clone;
  /** Appends `push.intent` for the commits that will be published (append, then act). */
  readonly intend: (shas: readonly Oid[]) => void;
  /** Moves the clone's commits onto what is published; by default a rebase. */
  readonly place?: () => Promise<Result<{ readonly head: Oid }, PlaceFailure>>;
  /** The tip of a remote's branch that the clone is moved to, or joins. */
  readonly brought?: Oid;
  /** Checks the commits as they will be published on top of `onto`; returns a reason if it refuses them. */
  readonly beforePublish?: ((head: Oid, onto: Oid) => Promise<string | undefined>) | undefined;
  /** Records that the commits are published; by default appends `push.done`, which wakes the reviewer. */
  readonly announce?: (head: Oid, shas: readonly Oid[]) => void;
}

interface PublishRecord {
  readonly kind: "push.done" | "unit.wait";
}

type Context = Pick<RoleContext, "home" | "hub" | "ports" | "session" | "signal" | "random"> & {
  readonly journal: Journal<
    | (PublishRecord & {
        readonly kind: "push.done";
        readonly time: string;
        readonly unit: string;
        readonly sha: Oid;
      })
    | (PublishRecord & {
        readonly kind: "unit.wait";
        readonly time: string;
        readonly unit: string;
        readonly reason: string;
        readonly held?: string;
        readonly over?: "yes";
      })
  >;
};

/**
 * Publishes the clone's own commits to the session branch: rebase, record the intent, publish. Starts over if another
 * role published first. Waits while a person has the branch checked out: waiting is a state and not an attempt,
 * and wisp never works around it. What was checked before the wait is not checked again, unless the branch moved. Even a process that was asked to end tries once, which is short: otherwise the
 * work of a finished turn would be lost.
 */
export function publishUnit(context: Context, options: PublishUnit): Promise<Published> {
  return traced(PUBLISH, () => publish(context, options));
}

async function publish(context: Context, options: PublishUnit): Promise<Published> {
  const isStopped = stopCheck(context);
  const fence = new WriteFence(context.ports.files, context.home);
  const known = { ...options, beforePublish: checkedOnce(options.beforePublish) };
  do {
    const result = await pushWithRetry(() => attempt(context, known, fence), {
      attemptsMax: RACES_MAX,
      msMin: PUBLISH_HUB_BACKOFF_MS_MIN,
      msMax: UNIT_BACKOFF_MS_MAX,
      random: context.random,
    });
    if (result.kind === "published") return result.value;
    if (result.failure.kind !== "checked-out") return need({ ok: false, failure: result.failure });
    recordWait(context, options.unit, result.failure);
    if (await isFreed(context, isStopped)) recordFree(context, options.unit);
  } while (!context.signal.aborted && !isStopped());
  return { kind: "stopped" };
}

/** Waits until nobody has the branch checked out; false: it was stopped before. Only looks, however long it takes. */
async function isFreed(
  { hub, session, ports, signal }: Context,
  isStopped: () => boolean,
): Promise<boolean> {
  do {
    await ports.clock.sleep(CHECKED_OUT_POLL_MS, signal);
    if (signal.aborted || isStopped()) return false;
  } while ((await hub.heldAt?.(session.branch)) !== undefined);
  return true;
}

/** A check that found nothing against a commit on top of another does not run again for the same two. */
function checkedOnce(check: PublishUnit["beforePublish"]): PublishUnit["beforePublish"] {
  if (check === undefined) return undefined;
  let passed = "";
  return async (head, onto) => {
    const about = `${head} ${onto}`;
    if (about === passed) return undefined;
    const refusal = await check(head, onto);
    if (refusal === undefined) passed = about;
    return refusal;
  };
}

/** Returns a check whether a person stopped the session: the wait for a checked-out branch has no time limit. */
function stopCheck({ home, ports: { files } }: Context): () => boolean {
  const human = new LogFold({
    files,
    path: home.humanLog,
    schema: HumanRecord,
    empty: EMPTY_HUMAN,
    reduce: foldHuman,
  });
  return () => need(human.refresh()).stopped;
}

function recordWait({ journal }: Context, unit: string, failure: WorldFailure): void {
  const where = "directory" in failure ? String(failure.directory) : "";
  const reason = clip(
    `the session branch is checked out in ${where}: check out another branch there`,
  );
  const held = where === "" ? {} : { held: where };
  journal.append({ kind: "unit.wait", time: journal.time(), unit, reason, ...held });
}

/** What comes next may take minutes: if the branch moved, it is verified again. Nobody must be asked to free it meanwhile. */
function recordFree({ journal }: Context, unit: string): void {
  const reason = "the session branch is free again";
  journal.append({ kind: "unit.wait", time: journal.time(), unit, reason, over: "yes" });
}

function refused(reason: string): PushAttempt<Published, WorldFailure> {
  return { kind: "published", value: { kind: "refused", reason } };
}

async function attempt(
  { hub, session, journal }: Context,
  {
    unit,
    clone,
    place = () => clone.rebaseOntoHub(),
    brought,
    beforePublish,
    intend,
    announce,
  }: PublishUnit,
  fence: WriteFence,
): Promise<PushAttempt<Published, WorldFailure>> {
  const placed = await place();
  if (!placed.ok) {
    if (placed.failure.kind !== "conflict") return { kind: "failed", failure: placed.failure };
    return { kind: "published", value: { kind: "conflict" } };
  }
  const { head } = placed.value;
  const hubHead = (await hub.head(session.branch)) ?? session.base;
  // Another role published after the rebase: the clone's own commits are known only once they are on top of that.
  if (!(await clone.has(hubHead))) {
    return { kind: "rejected", failure: { kind: "not-fast-forward" } };
  }
  const about = { hub, session, clone, onto: hubHead, head, brought };
  const unfiltered = need(await findUnfiltered(about));
  if (unfiltered !== undefined) {
    return { kind: "published", value: { kind: "unfiltered", ...unfiltered } };
  }
  // What is checked before it is published is checked out, which git refuses for such a path.
  const impossible = beforePublish && need(await clone.impossiblePath(hubHead, head));
  if (impossible !== undefined) return refused(impossible);
  const shas = need(await clone.commitsSince(hubHead));
  // Before `beforePublish`, which may take minutes: after an interruption there, recovery finds the commits.
  intend(shas);
  const refusal = await beforePublish?.(head, hubHead);
  if (refusal !== undefined) return refused(refusal);
  // The branch belongs to another machine once the session moved there.
  need(fence.check());
  const published = await clone.publish(head);
  if (!published.ok) {
    if (published.failure.kind === "content") return refused(published.failure.reason);
    const kind = published.failure.kind === "not-fast-forward" ? "rejected" : "failed";
    return { kind, failure: published.failure };
  }
  if (announce === undefined) {
    journal.append({ kind: "push.done", time: journal.time(), unit, sha: head });
  } else {
    announce(head, shas);
  }
  return { kind: "published", value: { kind: "published", head, shas } };
}
