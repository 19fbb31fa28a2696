import { type WorldFailure, attempted } from "../../base/fatal.ts";
import { dirname } from "node:path";
import { shown } from "../../base/words/shown.ts";
import { runIdsOf } from "../../work/role-context.ts";
import { ROLES } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { FrozenSandbox } from "../../fs-protocol/home/session-json.ts";
import { effectiveIdentity } from "../../git/command/user-config.ts";
import { findRepository, type Repository } from "../../git/repository/repository.ts";
import { isWritable } from "../../host/probe/probe-disk.ts";
import { carriersOf } from "../../host/probe/probe-leftovers.ts";
import { chooseSandbox } from "../../workspace/choose-sandbox.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { failed, fine, skipped, warn, type Check } from "./doctor-check.ts";
import { diskChecks } from "./doctor-disk.ts";
import { permissionChecks } from "./doctor-permissions.ts";
import { explain } from "../../base/explain.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { missingHere } from "../start/not-in-base.ts";
import { reviewerDirectories } from "../settings/reviewer-directories.ts";
import { readReviewers } from "../../settings/reviewers/read-reviewers.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { isAbandoned } from "../../workspace/session/session-end.ts";
import { enginePrograms, sessionEngines } from "../settings/session-engines.ts";
import { count } from "../../base/words/sentence.ts";
import { listSessions, readSession, type FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { stateDirectory } from "../../workspace/state-directory.ts";

/** Clocks are adjusted by a few seconds all the time. */
const FUTURE_MS_MAX = 60_000;

/** What matters to wisp about the current repository; one line outside of a repository. */
export async function repositoryChecks(world: World): Promise<readonly Check[]> {
  const found = await findRepository(gitContext(world), world.cwd);
  if (!found.ok) {
    if (found.failure.kind !== "not-a-repository") return [explained("repository", found.failure)];
    return [skipped("repository", "not in a git repository: the checks of one were skipped")];
  }
  const repository = found.value;
  const { directory } = repository;
  // The folder with the clones of all sessions of this repository, derived from a hypothetical
  // session's.
  const state = dirname(
    stateDirectory(world.host.directories, world.env, { repository: directory, id: "next" }),
  );
  return [
    fine("repository", `repository ${shown(directory)}`),
    await checkIdentity(world, repository),
    ...(await checkSettings(world, directory)),
    ...(await missingChecks(world, repository)),
    ...diskChecks([
      ["the repository", directory],
      ["clones", state],
    ]),
    checkWritable("writable.repository", directory),
    checkWritable("writable.clones", state),
    ...(await sessionChecks(world, directory)),
  ];
}

async function checkIdentity(world: World, { directory }: Repository): Promise<Check> {
  const identity = await effectiveIdentity(gitContext(world), directory);
  if (!identity.ok) return explained("identity", identity.failure);
  return fine("identity", `commits are made as ${shown(identity.value.name)}`);
}

/** Everything in the settings that `wisp start` would refuse. */
async function checkSettings(world: World, directory: string): Promise<readonly Check[]> {
  const settings = readSettings(world.host.files, directory);
  if (!settings.ok) return [explained("settings", settings.failure)];
  const reviewers = readReviewers(world.host.files, reviewerDirectories(world, directory));
  if (!reviewers.ok) return [explained("settings", reviewers.failure)];
  const engines = await attempted(() =>
    sessionEngines(world, directory, settings.value, reviewers.value),
  );
  if (!engines.ok) {
    return [explained("settings", engines.failure)];
  }
  const sandbox = await chooseSandbox(world, settings.value.sandbox, enginePrograms(engines.value));
  if (!sandbox.ok) return [explained("sandbox", sandbox.failure)];
  const words = new Set(ROLES.map((role) => engines.value[role].name));
  return [
    fine("settings", `.wisp/config.yaml is valid; engine: ${[...words].join(", ")}`),
    ...(sandbox.value.kind === "container" ? [containerCheck(sandbox.value)] : []),
    ...permissionChecks(engines.value),
  ];
}

/** What a session that began now would miss. */
async function missingChecks(world: World, repository: Repository): Promise<readonly Check[]> {
  const { missing } = await missingHere(world, repository);
  const checks = missing.map(({ kind, what, where, remedy }) =>
    warn(`missing.${kind}`, what.includes(where) ? what : `${what} (${where})`, remedy),
  );
  const nothing = "the last commit lacks nothing that verify is known to need";
  return checks.length === 0 ? [fine("missing", nothing)] : checks;
}

function containerCheck({ container }: FrozenSandbox): Check {
  const image = shown(container?.image ?? "");
  return fine("sandbox", `a container of ${image} runs, has the engines, and reaches no socket`);
}

function checkWritable(name: string, path: string): Check {
  if (isWritable(path)) return fine(name, `${shown(path)} can be written`);
  return failed(name, `${shown(path)} cannot be written`, "Check its owner and mode.");
}

async function sessionChecks(world: World, directory: string): Promise<readonly Check[]> {
  const homes = listSessions(world.host.files, directory);
  if (!homes.ok) return [explained("sessions", homes.failure)];
  const checks = await Promise.all(homes.value.map((home) => checkSession(world, home)));
  const stale = checks.filter((check) => check !== undefined);
  if (stale.length > 0) return stale;
  const sessions = count(homes.value.length, "session");
  return [fine("sessions", `${sessions}, none of them left behind`)];
}

async function checkSession(world: World, home: Home): Promise<Check | undefined> {
  const read = readSession(world.host.files, home);
  if (!read.ok) return explained("session", read.failure);
  const found = read.value;
  const { id, createdAt } = found.session;
  const name = `session.${id}`;
  if (Date.parse(createdAt) - world.host.clock.nowMs() > FUTURE_MS_MAX) {
    const what = `${id} was created in the future (${createdAt}): the clock was set back`;
    return warn(
      name,
      what,
      "Set the clock: wisp shows the times of records to people and waits by them.",
    );
  }
  return (await readLeases(world.host, home)).has("supervisor")
    ? undefined
    : checkIdle(world, found);
}

/** A session without a supervisor: whether it should have one, and what it left behind. */
async function checkIdle(world: World, found: FoundSession): Promise<Check | undefined> {
  const { home, session } = found;
  const name = `session.${session.id}`;
  const up = `wisp up ${shellWord(session.id)}`;
  const live = await readLeases(world.host, home);
  const idle = ROLES.filter((role) => !live.has(role));
  const engines = carriersOf(idle.flatMap((role) => runIdsOf(home, role)));
  if (engines.length > 0) {
    const what = `${session.id}: ${String(engines.length)} of the processes that its engines started are still running`;
    return warn(name, what, `kill ${engines.join(" ")}`);
  }
  const state = await readState(world, found);
  if (!state.ok) return explained(name, state.failure);
  if (isAbandoned(state.value.state, world.host.clock.nowMs()) && live.size === 0) {
    return warn(name, `${session.id} has work left, but is not running`, up);
  }
  const stale = (["supervisor", ...idle] as const).filter(
    (holder) => world.host.files.stat(`${leasePath(home, holder)}.json`) !== undefined,
  );
  if (stale.length === 0) return undefined;
  const what = `${session.id}: a process was killed, and its lease still names it: ${stale.join(", ")}`;
  return warn(name, what, `wisp fsck ${shellWord(session.id)} --repair`);
}

function explained(name: string, failure: WorldFailure): Check {
  const { message, hint, details, next } = explain(failure);
  return failed(name, message.replace(/\.$/, ""), next[0] ?? details[0] ?? hint ?? "wisp --help");
}
