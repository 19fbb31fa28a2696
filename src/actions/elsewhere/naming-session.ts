import { CannotGoOn } from "../../base/fatal.ts";
import { PlaceGone } from "../../base/ports/executor.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/**
 * Runs a step at the place of a session. If the place is gone, what is thrown names the session, which an executor does
 * not know: that is the one that was started, also for its revisions.
 */
export async function namingSession<T>(
  { session }: Pick<FoundSession, "session">,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (thrown) {
    if (!(thrown instanceof CannotGoOn) || !PlaceGone.is(thrown.failure)) throw thrown;
    const { executor, place } = thrown.failure;
    const id = session.parent?.id ?? session.id;
    throw new CannotGoOn(PlaceGone({ executor, place, session: id }));
  }
}
