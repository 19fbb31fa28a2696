import {
  PUBLISH_ATTEMPTS_MAX,
  PUBLISH_HUB_BACKOFF_MS_MIN,
  UNIT_BACKOFF_MS_MAX,
} from "../../base/limits.ts";
import { need, type WorldFailure } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import { EMPTY_HUMAN, foldHuman } from "../../session/state/fold-human.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { pushWithRetry, type PushAttempt } from "../../streams/push-with-retry.ts";
import type { Journal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";

/** How often a branch that a person has checked out is looked at again. */
const CHECKED_OUT_LOOK_MS = 1_000;
/** Attempts when other roles publish at the same time: each loses only to a commit that landed. */
const RACES_MAX = PUBLISH_ATTEMPTS_MAX * 3;

/** What publishing a unit's commits came to. */
export type Published =
  | { readonly kind: "published"; readonly head: Oid; readonly shas: readonly Oid[] }
  | { readonly kind: "conflict" }
  /** `beforePublish` refused the commits as they are after the rebase. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "stopped" };

/** Commits that do not fit on the branch, or the world. */
type PlaceFailure = { readonly kind: "conflict" } | GitFailure;

/** What differs from unit to unit. */
export interface PublishUnit {
  readonly unit: string;
  readonly clone: Clone;
  /** Appends `push.intent` for the commits as they will be (append, then act). */
  readonly intend: (shas: readonly Oid[]) => void;
  /** Puts the clone on top of what is published; left out: a rebase does. */
  readonly place?: () => Promise<Result<{ readonly head: Oid }, PlaceFailure>>;
  /** Looks at the commits as they are about to appear on top of `onto`; a reason refuses them. */
  readonly beforePublish?: (head: Oid, onto: Oid) => Promise<string | undefined>;
  /** Appends what says that they are there; without it `push.done` does, which wakes the reviewer. */
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
      })
  >;
};

/**
 * Brings the clone's own commits onto the session branch: rebase, intent, publish; rejected because
 * somebody else published first, again. A branch that a person has checked out is waited for: that
 * is a state, never an attempt, and is never worked around. It is tried once even by a process that was
 * asked to end, which takes a moment: a turn that has ended is not thrown away.
 */
export async function publishUnit(context: Context, options: PublishUnit): Promise<Published> {
  const isStopped = stopWatch(context);
  let saidWaiting = false;
  do {
    const result = await pushWithRetry(() => attempt(context, options), {
      attemptsMax: RACES_MAX,
      msMin: PUBLISH_HUB_BACKOFF_MS_MIN,
      msMax: UNIT_BACKOFF_MS_MAX,
      random: context.random,
    });
    if (result.kind === "published") return result.value;
    if (result.failure.kind !== "checked-out") return need({ ok: false, failure: result.failure });
    if (!saidWaiting) sayWaiting(context, options.unit, result.failure);
    saidWaiting = true;
    await context.ports.clock.sleep(CHECKED_OUT_LOOK_MS, context.signal);
  } while (!context.signal.aborted && !isStopped());
  return { kind: "stopped" };
}

/** Whether a person stopped the session: the wait for them may be long, and has no end of its own. */
function stopWatch({ home, ports: { files } }: Context): () => boolean {
  const human = new LogFold({
    files,
    path: home.humanLog,
    schema: HumanRecord,
    empty: EMPTY_HUMAN,
    reduce: foldHuman,
  });
  return () => need(human.refresh()).stopped;
}

function sayWaiting({ journal }: Context, unit: string, failure: WorldFailure): void {
  const where = "directory" in failure ? String(failure.directory) : "";
  const reason = `the session branch is checked out in ${where}: check out another branch there`;
  journal.append({ kind: "unit.wait", time: journal.time(), unit, reason });
}

async function attempt(
  { hub, session, journal }: Context,
  {
    unit,
    clone,
    place = () => clone.rebaseOntoHub(),
    beforePublish,
    intend,
    announce,
  }: PublishUnit,
): Promise<PushAttempt<Published, WorldFailure>> {
  const placed = await place();
  if (!placed.ok) {
    if (placed.failure.kind !== "conflict") return { kind: "failed", failure: placed.failure };
    return { kind: "published", value: { kind: "conflict" } };
  }
  const { head } = placed.value;
  const hubHead = (await hub.head(session.branch)) ?? session.base;
  // Somebody published after that: what is ours can only be told on top of that.
  if (!(await clone.has(hubHead))) {
    return { kind: "rejected", failure: { kind: "not-fast-forward" } };
  }
  const shas = need(await clone.commitsSince(hubHead));
  // Before the look at them, which may take minutes: interrupted there, they are found again.
  intend(shas);
  const refusal = await beforePublish?.(head, hubHead);
  if (refusal !== undefined) {
    return { kind: "published", value: { kind: "refused", reason: refusal } };
  }
  const published = await clone.publish(head);
  if (!published.ok) {
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
