import { CannotGoOn, need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { checkEdit } from "../../session/rules/check-edit.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { waitingPlan, type WaitingPlan } from "../../session/steps/waiting-plan.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { changeRequest } from "../up/change-request.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { ensureRunning } from "../up/ensure-running.ts";
import { recordEdit } from "../up/take-edit.ts";
import {
  BadPlan,
  NoWaitingPlan,
  OtherPlan,
  RejectionEmpty,
  RejectionTooLong,
} from "./plan-failures.ts";

/** A session with a plan that waits for a person. */
export interface PlanToDecide {
  readonly found: FoundSession;
  readonly state: SessionState;
  readonly waiting: WaitingPlan;
}

/**
 * Returns the plan that a person decides about.
 *
 * @param digest the beginning of the digest of the plan that the person looked at; undefined: whichever waits
 */
export function planToDecide(
  found: FoundSession,
  state: SessionState,
  digest: string | undefined,
): Result<PlanToDecide, ReturnType<typeof NoWaitingPlan | typeof OtherPlan>> {
  const session = found.session.id;
  const waiting = waitingPlan(state);
  if (waiting === undefined) return fail(NoWaitingPlan({ session }));
  const { plan } = waiting.staged;
  if (digest !== undefined && !(digest !== "" && plan.startsWith(digest.toLowerCase()))) {
    return fail(OtherPlan({ session, asked: digest, waiting: plan }));
  }
  return ok({ found, state, waiting });
}

/** Records that the plan with exactly these bytes may come into force, and has the session continue. */
export async function approvePlan(world: World, decided: PlanToDecide): Promise<void> {
  const { found, waiting } = decided;
  const { plan } = waiting.staged;
  if (found.mirrors !== undefined) {
    return sayThere(world, found, ["plan", found.session.id, "--approve", "--digest", plan]);
  }
  const appended = need(
    await appendHuman(world, found, (human) =>
      isUndecided(decided, human) ? { kind: "plan.approve", plan } : undefined,
    ),
  );
  if (!appended.isAppended) throw new CannotGoOn(NoWaitingPlan({ session: found.session.id }));
  world.tell("Approved the plan.");
  return ensureRunning(world, found, { isStopped: appended.before.stopped });
}

/** Changes the request by what a person wants changed in the plan, so that the planner plans anew. */
export async function rejectPlan(world: World, decided: PlanToDecide, text: string): Promise<void> {
  const { found } = decided;
  const session = found.session.id;
  const said = cleanText(text, { charsMax: DOCUMENT_BYTES_MAX, lines: "many" });
  if (said === "") throw new CannotGoOn(RejectionEmpty({ session }));
  if (found.mirrors !== undefined) {
    const { plan } = decided.waiting.staged;
    return sayThere(world, found, ["plan", session, `--reject=${said}`, "--digest", plan]);
  }
  let isStopped = false;
  const isChanged = await changeRequest(world, found, (inForce, human) => {
    if (!isUndecided(decided, human)) return undefined;
    isStopped = human.stopped;
    return { bytes: withRejection(inForce, said), plan: undefined };
  });
  if (!isChanged) throw new CannotGoOn(NoWaitingPlan({ session }));
  world.tell("Rejected the plan. The planner makes another one from the request with your text.");
  return ensureRunning(world, found, { isStopped });
}

const HEADING = "## Wanted of the plan";

/** The text of a person is the end of the request, so that it is kept with it, and has the last word. */
function withRejection(inForce: Uint8Array, said: string): Uint8Array {
  const request = new TextDecoder().decode(inForce).trimEnd();
  const heading = request.includes(`\n${HEADING}\n`) ? "" : `${HEADING}\n\n`;
  const bytes = Buffer.from(`${request}\n\n${heading}${said}\n`);
  if (bytes.length <= DOCUMENT_BYTES_MAX) return bytes;
  throw new CannotGoOn(RejectionTooLong({ bytesMax: DOCUMENT_BYTES_MAX }));
}

/**
 * Puts a person's own version of the waiting plan into force. The builder has no unit under way while a plan waits,
 * and the record is appended only if nobody has decided about the plan meanwhile.
 *
 * @param kept where the person's text is, for the message about a text that is no plan
 */
export async function editPlan(
  world: World,
  decided: PlanToDecide,
  { text, kept }: { readonly text: string; readonly kept: string },
): Promise<void> {
  const { found, state, waiting } = decided;
  const session = found.session.id;
  const checked = checkEdit(text, state.builder, undefined);
  if (!checked.ok) {
    const { line, problem } = checked.failure;
    throw new CannotGoOn(BadPlan({ session, line, problem, path: kept }));
  }
  let isStopped = false;
  const isRecorded = await recordEdit(world, found, {
    ...{ text, builder: state.builder, draft: checked.value, request: waiting.answer.request },
    isDue: (human) => {
      isStopped = human.stopped;
      return isUndecided(decided, human);
    },
  });
  if (!isRecorded) throw new CannotGoOn(NoWaitingPlan({ session }));
  return ensureRunning(world, found, { isStopped });
}

/** Under the lock of human.log: no person has approved it, edited a plan, or changed the request since. */
function isUndecided({ state, waiting }: PlanToDecide, human: HumanFold): boolean {
  return waitingPlan({ ...state, human })?.staged.plan === waiting.staged.plan;
}
