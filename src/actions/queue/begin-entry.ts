import { join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import type { PlaceWishes } from "../../base/ports/executor.ts";
import { homeAt } from "../../fs-protocol/home/home.ts";
import type { EntryJson, FleetJson } from "../../fs-protocol/queue/queue-json.ts";
import { openExecutor } from "../../remote/open-executor.ts";
import { sessionsDirectory, type FoundSession } from "../../workspace/sessions.ts";
import { sessionIdOfBranch } from "../../workspace/slug.ts";
import { startingNote } from "../../workspace/starting-note.ts";
import type { DueEntry } from "./fleet-stands.ts";
import { findRepository, type Repository } from "../../git/repository/repository.ts";
import { findSession } from "../../workspace/find-session.ts";
import { queuedRequest, type Fleet } from "../../workspace/queue/queue-files.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { passedWords } from "../elsewhere/passed-words.ts";
import { runStarted } from "../elsewhere/run-started.ts";
import { startElsewhere } from "../elsewhere/start-elsewhere.ts";
import { previewBranch } from "../start/choose-branch.ts";
import { createSession } from "../start/create-session.ts";
import { requestOf, type Request } from "../start/read-request.ts";
import { RequestMissing } from "../start/request-failures.ts";
import { refuseStarted } from "../start/same-request.ts";
import { draftSession, type StartWords } from "../start/session-draft.ts";
import { foreignCommands, trustCommands, Untrusted } from "../start/trust-commands.ts";
import { superviseSession } from "../up/continue-session.ts";
import { hasFailed, supervisorGone } from "../up/supervisor-gone.ts";

/** An entry of a queue, and the fleet that it belongs to. */
export interface EntryOf {
  readonly fleet: Fleet;
  readonly entry: EntryJson;
}

/**
 * The branch on which an entry is started. It is noted before anything is made, so that whoever goes on with an
 * interrupted start finds what there is of it.
 *
 * @param taken branches of other entries, of which there may be nothing yet
 */
export async function branchForEntry(
  world: World,
  of: EntryOf,
  taken: ReadonlySet<string>,
): Promise<string> {
  const repository = need(await findRepository(gitContext(world), world.cwd));
  const request = requestOfEntry(world, of);
  if (!of.fleet.json.options.again) {
    await refuseStarted(world, { repository, request }, { path: request.path });
  }
  return freeBranch(world, repository, { slug: request.slug, taken });
}

async function freeBranch(
  world: World,
  repository: Repository,
  { slug, taken }: { readonly slug: string; readonly taken: ReadonlySet<string> },
): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? slug : `${slug}-${String(number)}`;
    const { branch } = await previewBranch(world, repository, { branch: undefined, slug: name });
    if (!taken.has(branch)) return branch;
  }
}

/**
 * Starts the session of an entry on its branch, or goes on with the start of it that was interrupted.
 *
 * @returns its id
 */
export async function beginEntry(
  world: World,
  of: EntryOf & Pick<DueEntry, "after"> & { readonly branch: string },
): Promise<string> {
  const { fleet, branch } = of;
  const { on } = fleet.json;
  const options = optionsOf(of);
  const made = findSession(world.host.files, world.cwd, branch);
  if (made.ok && made.value.session.branch === branch) {
    // One that runs elsewhere is kept going by its follower.
    const isHere = made.value.mirrors === undefined;
    return isHere ? supervised(world, of, made.value) : made.value.session.id;
  }
  const { path, bytes } = requestOfEntry(world, of);
  const { up, withoutSandbox, ...rest } = options;
  const words: StartWords = { ...rest, request: path, content: bytes, branch };
  if (on === undefined) return supervised(world, of, await createHere(world, words));
  const started = await startElsewhere(world, {
    ...{ ...words, on, again: options.again, yes: false, json: true, withoutSandbox },
    ...{ passed: passedWords(options), isImpatient: true, after: placesBefore(world, of) },
  });
  if (started === undefined) throw new CannotGoOn(Untrusted({ command: "wisp start --yes" }));
  await runStarted(world, started, { up });
  return started.id;
}

/** The options of the start as they are for one of its sessions, with its share of the budget. */
function optionsOf({ fleet: { json }, entry: { budget } }: EntryOf) {
  return budget === undefined ? json.options : { ...json.options, budget, fleet: json.fleet };
}

/** Whether an executor itself holds back places until others are gone. One that cannot be opened does nothing. */
export async function hasOwnLanes(
  world: World,
  { on, max }: Pick<FleetJson, "on" | "max">,
): Promise<boolean> {
  if (on === undefined || max === undefined) return false;
  const opened = await openExecutor(world, on);
  return opened.ok && opened.value.executor.kind === "slurm";
}

/** The keys of the places that have to be gone before that of an entry begins. */
function placesBefore(
  { host: { files }, cwd }: World,
  { fleet, after }: EntryOf & Pick<DueEntry, "after">,
): PlaceWishes["after"] {
  const entries = fleet.entries.filter(({ number }) => after?.includes(number));
  const keys = entries.flatMap(({ branch = "" }) => {
    const home = homeAt(join(sessionsDirectory(cwd), sessionIdOfBranch(branch)));
    return startingNote(files, home)?.key ?? [];
  });
  return after === undefined ? undefined : keys;
}

async function createHere(world: World, words: StartWords): Promise<FoundSession> {
  const draft = await draftSession(world, words);
  const command = "wisp start --yes";
  const trust = { isSure: false, isProgram: true, command };
  if ((await trustCommands(world, foreignCommands(draft), trust)) === undefined) {
    throw new CannotGoOn(Untrusted({ command }));
  }
  return createSession(world, draft);
}

async function supervised(world: World, { fleet }: EntryOf, found: FoundSession): Promise<string> {
  if (fleet.json.options.up) {
    const ensured = need(await superviseSession(world, found));
    if (hasFailed(ensured)) throw new CannotGoOn(supervisorGone(world, found));
  }
  return found.session.id;
}

function requestOfEntry({ host: { files } }: World, { fleet, entry }: EntryOf): Request {
  const bytes = need(queuedRequest(files, fleet, entry));
  if (bytes === undefined) throw new CannotGoOn(RequestMissing({ path: entry.request }));
  return need(requestOf(bytes, entry.request, { isProse: fleet.json.options.plan }));
}
