import { join } from "node:path";
import { tap } from "rxjs";
import { need } from "../base/fatal.ts";
import type { Role } from "../base/role.ts";
import type { Watcher } from "../base/watcher.ts";
import type { Engine } from "../engines/engine.ts";
import { CommonRecord } from "../fs-protocol/common-records.ts";
import { roleLog, type Home } from "../fs-protocol/home.ts";
import type { SessionJson } from "../fs-protocol/session-json.ts";
import { createClone } from "../git/create-clone.ts";
import { openHub } from "../git/hub.ts";
import type { Host } from "../host/host.ts";
import { guardedFiles } from "./guarded-files.ts";
import { createJournal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";
import { createTemplates } from "./templates.ts";

/** What a role's process is started with. */
export interface RoleStart {
  readonly host: Host;
  readonly home: Home;
  readonly session: SessionJson;
  readonly engine: Engine;
  /** Directories of prompt templates, the user's own first. */
  readonly templates: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly stop: AbortController;
}

/**
 * The same start for a role whose engine knows the way to the session's home: what this role alone
 * writes there stays as it wrote it, and it is put on record when the system gives no file events.
 */
export function guardedStart(role: Role, start: RoleStart): RoleStart {
  const { host, home, session } = start;
  const { clock, directories, processes, locks } = host;
  const files = guardedFiles({ role, home, session, files: host.files, clock });
  const journal = createJournal({ files, clock }, roleLog(home, role), CommonRecord);
  const watcher = sayingWatcher(host.watcher, (errno) => {
    journal.append({ kind: "watch.lost", time: journal.time(), errno });
  });
  return { ...start, host: { clock, files, directories, watcher, processes, locks } };
}

/** Says once that there are no file events. */
function sayingWatcher(watcher: Watcher, say: (errno: string) => void): Watcher {
  let hasSaid = false;
  return {
    watch: (directories) =>
      watcher.watch(directories).pipe(
        tap(({ lost }) => {
          if (lost === undefined || hasSaid) return;
          hasSaid = true;
          say(lost);
        }),
      ),
  } satisfies Watcher;
}

/** Everything that a role works with but its journal, whose records are its own. */
export function contextOf<R extends Role>(
  role: R,
  start: RoleStart,
): Omit<RoleContext<R>, "journal"> {
  const { host, home, session, engine, env, pid, stop } = start;
  const git = {
    files: host.files,
    directories: host.directories,
    clock: host.clock,
    environment: env,
  };
  const hub = openHub(git, session.repository);
  const directory = join(session.state, role, "clone");
  const { branch, id, identity } = session;
  let made: ReturnType<RoleContext["clone"]> | undefined;
  const make = async () =>
    need(await createClone(git, { hub, branch, directory, session: id, identity }));
  // An engine may have removed what makes it a clone: then it is made anew.
  const isThere = () => host.directories.kindOf(join(directory, ".git", "objects")) !== undefined;
  return {
    role,
    home,
    session,
    ports: host,
    hub,
    clone: () =>
      (made = made === undefined ? make() : made.then((clone) => (isThere() ? clone : make()))),
    engine,
    templates: createTemplates(host.files, start.templates),
    env,
    pid,
    signal: stop.signal,
    random: Math.random,
  };
}
