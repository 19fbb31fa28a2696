import type { Oid } from "../../base/oid.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { GitFailure, Hub } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { BelievedBuilder } from "./believed-builder.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Quarantined } from "../../fs-protocol/codec/log-fold.ts";
import { RoleTroubles, type Troubles } from "./role-troubles.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { sessionLogs } from "./session-logs.ts";
import { branchOf, type Branch, type SessionState, type SessionTurns } from "./session-state.ts";
import { TurnLedger } from "./turn-ledger.ts";
/** What reading a session may fail with. */
export type ReadFailure = FileFailure | GitFailure;

/** Reads a session's logs and branch, again and again, each time only what is new. */
export interface SessionReader {
  /** Reads every log to its end, then the branch, and folds. The first time it looks at the branch before, too. */
  read(): Promise<Result<SessionState, ReadFailure>>;
  /** Reads every log to its end, as cheap as that is, for what matters to the next turn. */
  readTurns(): Result<SessionTurns & Pick<SessionState, "human">, FileFailure>;
  /** Lines passed over so far. */
  quarantined(): readonly Quarantined[];
  /** What the roles' processes say of their own troubles with files. */
  troubles(): Troubles;
}

/** Makes a reader that has read nothing yet. */
export function createSessionReader(
  files: Files,
  hub: Hub,
  home: Home,
  session: SessionJson,
): SessionReader {
  const troubles = new RoleTroubles();
  const ledger = new TurnLedger();
  const supervisor = troubles.listener("supervisor");
  const logs = sessionLogs(files, home, session, { roles: [troubles, ledger], supervisor });
  const turns = turnsOf(session, ledger);
  const branch = new BranchReader(hub, session);
  const builder = new BelievedBuilder(files, home, session);
  return {
    async read() {
      // Of the first read nothing is known from one before, but up to where the branch was looked through.
      const looked = branch.value === undefined ? logs.reviewer.refresh() : ok(logs.reviewer.value);
      if (!looked.ok) return looked;
      const known = branch.value ? ok(branch.value) : await branch.read(looked.value.checkpoint);
      if (!known.ok) return known;
      const settled = known.value.commits.length;
      const refreshed = refreshAll(logs);
      if (!refreshed.ok) return refreshed;
      const believed = builder.believed(logs.builder.value);
      if (!believed.ok) return believed;
      // After the logs: so the branch holds every commit that they name.
      const fresh = await branch.read();
      if (!fresh.ok) return fresh;
      return ok({
        policy: session.policy,
        builder: believed.value,
        planner: logs.planner.value,
        reviewer: logs.reviewer.value,
        tester: logs.tester.value,
        human: logs.human.value,
        supervisor: logs.supervisor.value,
        hasVerify: session.verify.length > 0,
        hasRemote: isPushedAtBoundaries(session),
        branch: { ...fresh.value, settled: Math.min(settled, fresh.value.commits.length) },
        turns,
      });
    },
    readTurns: () => {
      const refreshed = refreshAll(logs);
      return refreshed.ok ? ok({ ...turns, human: logs.human.value }) : refreshed;
    },
    quarantined: () => Object.values(logs).flatMap((log) => log.quarantined),
    troubles: () => troubles.value,
  };
}

/** Whether its branch goes to a remote while it is worked on. */
function isPushedAtBoundaries({ publish }: Pick<SessionJson, "publish">): boolean {
  return publish.remote !== undefined && publish.at === "boundary";
}

/** Reads every log to its end. */
function refreshAll(logs: ReturnType<typeof sessionLogs>): Result<void, FileFailure> {
  for (const log of Object.values(logs)) {
    const refreshed = log.refresh();
    if (!refreshed.ok) return refreshed;
  }
  return ok(undefined);
}

/** Everything that matters to whether there may be another turn. */
function turnsOf({ engines, budget }: SessionJson, facts: TurnLedger): SessionTurns {
  const namesOf = ({ name, fallbacks = [] }: SessionJson["engines"][Role]) => [
    name,
    ...fallbacks.map((fallback) => fallback.name),
  ];
  return {
    facts,
    engines: {
      planner: namesOf(engines.planner),
      builder: namesOf(engines.builder),
      reviewer: namesOf(engines.reviewer),
      tester: namesOf(engines.tester),
    },
    budget: budget ?? { session: {}, milestone: {} },
  };
}

/** Reads the branch anew only when its head is another one. */
class BranchReader {
  readonly #hub: Hub;
  readonly #session: Pick<SessionJson, "branch" | "base">;
  value: Branch | undefined;

  constructor(hub: Hub, session: Pick<SessionJson, "branch" | "base">) {
    this.#hub = hub;
    this.#session = session;
  }

  async read(seen?: Oid): Promise<Result<Branch, GitFailure>> {
    const { branch, base } = this.#session;
    const head = await this.#hub.head(branch);
    if (this.value !== undefined && head === this.value.head) return ok(this.value);
    if (head === undefined) return ok((this.value = branchOf(base, undefined, [])));
    const commits = await this.#hub.commits(base, head, seen);
    if (!commits.ok) return commits;
    return ok((this.value = branchOf(base, head, commits.value)));
  }
}
