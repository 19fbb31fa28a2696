import { endOf } from "../../session/state/end-in-force.ts";
import { isDoneUnverified, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { haltOf } from "../../session/state/stage.ts";
import { isReopened, waitingSinceEnd } from "../../workspace/finished/reopened-words.ts";

/** How a session ended or halted, as far as that still applies; see `StatusView`. */
interface EndView {
  readonly end: { readonly how: "complete" | "stuck"; readonly reason: string } | undefined;
  readonly nothingVerified: true | undefined;
  readonly halt: string | undefined;
  readonly waiting: readonly string[] | undefined;
}

/** How a session ended. After a reopen, neither the end nor the halt that caused it applies any more. */
export function endView(state: SessionState): EndView {
  const end = endOf(state);
  const isUnverified = isDoneUnverified(state);
  return {
    end: end && { how: end.how, reason: withNothingVerified(end.reason, isUnverified) },
    nothingVerified: isUnverified ? true : undefined,
    halt: isReopened(state) ? undefined : haltOf(state.builder)?.explanation,
    waiting: waitingSinceEnd(state),
  };
}
