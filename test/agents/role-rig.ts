import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { ROLES, type Role } from "../../src/base/role.ts";
import type { Locks } from "../../src/base/ports/locks.ts";
import type { Sandbox } from "../../src/base/ports/sandbox.ts";
import { createJournal } from "../../src/work/journal.ts";
import { contextOf, type RoleStart } from "../../src/agents/role-start.ts";
import type { RecordOf, RoleContext } from "../../src/work/role-context.ts";
import type { Engine, TurnRequest } from "../../src/engines/engine.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { createHost } from "../../src/host/host.ts";
import {
  inProcessSession,
  type InProcessOptions,
  type InProcessSession,
  type Script,
} from "../rig/in-process-session.ts";
import { NotingClock } from "./memory-ports.ts";
import { PASSED } from "./turns.ts";
import { ofKind } from "../rig/read-log.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

export interface RigOptions extends InProcessOptions {
  readonly session?: Partial<SessionJson>;
}

/** One role's parts with a real repository, real clones and real files; only time and models are fake. */
export interface RoleRig<R extends Role> extends Disposable {
  readonly context: RoleContext<R>;
  readonly clock: NotingClock;
  readonly at: InProcessSession;
  /** The requests to the engine, in order. */
  readonly asked: TurnRequest[];
  readonly stop: AbortController;
  /** The role's journal, decoded by its schema. */
  readonly records: () => readonly RecordOf[R][];
  readonly recordsOf: <K extends RecordOf[R]["kind"]>(
    kind: K,
  ) => readonly Extract<RecordOf[R], { readonly kind: K }>[];
}

/** Several roles of one session, each with its own clone. */
export interface SessionRig extends Disposable {
  readonly at: InProcessSession;
  readonly session: SessionJson;
  readonly stop: AbortController;
  readonly role: <R extends Role>(role: R, script?: Script, fields?: RoleFields) => RoleRig<R>;
}

/** How a role differs from the others of its session. */
export interface RoleFields {
  readonly session?: Partial<SessionJson>;
  /** In addition to the common variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stop?: AbortController;
  /** Instead of the machine's. */
  readonly locks?: Locks;
  readonly sandbox?: Sandbox;
  /** The folder of the locks of slots; absent: commands get none. */
  readonly slots?: string | undefined;
  /** The folder for temporary files, for neutral trees; absent: there are none. */
  readonly temporary?: string | undefined;
}

const SCHEMAS: { readonly [R in Role]: z.ZodType<RecordOf[R]> } = {
  planner: PlannerRecord,
  builder: BuilderRecord,
  reviewer: ReviewerRecord,
  tester: TesterRecord,
};

/** Makes the repository and the session. */
export function sessionRig({ session: fields, ...options }: RigOptions = {}): SessionRig {
  const at = inProcessSession(options);
  const session = { ...at.session, ...fields };
  const stop = new AbortController();
  return {
    at,
    session,
    stop,
    role: (role, script = () => PASSED, { session: own, ...fields } = {}) =>
      roleOf({ at, stop, ...fields, session: { ...session, ...own } }, role, script),
    [Symbol.dispose]: () => {
      at[Symbol.dispose]();
    },
  };
}

function roleOf<R extends Role>(
  {
    at,
    session,
    stop,
    env,
    sandbox,
    slots,
    temporary,
    locks = createHost().locks,
  }: Pick<SessionRig, "at" | "session" | "stop"> &
    Pick<RoleFields, "env" | "sandbox" | "locks" | "slots" | "temporary">,
  role: R,
  script: Script,
): RoleRig<R> {
  const asked: TurnRequest[] = [];
  const engine: Engine = {
    name: "script",
    turn: async (request) => {
      asked.push(request);
      return script(request);
    },
  };
  const clock = new NotingClock();
  const { files, directories, watcher, processes } = createHost();
  const host = { files, directories, watcher, processes, locks, clock };
  const start: RoleStart = {
    host,
    home: at.home,
    session,
    engines: [engine],
    templates: [join(import.meta.dirname, "../../templates")],
    reviewers: [join(import.meta.dirname, "../fixtures/reviewers")],
    env: {
      ...ownEnvironment({ HOME: session.state }),
      ...env,
    },
    sandbox,
    slots,
    temporary,
    pid: process.pid,
    stop,
  };
  const schema = SCHEMAS[role];
  const path = roleLog(at.home, role);
  const journal = createJournal<z.ZodType<RecordOf[R]>>(host, path, schema);
  const records = () => recordsIn<RecordOf[R]>(path, schema);
  return {
    context: { ...contextOf(role, start), journal, random: () => 0 },
    clock,
    at,
    asked,
    stop,
    records,
    recordsOf: (kind) => ofKind(records(), kind),
    [Symbol.dispose]: () => {
      at[Symbol.dispose]();
    },
  };
}

function recordsIn<T>(path: string, schema: z.ZodType<T>): readonly T[] {
  const lines = readFileSync(path, { encoding: "utf8", flag: "a+" }).split("\n");
  return lines.slice(0, -1).map((line) => {
    const decoded = decodeRecord(schema, line);
    if (!decoded.ok) throw new Error(`not a record: ${line}`);
    return decoded.value;
  });
}

/** Appends records to the journal of any role, as that role would have. */
export function write(at: InProcessSession, logs: Partial<RecordLists>): void {
  const host = createHost();
  for (const role of ROLES) {
    const records = logs[role] ?? [];
    if (records.length === 0) continue;
    const journal = createJournal<z.ZodType<RecordOf[typeof role]>>(
      host,
      roleLog(at.home, role),
      SCHEMAS[role],
    );
    journal.append(...records);
  }
}

type RecordLists = { readonly [R in Role]: readonly RecordOf[R][] };
