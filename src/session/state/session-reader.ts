import type { Oid } from "../../base/oid.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { GitFailure, Hub } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { perRole, type LogName, type Role } from "../../base/role.ts";
import {
  commandsInForce,
  replacedIn,
  type ReplacedCommands,
} from "../commands/commands-in-force.ts";
import { isBaseAnswerUnread } from "./base-outcome.ts";
import { BelievedBuilder } from "./believed-builder.ts";
import { KeptFolds } from "./kept-folds.ts";
import type { SnapshotPlace } from "../../fs-protocol/codec/snapshot-file.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Quarantined } from "../../fs-protocol/codec/log-fold.ts";
import { RoleTroubles, type Troubles } from "./role-troubles.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { statesOf, sessionLogs, type SessionLogs } from "./session-logs.ts";
import { branchOf, type Branch, type SessionState, type SessionTurns } from "./session-state.ts";
import { TurnLedger } from "./turn-ledger.ts";

/** A failure to read a session. */
export type ReadFailure = FileFailure | GitFailure;

/** Reads a session's logs and branch repeatedly, each time only what is new. */
export interface SessionReader {
  /** The logs; `readOn` reads those that were touched. */
  readonly logs: readonly { readonly path: string; touch(): void }[];
  /**
   * Reads every log to its end and then the branch, and folds them. The first read also reads the
   * branch before the logs.
   */
  read(): Promise<Result<SessionState, ReadFailure>>;
  /**
   * Like `read`, but skips logs that were not touched since they were read. `own`, the log that the
   * caller itself writes, is always read to its end.
   */
  readOn(own?: LogName): Promise<Result<SessionState, ReadFailure>>;
  /**
   * Reads every log to its end, without the branch, and returns what decides about the next turn.
   */
  readTurns(): Result<SessionTurns & Pick<SessionState, "human">, FileFailure>;
  /** The commands that replace those of `session.json`, by what of the logs was read so far. */
  readonly commands: () => ReplacedCommands;
  /** Invalid lines that were skipped so far. */
  quarantined(): readonly Quarantined[];
  /** File troubles that the roles' processes recorded. */
  troubles(): Troubles;
}

/** What a reader reads, and whether another process of the same role continues with it. */
interface ReaderOptions {
  readonly files: Files;
  readonly hub: Hub;
  readonly home: Home;
  readonly session: SessionJson;
  /** Keeps what was folded for the next process; absent: nothing is kept. */
  readonly place?: SnapshotPlace | undefined;
}

/** Creates a reader that has read nothing yet, and keeps nothing. */
export function createSessionReader(
  files: Files,
  hub: Hub,
  home: Home,
  session: SessionJson,
): SessionReader {
  return openSessionReader({ files, hub, home, session });
}

function openFolds({ files, home, session, place }: ReaderOptions) {
  const troubles = new RoleTroubles();
  const ledger = new TurnLedger();
  const isContinued = place !== undefined;
  const logs = sessionLogs(files, home, session, { listeners: [troubles, ledger], isContinued });
  const kept = place && new KeptFolds(files, place, { logs, turns: ledger, troubles });
  return { troubles, ledger, logs, kept };
}

/** Creates a reader that has read nothing yet. */
export function openSessionReader(options: ReaderOptions): SessionReader {
  const { files, hub, home, session } = options;
  const { troubles, ledger, logs, kept } = openFolds(options);
  const all = Object.values(logs);
  const touchAll = () => all.forEach((log) => log.touch());
  const turns = turnsOf(session, ledger);
  // Roles record an intent before they publish, so if the branch has moved, every log may have new
  // records.
  const branch = new BranchReader(hub, session, touchAll);
  const builder = new BelievedBuilder(files, home, session);
  const commands = () => replacedIn(session, statesOf(logs));
  const readOn = async (own?: LogName): Promise<Result<SessionState, ReadFailure>> => {
    kept?.begin();
    if (own !== undefined) logs[own].touch();
    const known = await knownBranch(branch, logs);
    if (!known.ok) return known;
    const settled = known.value.commits.length;
    const isRead = readOnAll(all);
    if (!isRead.ok) return isRead;
    const isWhole = readAnswers(logs);
    if (!isWhole.ok) return isWhole;
    kept?.keep();
    const believed = builder.believed(logs.builder.value);
    if (!believed.ok) return believed;
    // Reading the branch after the logs guarantees that it contains every commit that they name.
    const fresh = await branch.read();
    if (!fresh.ok) return fresh;
    return ok({
      ...factsOf(session, commands()),
      ...statesOf(logs),
      builder: believed.value,
      branch: { ...fresh.value, settled: Math.min(settled, fresh.value.commits.length) },
      turns,
    });
  };
  return {
    logs: all,
    read: () => {
      touchAll();
      return readOn();
    },
    readOn,
    readTurns: () => {
      kept?.begin();
      touchAll();
      const isRead = readOnAll(all);
      return isRead.ok ? ok({ ...turns, human: logs.human.value }) : isRead;
    },
    commands,
    quarantined: () => all.flatMap((log) => log.quarantined),
    troubles: () => troubles.value,
  };
}

function factsOf(session: SessionJson, replaced: ReplacedCommands) {
  const { policy, publish } = session;
  const hasRemote = publish.remote !== undefined && publish.at === "boundary";
  const { verify } = commandsInForce(session, replaced);
  return { policy, hasVerify: verify.length > 0, hasRemote };
}

/**
 * Returns the branch as last read. The first time it reads the branch, with the commits up to the
 * reviewer's checkpoint in front of the others.
 */
async function knownBranch(
  branch: BranchReader,
  { reviewer }: SessionLogs,
): Promise<Result<Branch, ReadFailure>> {
  if (branch.value !== undefined) return ok(branch.value);
  const judged = reviewer.readOn();
  return judged.ok ? branch.read(judged.value.checkpoint) : judged;
}

/** Reads the new records of each touched log. */
function readOnAll(
  logs: readonly { readOn(): Result<unknown, FileFailure> }[],
): Result<void, FileFailure> {
  for (const log of logs) {
    const read = log.readOn();
    if (!read.ok) return read;
  }
  return ok(undefined);
}

/** Reads human.log once more if the builder acted on an answer there that is not in view yet. */
function readAnswers({ builder, human }: SessionLogs): Result<unknown, FileFailure> {
  if (!isBaseAnswerUnread(builder.value, human.value)) return ok(undefined);
  human.touch();
  return human.readOn();
}

/** Returns the facts that decide whether a role may have another turn. */
function turnsOf({ engines, budget }: SessionJson, facts: TurnLedger): SessionTurns {
  const namesOf = ({ name, fallbacks = [] }: SessionJson["engines"][Role]) => [
    name,
    ...fallbacks.map((fallback) => fallback.name),
  ];
  return {
    facts,
    engines: perRole((role) => namesOf(engines[role])),
    models: perRole((role) => engines[role].model),
    attempts: engines.builder.attempts,
    budget: budget ?? { session: {}, milestone: {} },
  };
}

/** Reads the branch again only if its head has changed. */
class BranchReader {
  readonly #hub: Hub;
  readonly #session: Pick<SessionJson, "branch" | "base">;
  readonly #moved: () => void;
  value: Branch | undefined;

  /** @param moved called if the head has changed */
  constructor(hub: Hub, session: Pick<SessionJson, "branch" | "base">, moved: () => void) {
    this.#hub = hub;
    this.#session = session;
    this.#moved = moved;
  }

  async read(seen?: Oid): Promise<Result<Branch, GitFailure>> {
    const { branch, base } = this.#session;
    const head = await this.#hub.head(branch);
    if (this.value !== undefined && head === this.value.head) return ok(this.value);
    this.#moved();
    if (head === undefined) return ok((this.value = branchOf(base, undefined, [])));
    const commits = await this.#hub.commits(base, head, seen);
    if (!commits.ok) return commits;
    return ok((this.value = branchOf(base, head, commits.value)));
  }
}
