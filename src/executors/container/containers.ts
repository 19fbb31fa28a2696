import { assert } from "../../base/assert.ts";
import { FAR_COPY_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  PlaceGone,
  type ExecutorFailure,
  type Place,
  type PlaceState,
  type PlaceWishes,
} from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { isImageName } from "../../base/words/image-name.ts";
import type { ExecutorHost } from "../over-argv.ts";
import { ContainerEngine, isSuccess, type EngineOptions } from "./engine.ts";
import {
  chownWords,
  CONTAINER_ROOT,
  OWNER_SCRIPT,
  ROOT_SCRIPT,
  runWords,
  type ContainerMake,
} from "./run-words.ts";

/** Where containers of sessions come from. `name` is `container`, `container:<image>` or an alias. */
export interface ContainerOptions extends EngineOptions {
  /** The image of places that wish no other. It needs a POSIX shell, `setsid`, and what the session runs. */
  readonly image: string;
  /** More arguments of `run`, from the user's own configuration. */
  readonly arguments?: readonly string[] | undefined;
}

/** The exit code of podman and docker for a failure of their own. */
const ENGINE_EXIT = 125;

/** Begins the names of containers and of their volumes; the key of the place follows. */
const ID_PREFIX = "wisp-";

/** Whether it was done, or the failure. */
type Answer<T> = Promise<Result<T, ExecutorFailure>>;

/** Makes, finds and removes the containers and volumes of places. */
export class Containers {
  readonly engine: ContainerEngine;
  readonly #options: ContainerOptions;

  constructor(host: ExecutorHost, options: ContainerOptions) {
    this.engine = new ContainerEngine(host, options);
    this.#options = options;
  }

  /** Makes the container of a place, or starts the one that was made with the same key. */
  async create(wishes: PlaceWishes): Answer<Place> {
    const { key, image = this.#options.image } = wishes;
    assert(/^[A-Za-z0-9-]{1,60}$/.test(key), "a key is letters, digits and hyphens");
    if (!isImageName(image)) return this.#refused(`${image} is not the name of an image`);
    const make = { id: `${ID_PREFIX}${key}`, image, wishes, more: this.#options.arguments };
    const started = await this.#start(make);
    if (!started.ok) return started;
    const rooted = await this.#makeRoot(make);
    return rooted.ok ? ok({ id: make.id, root: CONTAINER_ROOT }) : rooted;
  }

  /** Starts the container of a place again, or makes another one for its volume, if that is there. */
  async revive(place: Place, wishes: Omit<PlaceWishes, "key">): Answer<Place> {
    const state = await this.status(place);
    if (!state.ok) return state;
    if (state.value.kind !== "down") return ok(place);
    return this.create({ ...wishes, key: place.id.slice(ID_PREFIX.length) });
  }

  /** What is there of a place. */
  async status({ id }: Place): Answer<PlaceState> {
    const found = await this.engine.container(id);
    if (!found.ok) return found;
    if (found.value === undefined) return this.#statusOfVolume(id);
    const { state, words } = found.value;
    if (state === "running") return ok({ kind: "up" });
    if (state === "restarting") return ok({ kind: "waiting", reason: words });
    return ok({
      kind: "down",
      reason: `its container is not running (${words}); wisp up starts it again`,
    });
  }

  /** Removes the container of a place and its volume, as far as they are there. */
  async destroy({ id }: Place): Answer<void> {
    const removed = await this.#removeContainer(id);
    return removed.ok ? this.#removeVolume(id) : removed;
  }

  /** What such an end of an `exec` means, if it is not the end of the command itself. */
  async failureOf(place: Place, end: ProgramEnd): Promise<ExecutorFailure | undefined> {
    if (end.kind === "timed-out") return undefined;
    const executor = this.engine.name;
    const state = await this.status(place);
    if (!state.ok) return state.failure;
    if (state.value.kind === "gone") return PlaceGone({ executor, place: place.id });
    if (state.value.kind !== "up") {
      return ExecutorUnreachable({ executor, detail: state.value.reason });
    }
    if (end.kind === "exited" && !isOfEngine(end)) return undefined;
    const detail = end.stderr.trim().split("\n").at(-1) || "the connection ended";
    return ExecutorUnreachable({ executor, detail });
  }

  async #start(make: ContainerMake): Answer<void> {
    const { engine } = this;
    const found = await engine.container(make.id);
    if (!found.ok) return found;
    if (found.value === undefined) return this.#run(make);
    if (found.value.state === "running") return ok(undefined);
    const command = found.value.state === "paused" ? "unpause" : "start";
    return this.#done(await engine.demand(engine.argv(command, make.id)));
  }

  /** Makes and starts a container. If that fails, nothing is left of it, except files that were there before. */
  async #run(make: ContainerMake): Answer<void> {
    const { engine } = this;
    const hadVolume = await engine.hasVolume(make.id);
    if (!hadVolume.ok) return hadVolume;
    const ran = await engine.demand(engine.argv("run", ...runWords(make)), FAR_COPY_MS_MAX);
    if (ran.ok) return ok(undefined);
    const found = await engine.container(make.id);
    // Another call with the same key may have been faster.
    if (found.ok && found.value?.state === "running") return ok(undefined);
    if (!found.ok || ran.failure.kind !== "executor-refused") return ran;
    const removed = await this.#removeContainer(make.id);
    if (removed.ok && !hadVolume.value) await this.#removeVolume(make.id);
    return ran;
  }

  /** Makes the root as the user of the image. Docker gives a new volume to root, so it is then handed over first. */
  async #makeRoot({ id, image }: ContainerMake): Answer<void> {
    const { engine } = this;
    const make = engine.argv("exec", id, "sh", "-c", ROOT_SCRIPT, "wisp", CONTAINER_ROOT);
    const made = await engine.tell(make);
    if (!made.ok) return made;
    if (isSuccess(made.value.end)) return ok(undefined);
    const owner = await engine.demand(engine.argv("exec", id, "sh", "-c", OWNER_SCRIPT));
    if (!owner.ok) return owner;
    const words = chownWords(id, image, owner.value.trim());
    const given = await engine.demand(engine.argv("run", ...words));
    return given.ok ? this.#done(await engine.demand(make)) : given;
  }

  async #statusOfVolume(id: string): Answer<PlaceState> {
    const has = await this.engine.hasVolume(id);
    if (!has.ok) return has;
    if (!has.value) return ok({ kind: "gone" });
    return ok({ kind: "down", reason: "its container was removed, but not its files" });
  }

  async #removeContainer(id: string): Answer<void> {
    const { engine } = this;
    const found = await engine.container(id);
    if (!found.ok || found.value === undefined) return this.#done(found);
    const removed = await engine.demand(engine.argv("rm", "--force", id));
    const left = await engine.container(id);
    if (!left.ok || left.value === undefined) return this.#done(left);
    return removed.ok ? this.#refused(`the container ${id} is still there`) : removed;
  }

  async #removeVolume(id: string): Answer<void> {
    const { engine } = this;
    const has = await engine.hasVolume(id);
    if (!has.ok || !has.value) return this.#done(has);
    const removed = await engine.demand(engine.argv("volume", "rm", id));
    const left = await engine.hasVolume(id);
    if (!left.ok || !left.value) return this.#done(left);
    return removed.ok ? this.#refused(`the volume ${id} is still there`) : removed;
  }

  #done(result: Result<unknown, ExecutorFailure>): Result<void, ExecutorFailure> {
    return result.ok ? ok(undefined) : result;
  }

  #refused(detail: string) {
    return fail(ExecutorRefused({ executor: this.engine.name, detail }));
  }
}

/** Whether it is podman or docker that failed, and not the command: a command, too, may end with their exit code. */
function isOfEngine(end: ProgramEnd): boolean {
  return end.kind === "exited" && end.exitCode === ENGINE_EXIT && /^Error/m.test(end.stderr);
}
