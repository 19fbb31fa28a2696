import { basename, isAbsolute, join } from "node:path";
import { assert } from "../../base/assert.ts";
import { FAR_COMMAND_MS_MAX, FAR_COPY_MS_MAX } from "../../base/limits.ts";
import type { Clock } from "../../base/ports/clock.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  PlaceGone,
  type Executor,
  type ExecutorFailure,
  type FarCommand,
  type Place,
  type PlaceState,
  type PlaceWishes,
} from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { DESTROY_SCRIPT, EXEC_SCRIPT } from "../far-scripts.ts";
import { executorOverArgv, farWords, type ExecutorHost } from "../over-argv.ts";
import { batchScript, HAS_ROOT_SCRIPT, MAKE_ROOT_SCRIPT, REQUEST_SCRIPT } from "./job-scripts.ts";
import { jobName, Jobs, slurmWords, type JobOptions, type ListedJob } from "./jobs.ts";
import { stepArgv, Steps, terminalStepArgv } from "./steps.ts";
import { waitingWords } from "./waiting-words.ts";

/** A cluster as an executor. */
export interface SlurmOptions extends JobOptions {
  /**
   * Absolute path of the directory for places, on a local disk of the nodes. Absent: `/var/tmp/wisp-` and the user's
   * id.
   */
  readonly root?: string | undefined;
}

/** What the executor is given of this machine. */
export interface SlurmHost extends ExecutorHost {
  readonly clock: Clock;
}

/** How often, and how long, a job that was cancelled is waited for. */
const END_LOOK_MS = 200;
const END_WAIT_MS_MAX = 5 * 60_000;

/**
 * Places that are jobs of Slurm, each of one task on one node, with a directory on a disk of that node. A job that comes
 * to its time limit, or loses its node, is requeued: nothing runs there until something is detached again. A job
 * that has ended is gone, and with it every way to its files, which may be left on the node: `revive` asks for another
 * job there, and only `destroy`, while a job runs, removes them.
 */
export function slurmExecutor(host: SlurmHost, options: SlurmOptions): Executor {
  const { name, root } = options;
  assert(root === undefined || isAbsolute(root), "places are below absolute paths");
  const places = new SlurmPlaces(host, options);
  const over = executorOverArgv(
    name,
    { ...host, programs: places.steps },
    {
      argvTo: ({ id }, argv) => stepArgv(id, argv),
      failureOf: (place, end) => places.failureOf(place, end),
    },
  );
  return {
    ...{ kind: "slurm", name, ...over },
    create: (wishes) => places.create(wishes),
    async detach(place, as, command) {
      const { words, stdin } = detachRequest(place, as, command);
      const request: FarCommand = { argv: ["sh", "-c", REQUEST_SCRIPT, "wisp", ...words] };
      const ran = await over.exec(place, request, { stdin, timeoutMs: FAR_COMMAND_MS_MAX });
      if (!ran.ok || hasExit(ran.value, 0)) return ran.ok ? ok(undefined) : ran;
      return fail(places.refused(ran.value));
    },
    status: (place) => places.status(place),
    revive: (place, wishes) => places.revive(place, wishes),
    terminalArgv: ({ id, ...place }, command) => {
      const words = farWords({ id, ...place }, command);
      return terminalStepArgv(id, ["sh", "-c", EXEC_SCRIPT, "wisp", ...words]);
    },
    destroy: (place) => places.destroy(place),
  };
}

/** The arguments and the input of the script that asks a job to start a command. */
function detachRequest(place: Place, as: string, command: FarCommand) {
  const words = [place.root, as, ...farWords(place, command)];
  const stdin = Buffer.from(words.map((word) => `${word}\0`).join(""));
  const cwd = command.cwd ?? place.root;
  return { words: [place.root, crypto.randomUUID(), cwd, String(stdin.length)], stdin };
}

type Answer<T> = Promise<Result<T, ExecutorFailure>>;

/** Makes, finds and ends the jobs of places. */
class SlurmPlaces {
  readonly steps: Steps;
  readonly #jobs: Jobs;
  readonly #host: SlurmHost;
  readonly #options: SlurmOptions;

  constructor(host: SlurmHost, options: SlurmOptions) {
    this.#host = host;
    this.#options = options;
    this.#jobs = new Jobs(host, options);
    this.steps = new Steps(host.programs, this.#jobs);
  }

  async create(wishes: PlaceWishes): Answer<Place> {
    const { key } = wishes;
    assert(/^[A-Za-z0-9-]{1,60}$/.test(key), "a key is letters, digits and hyphens");
    const places = await this.#directory();
    if (!places.ok) return places;
    const root = join(places.value, key);
    const found = await this.#jobs.named(jobName(key));
    if (!found.ok) return found;
    const [job] = found.value;
    if (job !== undefined) {
      const freed = wishes.after?.length === 0 ? await this.#jobs.free(job) : ok(undefined);
      return freed.ok ? ok({ id: job.id, root }) : freed;
    }
    const after = await this.#jobsBefore(wishes);
    if (!after.ok) return after;
    const script = batchScript(root, this.#jobs.graceS, "new");
    const submitted = await this.#jobs.submit(wishes, {
      ...{ script, after: after.value, takesOver: false },
    });
    if (!submitted.ok) return submitted;
    const id = await this.#oldest(key, submitted.value);
    return id.ok ? ok({ id: id.value, root }) : id;
  }

  /** Asks for a new job for the files of one that has ended. */
  async revive({ root }: Place, wishes: Omit<PlaceWishes, "key">): Answer<Place> {
    const key = basename(root);
    const found = await this.#jobs.named(jobName(key));
    if (!found.ok) return found;
    const [job] = found.value;
    if (job !== undefined) return ok({ id: job.id, root });
    const script = batchScript(root, this.#jobs.graceS, "kept");
    const submitted = await this.#jobs.submit(
      { ...wishes, key },
      { script, after: [], takesOver: true },
    );
    if (!submitted.ok) return submitted;
    const id = await this.#oldest(key, submitted.value);
    return id.ok ? ok({ id: id.value, root }) : id;
  }

  /** The ids of the jobs that have to end before the one that is asked for begins. */
  async #jobsBefore({ after = [] }: PlaceWishes): Answer<readonly string[]> {
    const ids: string[] = [];
    for (const key of after) {
      const found = await this.#jobs.named(jobName(key));
      if (!found.ok) return found;
      ids.push(...found.value.map(({ id }) => id));
    }
    return ok(ids);
  }

  async status(place: Place): Answer<PlaceState> {
    const job = await this.#find(place);
    if (!job.ok) return job;
    if (job.value === undefined) return ok({ kind: "gone" });
    if (job.value.state !== "RUNNING") {
      return ok({ kind: "waiting", reason: waitingWords(job.value) });
    }
    const told = await this.#run(place, [HAS_ROOT_SCRIPT, place.root]);
    if (!told.ok) return told;
    if (hasExit(told.value, 0)) return ok({ kind: "up" });
    const isOfCommand = this.steps.isOfCommand(told.value);
    return isOfCommand ? this.#withoutRoot(place, job.value) : this.#cutOff(place, told.value);
  }

  /** What such an end of srun means, if it is not the end of the command itself. */
  async failureOf(place: Place, end: ProgramEnd): Promise<ExecutorFailure | undefined> {
    if (this.steps.isOfCommand(end)) return undefined;
    const executor = this.#options.name;
    const job = await this.#find(place);
    if (!job.ok) return job.failure;
    if (job.value === undefined) return PlaceGone({ executor, place: place.id });
    const isRunning = job.value.state === "RUNNING";
    if (isRunning && end.kind === "timed-out") return undefined;
    const detail = isRunning ? slurmWords(end) : waitingWords(job.value);
    return ExecutorUnreachable({ executor, detail });
  }

  async destroy(place: Place): Answer<void> {
    const job = await this.#find(place);
    if (!job.ok) return job;
    if (job.value === undefined) return ok(undefined);
    if (job.value.state === "RUNNING") {
      const emptied = await this.#empty(place);
      if (!emptied.ok) return emptied;
    }
    const cancelled = await this.#jobs.cancel(place.id);
    return cancelled.ok ? this.#waitForEnd(place) : cancelled;
  }

  /** The failure of a script that the node refused. */
  refused(end: ProgramEnd): ExecutorFailure {
    const executor = this.#options.name;
    const detail = slurmWords(end);
    if (end.kind !== "exited") return ExecutorUnreachable({ executor, detail });
    return ExecutorRefused({ executor, detail });
  }

  /** Removes the files of a job that runs; one that is not running any more has none in reach. */
  async #empty(place: Place): Answer<void> {
    const ran = await this.#run(place, [DESTROY_SCRIPT, place.root], FAR_COPY_MS_MAX);
    if (!ran.ok) return ran;
    if (this.steps.isOfCommand(ran.value)) {
      return hasExit(ran.value, 0) ? ok(undefined) : fail(this.refused(ran.value));
    }
    const job = await this.#find(place);
    if (!job.ok) return job;
    if (job.value?.state !== "RUNNING") return ok(undefined);
    const detail = slurmWords(ran.value);
    return fail(ExecutorUnreachable({ executor: this.#options.name, detail }));
  }

  async #waitForEnd(place: Place): Answer<void> {
    for (let waitedMs = 0; waitedMs < END_WAIT_MS_MAX; waitedMs += END_LOOK_MS) {
      const job = await this.#find(place);
      if (!job.ok) return job;
      if (job.value === undefined) return ok(undefined);
      await this.#host.clock.sleep(END_LOOK_MS);
    }
    const detail = `the job ${place.id} does not end`;
    return fail(ExecutorUnreachable({ executor: this.#options.name, detail }));
  }

  /** Why a job that runs has no root: it has just begun, cannot make one, or came to another node. */
  async #withoutRoot(place: Place, { restarts, nodes, takesOver }: ListedJob): Answer<PlaceState> {
    if (restarts > 0 || takesOver) {
      const how = takesOver ? "asked for again" : "requeued";
      const reason = `its job was ${how} and runs on ${nodes}, where its files are not`;
      return ok({ kind: "down", reason });
    }
    const told = await this.#run(place, [MAKE_ROOT_SCRIPT, place.root]);
    if (!told.ok) return told;
    if (hasExit(told.value, 0)) return ok({ kind: "up" });
    if (!this.steps.isOfCommand(told.value)) return this.#cutOff(place, told.value);
    const reason = `its directory cannot be made on ${nodes} (${slurmWords(told.value)})`;
    return ok({ kind: "down", reason });
  }

  /** The state of a place of which a step could not tell. */
  async #cutOff(place: Place, end: ProgramEnd): Answer<PlaceState> {
    const executor = this.#options.name;
    const job = await this.#find(place);
    if (!job.ok) return job;
    if (job.value === undefined) return ok({ kind: "gone" });
    if (job.value.state !== "RUNNING") {
      return ok({ kind: "waiting", reason: waitingWords(job.value) });
    }
    return fail(ExecutorUnreachable({ executor, detail: slurmWords(end) }));
  }

  /** Of two jobs for one key, which two calls at once have asked for, the older one stays. */
  async #oldest(key: string, mine: string): Answer<string> {
    const found = await this.#jobs.named(jobName(key));
    if (!found.ok) return found;
    const oldest = found.value[0]?.id ?? mine;
    if (oldest === mine) return ok(mine);
    const cancelled = await this.#jobs.cancel(mine);
    return cancelled.ok ? ok(oldest) : cancelled;
  }

  /** The job of a place: another one may have got its id, on a cluster that was set up anew. */
  #find({ id, root }: Place): Answer<ListedJob | undefined> {
    return this.#jobs.find(id, jobName(basename(root)));
  }

  #run(
    { id }: Place,
    [script, ...words]: readonly [string, ...string[]],
    timeoutMs = FAR_COMMAND_MS_MAX,
  ): Answer<ProgramEnd> {
    const argv = stepArgv(id, ["sh", "-c", script, "wisp", ...words]);
    return this.steps.stream({ argv, cwd: this.#host.cwd, env: this.#host.env, timeoutMs });
  }

  /** The directory for places. A user has the same id on all machines of a cluster. */
  async #directory(): Answer<string> {
    const { root } = this.#options;
    if (root !== undefined) return ok(root);
    const id = await this.#jobs.demand(["id", "-u"]);
    return id.ok ? ok(`/var/tmp/wisp-${id.value.trim()}`) : id;
  }
}

function hasExit(end: ProgramEnd, exitCode: number): boolean {
  return end.kind === "exited" && end.exitCode === exitCode;
}
