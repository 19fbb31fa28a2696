import type { Unusual } from "../../evidence/unusual/find-unusual.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { differsElsewhere } from "./differs-elsewhere.ts";
import { remoteStatus, type RemoteStatus } from "./remote-status.ts";
import { setAsideWork, type SetAside } from "./set-aside.ts";

/** What a status says of the work besides its milestones, and of where it is. */
export interface WorkView {
  /** Changed files that can run code outside the session, at its end. */
  readonly sensitive: readonly SensitiveChange[];
  /** What is unusual about the commits of the work, at its end. */
  readonly unusual: readonly Unusual[];
  /** Tests of the session's base that do not pass at its end, and what that means. */
  readonly baseTests: readonly BaseTests[];
  /** How verify differs at its end where nothing is named after wisp; absent if it does not, or was not run there. */
  readonly differs?: string | undefined;
  /** The state of the branch at the remote; absent if it is not pushed during the session. */
  readonly remote?: RemoteStatus | undefined;
  /** Tests that were not published, and how to get them back. */
  readonly setAside: readonly SetAside[];
}

/** What there is to know about the work besides its milestones, and where it is. */
export function workView({
  session,
  state,
  sensitive = [],
  unusual = [],
  remoteSeen,
}: StatusFacts): WorkView {
  const remote = remoteStatus(session, state, remoteSeen);
  const setAside = setAsideWork(state, session.branch);
  const { finalBaseTests: baseTests } = state.tester;
  return { sensitive, unusual, baseTests, differs: differsElsewhere(state), remote, setAside };
}
