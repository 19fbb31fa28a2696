import { join } from "node:path";
import { need } from "../base/fatal.ts";
import type { Role } from "../base/role.ts";
import type { Engine } from "../engines/engine.ts";
import type { Home } from "../fs-protocol/home.ts";
import type { SessionJson } from "../fs-protocol/session-json.ts";
import { createClone } from "../git/create-clone.ts";
import { openHub } from "../git/hub.ts";
import type { Host } from "../host/host.ts";
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
