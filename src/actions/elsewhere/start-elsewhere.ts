import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { attempted, CannotGoOn, need, type WorldFailure } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Executor, Place, PlaceWishes } from "../../base/ports/executor.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { homeAt, type Home } from "../../fs-protocol/home/home.ts";
import { PlaceJson, placePath } from "../../fs-protocol/home/place-json.ts";
import { effectiveIdentity } from "../../git/command/user-config.ts";
import type { Identity } from "../../git/clone/clone-config.ts";
import {
  excludeFromGit,
  findRepository,
  needObjects,
  type Repository,
} from "../../git/repository/repository.ts";
import type { FarProgram } from "../../remote/far-program.ts";
import { noteProgram } from "../../remote/known-program.ts";
import { installWisp } from "../../remote/install/install-wisp.ts";
import { openExecutor } from "../../remote/open-executor.ts";
import { tellingExecutor } from "../../remote/telling-executor.ts";
import { sendRepository } from "../../remote/take/send-repository.ts";
import { namedCommands } from "../../settings/config/named-commands.ts";
import { noteRepository } from "../../workspace/known-repositories.ts";
import { sessionsDirectory } from "../../workspace/sessions.ts";
import { sessionIdOfBranch } from "../../workspace/slug.ts";
import { stateDirectory } from "../../workspace/state-directory.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { previewBranch } from "../start/choose-branch.ts";
import { EXCLUDED_FROM_GIT } from "../start/excluded-from-git.ts";
import { readPrompts } from "../start/prompt-files.ts";
import type { Request } from "../start/read-request.ts";
import { refuseStarted } from "../start/same-request.ts";
import { requestIn, type StartWords } from "../start/session-draft.ts";
import { trustCommands } from "../start/trust-commands.ts";
import { awaitPlace, PlaceWaits } from "./await-place.ts";
import { sendSecrets } from "./send-secrets.ts";
import { startThere } from "./start-there.ts";
import type { StartingNote } from "../../workspace/starting-note.ts";
import {
  startingHomes,
  startingNote,
  startingNotePath,
  type StartingHome,
} from "../../workspace/starting-note.ts";

/** How a session is started elsewhere. */
export interface ElsewhereWords extends StartWords {
  /** The executor, as a person names it. */
  readonly on: string;
  /** The options of `wisp start` that are passed on, as words. */
  readonly passed: readonly string[];
  readonly again: boolean;
  readonly yes: boolean;
  readonly json: boolean;
  /** Accept a place at which no sandbox works. */
  readonly withoutSandbox: boolean;
  /** Do not wait for a place that has to wait: fail with `PlaceWaits`, and be called again. */
  readonly isImpatient?: boolean | undefined;
  /** Whose place has to be gone before, see `PlaceWishes`. */
  readonly after?: PlaceWishes["after"];
}

/** The branch's name leads to another session id than is free here. */
export const IdTaken = refusal(
  "id-taken",
  EXIT.usage,
  ({ branch }: { readonly branch: string }) => [
    `There is a session here already whose id follows from the branch ${shown(branch)}.`,
    "Name another branch with --branch.",
  ],
);

/** Somebody gave a start up while it waited for its place. */
export const GivenUp = refusal(
  "start-given-up",
  EXIT.failure,
  ({ id }: { readonly id: string }) => [
    `The start of ${shown(id)} was given up meanwhile. Nothing of it is left.`,
    "To see your sessions:",
    "wisp list",
  ],
);

/** A session that was started elsewhere, whose files are about to arrive. */
export interface StartedElsewhere {
  readonly id: string;
  readonly branch: string;
  readonly home: Home;
  /** The top of the work tree here. */
  readonly repository: string;
  readonly executor: Executor;
  readonly place: Place;
  readonly program: FarProgram;
}

/**
 * Starts a session on another machine: makes a place, puts wisp and the repository there, and runs `wisp start` there.
 * Interrupted at any point, the same command goes on where it was: nothing is made twice.
 */
export async function startElsewhere(
  world: World,
  words: ElsewhereWords,
): Promise<StartedElsewhere | undefined> {
  const git = gitContext(world);
  const repository = need(await findRepository(git, world.cwd));
  need(await needObjects(git, repository));
  const request = await requestIn(world, words);
  const identity = need(await effectiveIdentity(git, repository.directory));
  const { executor: silent, wishes, env } = need(await openExecutor(world, words.on));
  const executor = tellingExecutor(world, silent);
  const settings = need(readSettings(world.host.files, repository.directory));
  const commands = namedCommands(settings);
  const { again, branch } = words;
  await refuseStarted(world, { repository, request }, { again, branch, path: words.request });
  const trusted = await trustCommands(
    world,
    { repository: repository.directory, commands },
    { isSure: words.yes, isProgram: words.json, command: yesCommand(words) },
  );
  if (trusted === undefined) return undefined;
  const starting = await announce(world, repository, { words, request, executor });
  const { key } = starting.note;
  const made = await attempted(() =>
    awaitPlace(world, executor, {
      ...{ ...wishes, key, after: words.after, isPatient: words.isImpatient !== true },
    }),
  );
  if (!made.ok) forgetStart(world, starting, { executor, failure: made.failure });
  const place = need(made);
  // While it waited, a person may have given it up.
  if (startingNote(world.host.files, starting.home)?.key !== key) {
    need(await executor.destroy(place));
    throw new CannotGoOn(GivenUp({ id: starting.id }));
  }
  const withoutSandbox = words.withoutSandbox || settings.sandbox.kind === "none";
  const begun = await attempted(() =>
    beginThere(world, {
      ...{ words: { ...words, withoutSandbox }, request, starting },
      ...{ repository, identity, executor, place, env },
    }),
  );
  if (!begun.ok) world.tell(leftThere(starting));
  const program = need(begun);
  trusted.remember();
  const { id, home, note } = starting;
  return {
    ...{ id, branch: note.branch, home, repository: repository.directory },
    ...{ executor, place, program },
  };
}

interface Beginning extends Placing {
  readonly words: ElsewhereWords;
  readonly request: Request;
  readonly identity: Identity;
  /** See `OpenedExecutor`. */
  readonly env: readonly string[];
}

/** Puts at a place what a session needs, and starts it there. */
async function beginThere(world: World, beginning: Beginning): Promise<FarProgram> {
  const { words, request, starting, repository, identity, executor, place, env } = beginning;
  const state = placeHome(world, beginning);
  const program = need(await installWisp(world, executor, place));
  need(noteProgram(world.host.files, state, program));
  const prompts = readPrompts(world, repository.directory);
  need(await sendRepository(world, executor, { place, sent: { repository, identity, prompts } }));
  await sendSecrets(world, executor, { place, names: env });
  await startThere(world, { words, request, starting, reach: { executor, place, program } });
  return program;
}

function leftThere({ id, note }: StartingHome): string {
  const again = "The same command goes on with it, or remove it with";
  return `A place for ${id} is left on ${note.executor}. ${again}: wisp abandon ${shellWord(id)}`;
}

function yesCommand({ on, request }: ElsewhereWords): string {
  return `wisp start ${shellWord(request)} --on ${shellWord(on)} --yes`;
}

interface Announcing {
  readonly words: ElsewhereWords;
  readonly request: Request;
  readonly executor: Executor;
}

/** Reserves the id here, so that no other start takes it, or finds what an interrupted start reserved. */
async function announce(
  world: World,
  repository: Repository,
  { words, request, executor }: Announcing,
): Promise<StartingHome> {
  const { files } = world.host;
  const digest = createHash("sha256").update(request.bytes).digest("hex");
  const known = need(startingHomes(files, repository.directory)).find(
    ({ note }) =>
      note.request === digest &&
      note.executor === executor.name &&
      (words.branch === undefined || note.branch === words.branch),
  );
  if (known !== undefined) return known;
  need(excludeFromGit(gitContext(world), repository, EXCLUDED_FROM_GIT));
  const { id, branch } = await previewBranch(world, repository, {
    branch: words.branch,
    slug: request.slug,
  });
  if (sessionIdOfBranch(branch) !== id) throw new CannotGoOn(IdTaken({ branch }));
  const home = homeAt(join(sessionsDirectory(repository.directory), id));
  const key = `${id.replaceAll(/[^a-z0-9-]/gu, "-").slice(0, 40)}-${randomBytes(6).toString("hex")}`;
  const of = { executor: executor.name, repository: repository.directory };
  const note: StartingNote = { version: 1, ...of, key, branch, request: digest };
  need(files.makeDirectory(home.locks));
  need(files.create(startingNotePath(home), Buffer.from(`${JSON.stringify(note)}\n`)));
  return { id, repository: repository.directory, home, note };
}

/**
 * After a place could not be made, frees the id of the session, unless something that costs money may have been made:
 * then the same command finds it.
 */
function forgetStart(
  { host: { files, directories } }: World,
  { home }: StartingHome,
  { executor, failure }: { readonly executor: Executor; readonly failure: WorldFailure },
): void {
  const isFree = executor.kind === "ssh" || executor.kind === "local";
  const isNone = failure.kind === "executor-refused" || isFree;
  if (isNone && !PlaceWaits.is(failure) && files.stat(placePath(home)) === undefined) {
    need(directories.removeTree(home.directory));
  }
}

interface Placing {
  readonly repository: Repository;
  readonly starting: StartingHome;
  readonly executor: Executor;
  readonly place: Place;
}

/** Notes where the session will run: from here on, the home is a mirror. Returns the state directory here. */
function placeHome(world: World, { repository, starting, executor, place }: Placing): string {
  const { host, env } = world;
  const { directory } = repository;
  const { id, home, note } = starting;
  const path = placePath(home);
  const before = PlaceJson.safeParse(jsonOf(textOf(host.files, path)));
  if (before.success) return before.data.state;
  const state = stateDirectory(host.directories, env, { repository: directory, id });
  const mirrors = { executor: executor.name, ...place };
  const placed: PlaceJson = {
    version: 1,
    repository: directory,
    state,
    branch: note.branch,
    mirrors,
  };
  need(host.files.makeDirectory(state));
  noteRepository(world, directory);
  need(host.files.replace(path, Buffer.from(`${JSON.stringify(placed, undefined, 2)}\n`)));
  return state;
}

function textOf(files: Files, path: string): string {
  const read = files.read(path);
  return read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
}
