import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  type ExecutorFailure,
  type PlaceWishes,
} from "../../base/ports/executor.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { ProgramEnd, ProgramInput } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { ExecutorHost } from "../over-argv.ts";

/** How jobs are asked for. */
export interface JobOptions {
  /** As a person writes the executor after `--on`. */
  readonly name: string;
  /** Absent: the cluster's default. */
  readonly partition?: string | undefined;
  /** More arguments of `sbatch`, which may replace those of wisp. */
  readonly arguments?: readonly string[] | undefined;
  /** How many seconds before its time limit a job is warned. Slurm may do so up to a minute earlier. Absent: 60. */
  readonly warningS?: number | undefined;
}

/** A job as it is listed. */
export interface ListedJob {
  readonly id: string;
  readonly name: string;
  /** Slurm's own word, such as `PENDING`. */
  readonly state: string;
  /** How often it was requeued. */
  readonly restarts: number;
  /** The nodes that it has, for people. */
  readonly nodes: string;
  /** Slurm's own word for why it does not run, such as `Resources`. */
  readonly reason: string;
  /** It was asked for to take over the files of a job that has ended. */
  readonly takesOver: boolean;
}

type Answer<T> = Promise<Result<T, ExecutorFailure>>;

/** What a program of Slurm's said, and how it ended. */
interface SlurmSaid {
  readonly end: ProgramEnd;
  readonly stdout: string;
}

/** How long before the end of a job its last commands have to be over, in seconds. */
const REQUEUE_S = 10;
/** The warning before the time limit of a job, in seconds. */
const WARNING_S = 60;

/** The variables that a job and its steps have of this machine. What else is here, such as keys, stays here. */
export const EXPORTED = "PATH,HOME,USER,LOGNAME,SHELL,LANG";

/** The comment of a job that takes over the files of another one. */
const TAKES_OVER = "wisp-takes-over";

/** What a job is to run, and when. */
export interface Submission {
  /** The text of a shell script. */
  readonly script: string;
  /** The ids of the jobs that have to have ended before. */
  readonly after: readonly string[];
  /** It takes over the files of a job that has ended, on its node if Slurm still knows that. */
  readonly takesOver: boolean;
}

/** A job in such a state has ended, and does not come back. */
const ENDED =
  /^(?:BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|REVOKED|TIMEOUT)\b/;

/** What programs of Slurm's write if the cluster does not answer, or not now. */
const NETWORK_WORDS =
  /contact slurm controller|timed out|connection (?:refused|reset|failure)|unable to connect|communication|temporarily|zero bytes|no route|socket|controller is not|try again/i;

/** Asks for jobs, lists and cancels them. */
export class Jobs {
  readonly name: string;
  readonly env: Environment;
  readonly #host: ExecutorHost;
  readonly #options: JobOptions;

  constructor(host: ExecutorHost, options: JobOptions) {
    this.name = options.name;
    this.env = environmentFor(host.env);
    this.#host = host;
    this.#options = options;
  }

  /** How long the commands of a job may take to end when its time limit comes, in seconds. */
  get graceS(): number {
    return Math.max(1, (this.#options.warningS ?? WARNING_S) - REQUEUE_S);
  }

  /** Asks for a job that runs a script, and returns its id. */
  async submit(wishes: PlaceWishes, { script, after, takesOver }: Submission): Answer<string> {
    const { warningS = WARNING_S, partition, arguments: more = [] } = this.#options;
    const warning = `--signal=B:USR1@${String(warningS)}`;
    const dependency = after.length === 0 ? [] : [`--dependency=afterany:${after.join(":")}`];
    const again = takesOver ? await this.#nodeWords(jobName(wishes.key)) : [];
    const words = [...jobWords(wishes, partition), warning, ...dependency, ...again, ...more];
    const told = await this.demand(["sbatch", ...words], script);
    // On some clusters the name of the cluster follows.
    return told.ok ? ok(told.value.trim().split(";")[0] ?? "") : told;
  }

  /** Lets a job begin that was to wait for the end of another one. */
  async free({ id, state, reason }: ListedJob): Answer<void> {
    if (state !== "PENDING" || reason !== "Dependency") return ok(undefined);
    const told = await this.demand(["scontrol", "update", `JobId=${id}`, "Dependency="]);
    return told.ok ? ok(undefined) : told;
  }

  /** How the node of the last job of this name is asked for. Slurm forgets it some minutes after its end. */
  async #nodeWords(name: string): Promise<readonly string[]> {
    const listed = await this.#list(`--name=${name}`, () => true);
    const nodes = listed.ok
      ? (listed.value.filter((job) => job.name === name).at(-1)?.nodes ?? "")
      : "";
    return [`--comment=${TAKES_OVER}`, ...(nodes === "" ? [] : [`--nodelist=${nodes}`])];
  }

  /** The job with this id and name, if it is known and has not ended. */
  async find(id: string, name: string): Answer<ListedJob | undefined> {
    const listed = await this.#list(`--jobs=${id}`);
    return listed.ok ? ok(listed.value.find((job) => job.name === name)) : listed;
  }

  /** The jobs of this user with this name that have not ended, the oldest first. */
  async named(name: string): Answer<readonly ListedJob[]> {
    const listed = await this.#list(`--name=${name}`);
    return listed.ok ? ok(listed.value.filter((job) => job.name === name)) : listed;
  }

  /** Cancels a job, or what of it is given as `<job>.<step>`. That it is gone already is a success. */
  async cancel(id: string): Answer<void> {
    const told = await this.tell(["scancel", id]);
    if (!told.ok) return told;
    const { end } = told.value;
    if (isDone(end) || /invalid job|already completing/i.test(end.stderr)) return ok(undefined);
    return fail(this.failureOf(end));
  }

  /** Cancels the steps of a job that have this name. */
  async cancelSteps(job: string, name: string): Promise<void> {
    const words = ["--noheader", "--steps", `--jobs=${job}`, "--format=%i %j"];
    const listed = await this.demand(["squeue", ...words]);
    const lines = listed.ok ? listed.value.split("\n").map((line) => line.trim().split(" ")) : [];
    for (const [step = "", stepName] of lines) {
      // If that fails, the step ends with its job.
      if (stepName === name) await this.cancel(step);
    }
  }

  /** Runs a program to its end, whatever that is. */
  async tell(argv: readonly [string, ...string[]], stdin?: ProgramInput): Answer<SlurmSaid> {
    const chunks: Uint8Array[] = [];
    const onStdout = (bytes: Uint8Array) => void chunks.push(Uint8Array.from(bytes));
    const run = { argv, cwd: this.#host.cwd, env: this.env, stdin, onStdout };
    const ran = await this.#host.programs.stream({ ...run, timeoutMs: FAR_COMMAND_MS_MAX });
    if (!ran.ok) return ran;
    return ok({ end: ran.value, stdout: Buffer.concat(chunks).toString() });
  }

  /** Runs a program for which anything but success is a failure, and returns what it printed. */
  async demand(argv: readonly [string, ...string[]], stdin?: ProgramInput): Answer<string> {
    const told = await this.tell(argv, stdin);
    if (!told.ok) return told;
    return isDone(told.value.end) ? ok(told.value.stdout) : fail(this.failureOf(told.value.end));
  }

  /** The failure of a program that did not succeed. */
  failureOf(end: ProgramEnd): ExecutorFailure {
    const executor = this.name;
    const detail = slurmWords(end);
    const isRefusal = end.kind === "exited" && !NETWORK_WORDS.test(end.stderr);
    return isRefusal
      ? ExecutorRefused({ executor, detail })
      : ExecutorUnreachable({ executor, detail });
  }

  /** The jobs of this user. It is asked for single fields: the types of `--json` change from version to version. */
  async #list(filter: string, isMeant = isLeft): Answer<readonly ListedJob[]> {
    const format = "--Format=JobID:|,Name:|,State:|,RestartCnt:|,NodeList:|,Reason:|,Comment:|";
    const words = ["--noheader", "--me", "--states=all", filter, format];
    const told = await this.tell(["squeue", ...words]);
    if (!told.ok) return told;
    const { end, stdout } = told.value;
    if (isDone(end)) return ok(jobsIn(stdout).filter(isMeant));
    if (/invalid job id/i.test(end.stderr)) return ok([]);
    return fail(ExecutorUnreachable({ executor: this.name, detail: slurmWords(end) }));
  }
}

/** The arguments of `sbatch` for the job of a place. */
function jobWords(wishes: PlaceWishes, partition: string | undefined): readonly string[] {
  const { key, cpus, memoryBytes, timeMs, queue = partition } = wishes;
  const given = [
    ["partition", queue],
    ["time", timeMs === undefined ? undefined : String(Math.ceil(timeMs / 60_000))],
    ["mem", memoryBytes === undefined ? undefined : `${String(mebibytes(memoryBytes))}M`],
    ["cpus-per-task", cpus === undefined ? undefined : String(cpus)],
  ] as const;
  return [
    ...["--parsable", `--job-name=${jobName(key)}`, "--nodes=1", "--ntasks=1", "--requeue"],
    ...["--output=/dev/null", "--open-mode=append", "--chdir=/", `--export=${EXPORTED}`],
    ...given.flatMap(([option, value]) => (value === undefined ? [] : [`--${option}=${value}`])),
  ];
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024));
}

/** The name of the job of a place. */
export function jobName(key: string): string {
  return `wisp-${key}`;
}

/** The last line that says something, without who says it. */
export function slurmWords({ kind, stderr }: ProgramEnd): string {
  if (kind === "timed-out") return "no answer within the time limit";
  const line = stderr.trim().split("\n").at(-1) ?? "";
  const words = line.replace(/^\w+: (?:error|fatal): /, "").trim();
  return words === "" ? "it ended without a reason" : words;
}

function isLeft({ state }: ListedJob): boolean {
  return !ENDED.test(state);
}

function jobsIn(stdout: string): readonly ListedJob[] {
  return stdout
    .split("\n")
    .map((line) => line.trim().split("|"))
    .filter(([id = ""]) => id !== "")
    .map(
      ([id = "", name = "", state = "", restarts = "", nodes = "", reason = "", comment = ""]) => ({
        ...{ id, name, state, restarts: Number(restarts), nodes, reason },
        takesOver: comment === TAKES_OVER,
      }),
    )
    .sort((one, other) => Number(one.id) - Number(other.id));
}

/** Without what a surrounding job, or a habit of the user's, would add to the arguments of these programs. */
function environmentFor(env: Environment): Environment {
  const kept = /^SLURM_(?:CONF|CONF_SERVER|JWT|CLUSTERS)$/;
  const isOption = /^(?:SLURM|SBATCH|SRUN|SALLOC|SQUEUE|SCANCEL)_/;
  const entries = Object.entries(env).filter(([key]) => kept.test(key) || !isOption.test(key));
  return Object.fromEntries(entries);
}

function isDone(end: ProgramEnd): boolean {
  return end.kind === "exited" && end.exitCode === 0;
}
