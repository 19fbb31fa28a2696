import { join } from "node:path";
import type { RoleEnd } from "../../../src/work/run-role.ts";
import { startRole } from "../../../src/agents/start-role.ts";
import type { Files } from "../../../src/base/ports/files.ts";
import type { Role } from "../../../src/base/role.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { createHost } from "../../../src/host/host.ts";
import type { InProcessSession } from "../../rig/in-process-session.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

/** Thrown at the point where a process would have been killed. */
class Killed extends Error {}

/** The write before which a role is killed: the n-th, or the n-th append of a text like this. */
export interface Kill {
  readonly like?: RegExp;
  readonly nth: number;
}

/** Files that throw just before one write; `left` counts down to it. */
function filesUntil(files: Files, { like }: Kill, writes: { left: number }): Files {
  const count = (bytes?: Uint8Array) => {
    if (like !== undefined && !like.test(new TextDecoder().decode(bytes))) return;
    writes.left -= 1;
    if (writes.left === 0) throw new Killed("killed");
  };
  return {
    readChunk: (...args) => files.readChunk(...args),
    read: (...args) => files.read(...args),
    stat: (...args) => files.stat(...args),
    link: (...args) => files.link(...args),
    list: (...args) => files.list(...args),
    remove: (...args) => files.remove(...args),
    removeTemporaries: (...args) => files.removeTemporaries(...args),
    makeDirectory: (...args) => files.makeDirectory(...args),
    makeScratchDirectory: (...args) => files.makeScratchDirectory(...args),
    append: (path, bytes) => {
      count(bytes);
      return files.append(path, bytes);
    },
    replace: (...args) => {
      count();
      return files.replace(...args);
    },
    create: (...args) => {
      count();
      return files.create(...args);
    },
    createCopy: (...args) => {
      count();
      return files.createCopy(...args);
    },
    createScratch: (...args) => {
      count();
      return files.createScratch(...args);
    },
  };
}

/** A role that is killed once. */
export interface KilledRun {
  /** Undefined: never. */
  readonly kill: Kill | undefined;
  /** Receives the requests of all turns. */
  readonly turns: TurnRequest[];
  readonly model: (request: TurnRequest) => TurnOutcome;
}

const NEVER: Kill = { nth: 0 };

/** Runs a role that is killed before a write, and restarted at once, as by a supervisor. */
export async function runKilled(
  at: InProcessSession,
  role: Role,
  { kill = NEVER, turns, model }: KilledRun,
): Promise<{ readonly end: RoleEnd; readonly wasKilled: boolean }> {
  const writes = { left: kill.nth };
  for (;;) {
    const host = createHost();
    const { directories, clock, watcher, processes, locks } = host;
    const files = filesUntil(host.files, kill, writes);
    const ended = startRole(role, {
      host: { files, directories, clock, watcher, processes, locks },
      home: at.home,
      session: at.session,
      engines: [
        {
          name: "script",
          turn: (request) => {
            turns.push(request);
            return Promise.resolve(model(request));
          },
        },
      ],
      templates: [join(import.meta.dirname, "../../../templates")],
      reviewers: [join(import.meta.dirname, "../../fixtures/reviewers")],
      env: ownEnvironment({ HOME: at.repository }),
      pid: process.pid,
      stop: new AbortController(),
    });
    try {
      const end = await ended;
      return { end, wasKilled: kill !== NEVER && writes.left <= 0 };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}
