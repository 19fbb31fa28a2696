import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Executor, FarCommand, Place } from "../../base/ports/executor.ts";
import { askFar, farCommand, type FarProgram } from "../../remote/far-program.ts";
import { forgetProgram, knownProgram, noteProgram } from "../../remote/known-program.ts";
import { installWisp } from "../../remote/install/install-wisp.ts";
import { renewWisp } from "../../remote/install/renew-wisp.ts";
import { openExecutor, type OpenedExecutor } from "../../remote/open-executor.ts";
import { tellingExecutor } from "../../remote/telling-executor.ts";
import { sendRepository } from "../../remote/take/send-repository.ts";
import { rescueRefs } from "../../git/refs/rescue-refs.ts";
import { findRepository } from "../../git/repository/repository.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import type { HeldClone } from "../close/held-clone.ts";
import { awaitPlace } from "../elsewhere/await-place.ts";
import { sendSecrets } from "../elsewhere/send-secrets.ts";
import { readPrompts } from "../start/prompt-files.ts";
import { checkFit } from "./check-fit.ts";
import type { HomeFileDigest } from "./compare-homes.ts";
import { askSide, clearSide, strange } from "./ask-side.ts";
import type { HandoverAnswer, HandoverAsk } from "./handover-talk.ts";
import type { SideLook } from "./look-at-side.ts";
import { movingNote, noteMoving } from "./moving-note.ts";

/** The name under which a place runs what keeps its session supervised. */
const KEEPER = "session";

/** The side of a move that is at an executor, as it is reached from here. */
export class FarEnd {
  readonly executor: Executor;
  readonly #world: World;
  readonly #found: FoundSession;
  readonly #opened: OpenedExecutor;

  constructor(world: World, found: FoundSession, opened: OpenedExecutor) {
    this.#world = world;
    this.#found = found;
    this.#opened = opened;
    this.executor = tellingExecutor(world, opened.executor);
  }

  /** The place, as far as one was made. */
  get place(): Place | undefined {
    const { mirrors, home } = this.#found;
    const noted = movingNote(this.#world.host.files, home)?.place;
    if (noted !== undefined || mirrors === undefined) return noted;
    return { id: mirrors.id, root: mirrors.root };
  }

  /** The wisp at the place, once all is there that it needs. */
  get program(): FarProgram | undefined {
    const program = knownProgram(this.#world.host.files, this.#found.session.state);
    return program?.repository === join(this.place?.root ?? "", "repository") ? program : undefined;
  }

  /** Looks there. What cannot be reached now is unreachable, whatever the reason. */
  async look(files: readonly HomeFileDigest[]): Promise<SideLook> {
    const { place } = this;
    if (place === undefined) return { found: { kind: "gone" }, files: [] };
    const status = await this.executor.status(place);
    if (status.ok && status.value.kind === "gone") return { found: { kind: "gone" }, files: [] };
    if (!status.ok || status.value.kind !== "up") {
      return { found: { kind: "unreachable" }, files: [] };
    }
    if (this.program === undefined) return { found: { kind: "gone" }, files: [] };
    const what = { kind: "look" as const, files: [...files] };
    const answer = await this.ask(what);
    if (answer === undefined) return { found: { kind: "unreachable" }, files: [] };
    if (answer.kind !== "looked") throw strange(this, "it answered something else");
    return { found: answer.found, files: answer.files };
  }

  /** Asks the wisp there. Undefined if it could not be reached. */
  async ask(what: HandoverAsk["what"]): Promise<HandoverAnswer | undefined> {
    const { place, program, executor } = this;
    if (place === undefined || program === undefined) return undefined;
    const { id } = this.#found.session;
    return askSide(this.#world, { executor, place, program, id }, what);
  }

  /**
   * The clones there that hold what cannot be saved, once all others are gone; undefined if it could not be reached.
   *
   * @param isMissed whether commits count that are saved there now, and that nobody takes from there any more
   */
  async clear(isMissed: boolean): Promise<readonly HeldClone[] | undefined> {
    const { place, program: known, executor } = this;
    if (place === undefined || known === undefined) return [];
    const { id, state, repository: directory } = this.#found.session;
    const here = need(await rescueRefs(gitContext(this.#world), { directory, session: id }));
    // The wisp of the time at which it came there may not know the question.
    const program = need(await renewWisp(this.#world, { executor, place, program: known, state }));
    return clearSide(
      this.#world,
      { executor, place, program, id },
      isMissed ? here.map(({ oid }) => oid) : undefined,
    );
  }

  /** Finds the place by its key, if a killed move noted no more: it may have been made. */
  async findPlace(): Promise<void> {
    const { host } = this.#world;
    const { home } = this.#found;
    const note = movingNote(host.files, home);
    if (note?.key === undefined || note.place !== undefined) return;
    const { wishes } = this.#opened;
    const place = need(await this.executor.create({ ...wishes, key: note.key }));
    noteMoving(host.files, home, { ...note, place });
  }

  /** Makes the place, with wisp and the repository of the session in it, or goes on with that. */
  async create(): Promise<void> {
    const { host } = this.#world;
    const { session, home } = this.#found;
    const { executor } = this;
    const { wishes, env } = this.#opened;
    const before = movingNote(host.files, home);
    const slug = session.id.replaceAll(/[^a-z0-9-]/gu, "-").slice(0, 40);
    const key = before?.key ?? `${slug}-${randomBytes(6).toString("hex")}`;
    // Places of containers have the same root: until wisp is installed at this one, it does not count as made.
    need(forgetProgram(host.files, session.state));
    noteMoving(host.files, home, { version: 1, executor: executor.name, key });
    const place = await awaitPlace(this.#world, executor, { ...wishes, key, isPatient: true });
    noteMoving(host.files, home, { version: 1, executor: executor.name, key, place });
    const program = need(await installWisp(this.#world, executor, place));
    need(host.files.makeDirectory(session.state));
    await checkFit(this.#world, session, { executor, place, program });
    const repository = need(await findRepository(gitContext(this.#world), session.repository));
    const prompts = readPrompts(this.#world, repository.directory);
    const { identity, base } = session;
    const sent = { repository, identity, prompts, base, detachedFrom: session.branch };
    need(await sendRepository(this.#world, executor, { place, sent }));
    const words = ["far", "take", "--no-input"];
    const command = farCommand(place, program, { cwd: place.root, words });
    await this.#run(place, command);
    await sendSecrets(this.#world, executor, { place, names: env });
    // Last: from here on it counts as made.
    need(noteProgram(host.files, session.state, program));
  }

  async #run(place: Place, command: FarCommand): Promise<void> {
    const { end } = need(await askFar(this.executor, place, command));
    if (end.kind !== "exited" || end.exitCode !== 0) throw strange(this, end.stderr);
  }

  /** Ends what keeps the session supervised there, so that nothing starts its roles again. */
  async endKeeper(): Promise<void> {
    const { place } = this;
    if (place !== undefined) need(await this.executor.signal(place, KEEPER, "TERM"));
  }

  /** Copies a file from here there; returns its path. */
  async put(path: string): Promise<string> {
    const { place } = this;
    const to = join(place?.root ?? "", "handover", randomUUID());
    if (place !== undefined) need(await this.executor.put(place, { from: { path }, to }));
    return to;
  }

  /** Copies a file from there here; returns its path. */
  async get(far: string): Promise<string> {
    const { place } = this;
    const { state } = this.#found.session;
    need(this.#world.host.files.makeDirectory(state));
    const here = join(state, `handover-${randomUUID()}`);
    if (place !== undefined) need(await this.executor.get(place, far, here));
    return here;
  }

  /** Destroys the place, for good. A later move makes another one. */
  async destroy(): Promise<void> {
    const { place } = this;
    if (place !== undefined) need(await this.executor.destroy(place));
  }
}

/** Opens the executor of a move; reaches nothing yet. */
export async function farEnd(world: World, found: FoundSession, name: string): Promise<FarEnd> {
  return new FarEnd(world, found, need(await openExecutor(world, name)));
}
