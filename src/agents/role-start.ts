import { join } from "node:path";
import { tap } from "rxjs";
import { need } from "../base/fatal.ts";
import type { Role } from "../base/role.ts";
import { NO_SANDBOX, type Sandbox } from "../base/ports/sandbox.ts";
import type { Watcher } from "../base/ports/watcher.ts";
import type { Engine } from "../engines/engine.ts";
import { CommonRecord } from "../fs-protocol/records/common-records.ts";
import { roleLog, type Home } from "../fs-protocol/home/home.ts";
import { sessionInForce } from "../session/commands/commands-in-force.ts";
import { openSessionReader } from "../session/state/session-reader.ts";
import { clonesDirectory, type SessionJson } from "../fs-protocol/home/session-json.ts";
import { createClone } from "../git/clone/create-clone.ts";
import { isLargeCheckout } from "../git/clone/rest-clone.ts";
import type { GitContext } from "../git/command/git-environment.ts";
import { openHub } from "../git/repository/hub.ts";
import { sessionPlace } from "../git/clone/session-place.ts";
import { openTree } from "../git/clone/open-tree.ts";
import type { Host } from "../host/host.ts";
import { guardedFiles } from "../home/own-files.ts";
import { roleClones } from "../work/role-clones.ts";
import { createJournal } from "../work/journal.ts";
import { MeanwhileWatch } from "../work/turn/meanwhile.ts";
import { newestUnitIn, watchedCommands } from "../work/turn/watch-commands.ts";
import type { RoleContext } from "../work/role-context.ts";
import { roleSnapshots, type ProgramFiles } from "../fs-protocol/home/role-snapshots.ts";
import { createTemplates } from "../work/turn/templates.ts";
import { openTrees } from "../evidence/verify-tree/open-trees.ts";

/** What a role's process is started with. */
export interface RoleStart {
  readonly host: Host;
  readonly home: Home;
  readonly session: SessionJson;
  /** The role's engines in order of preference. */
  readonly engines: readonly Engine[];
  /** Directories of prompt templates, the user's own first. */
  readonly templates: readonly string[];
  /** Directories of reviewers, the user's own first. */
  readonly reviewers: readonly string[];
  /** Absent: the commands that wisp runs are not confined. */
  readonly sandbox?: Sandbox | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the locks of slots; absent: commands get no slot. */
  readonly slots?: string | undefined;
  /** The machine's folder for temporary files; absent: there is no neutral tree. */
  readonly temporary?: string | undefined;
  readonly pid: number;
  readonly stop: AbortController;
  /** Absent: nothing that was computed is kept for the next process. */
  readonly program?: ProgramFiles | undefined;
}

/**
 * Guards the home against engines, which know its path: if another process changes a file that only this role writes,
 * the file is restored. Also records when the system delivers no file events.
 */
export function guardedStart(role: Role, start: RoleStart): RoleStart {
  const { host, home, session } = start;
  const { clock, directories, processes, locks } = host;
  const files = guardedFiles({ role, home, session, files: host.files, clock });
  const journal = createJournal({ files, clock }, roleLog(home, role), CommonRecord);
  const watcher = reportingWatcher(host.watcher, (errno) => {
    journal.append({ kind: "watch.lost", time: journal.time(), errno });
  });
  return { ...start, host: { clock, files, directories, watcher, processes, locks } };
}

/** Calls `report` once, if the system delivers no file events. */
function reportingWatcher(watcher: Watcher, report: (errno: string) => void): Watcher {
  let hasReported = false;
  return {
    watch: (directories) =>
      watcher.watch(directories).pipe(
        tap(({ lost }) => {
          if (lost === undefined || hasReported) return;
          hasReported = true;
          report(lost);
        }),
      ),
  } satisfies Watcher;
}

async function reviewersIn({ host, reviewers }: Pick<RoleStart, "host" | "reviewers">) {
  // Imported on first use: most roles never need it, and all would wait for its parser to load.
  const { readReviewers } = await import("../settings/reviewers/read-reviewers.ts");
  return readReviewers(host.files, reviewers);
}

/** Everything that a role works with except its journal, because each role has its own kind of records. */
export function contextOf<R extends Role>(
  role: R,
  start: RoleStart,
): Omit<RoleContext<R>, "journal"> {
  const { host, home, engines, env, pid, stop, sandbox, program, slots } = start;
  const { files } = host;
  const git = { files, directories: host.directories, clock: host.clock, environment: env };
  const hub = openHub(git, start.session.repository);
  const snapshots = program && roleSnapshots({ role, session: start.session, program });
  const place = snapshots?.("folds");
  const reader = openSessionReader({ files, hub, home, session: start.session, place });
  const session = sessionInForce(start.session, reader.commands);
  const shared = sessionPlace(session, { hub, locks: host.locks });
  const clones = roleClones({
    make: async (directory) => need(await createClone(git, { ...shared, directory })),
    directories: host.directories,
    opensEarly: () => shared.store === undefined || !isLargeCheckout(git, session.repository),
    first: join(clonesDirectory(session, role), "clone"),
  });
  const isCiLeftOut = async () => need(await reader.read()).builder.baseline?.ci === "no";
  const { meanwhile, ports } = watched(role, start, git);
  return {
    ...{ role, home, session, hub },
    ports,
    clone: clones.open,
    waiting: clones.waiting,
    trees: openTrees({
      ...{ role, home, session, env, sandbox, slots, isCiLeftOut },
      ports,
      signal: stop.signal,
      temporary: start.temporary,
      replacedEnv: () => reader.commands().env,
      clone: () => clones.open(),
      open: (directory) => openTree(git, { ...shared, directory }),
    }),
    engines,
    reader,
    snapshots,
    templates: createTemplates(host.files, start.templates),
    reviewers: () => reviewersIn(start),
    sandbox,
    env,
    meanwhile,
    pid,
    signal: stop.signal,
    random: Math.random,
  };
}

/** Absent if a sandbox confines engines and commands. */
function watchOf(
  role: Role,
  { home, session, sandbox = NO_SANDBOX }: RoleStart,
  git: GitContext,
): MeanwhileWatch | undefined {
  const areTurnsConfined = isConfined(session);
  if (areTurnsConfined && sandbox.kind !== "none") return undefined;
  return new MeanwhileWatch({ git, home, session, role, areTurnsConfined });
}

/** The host, with the commands watched that no sandbox confines, and what watches them. */
function watched(
  role: Role,
  start: RoleStart,
  git: GitContext,
): { readonly ports: Host; readonly meanwhile?: MeanwhileWatch } {
  const { host, home } = start;
  const meanwhile = watchOf(role, start, git);
  if (meanwhile === undefined) return { ports: host };
  const { files, clock } = host;
  const path = roleLog(home, role);
  const journal = createJournal({ files, clock }, path, CommonRecord);
  const unit = newestUnitIn(files, path);
  const processes = watchedCommands(host.processes, { meanwhile, journal, unit });
  return { meanwhile, ports: { ...host, processes } };
}

function isConfined({ sandbox }: SessionJson): boolean {
  return sandbox !== undefined && sandbox.kind !== "none";
}
