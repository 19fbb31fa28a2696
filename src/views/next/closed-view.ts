import type { Closed } from "../../session/state/fold-human.ts";

/** How a person closed a session for good; fields are added, never renamed or removed. */
export interface ClosedView {
  readonly how: Closed["how"];
  /** URL of the pull request. */
  readonly url: string | undefined;
  /** The remote that the branch was pushed to. */
  readonly remote: string | undefined;
  /** For shipped work: the commit, and the time as ISO 8601. */
  readonly at?: string | undefined;
  readonly time?: string | undefined;
}

/** The view of how a session was closed; undefined while it is open. */
export function closedView(closed: Closed | undefined): ClosedView | undefined {
  if (closed === undefined) return undefined;
  if (closed.how !== "done") return { how: closed.how, url: undefined, remote: undefined };
  const { how, url, remote, at, time } = closed;
  return { how, url, remote, at, time };
}
