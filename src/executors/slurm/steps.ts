import type { ProgramEnd, Programs } from "../../base/ports/programs.ts";
import { ok } from "../../base/result.ts";
import { REPORT_SCRIPT, reportIn } from "./job-scripts.ts";
import { EXPORTED, type Jobs } from "./jobs.ts";

/** Names the steps of wisp, each with a word of its own after it. */
const STEP_NAME = "wisp-step-";

/** The arguments that all steps have: beside whatever else the job runs, and with its whole share of the node. */
function stepWords(job: string): readonly string[] {
  return [
    ...[`--jobid=${job}`, "--overlap", "--nodes=1", "--ntasks=1", "--chdir=/", "--quiet"],
    ...["--mpi=none", "--cpu-bind=none", `--export=${EXPORTED}`],
  ];
}

/** The command line of a step whose standard streams are passed on as they are. */
export function stepArgv(
  job: string,
  argv: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  const name = `--job-name=${STEP_NAME}${job}-${crypto.randomUUID()}`;
  const words = [...stepWords(job), "--unbuffered", name];
  return ["srun", ...words, "sh", "-c", REPORT_SCRIPT, "wisp", ...argv];
}

/** The command line of a step with a terminal. */
export function terminalStepArgv(
  job: string,
  argv: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return ["srun", "--pty", ...stepWords(job), ...argv];
}

/** Programs of which the steps end as their commands did; a step that is cut off here is also ended there. */
export class Steps implements Programs {
  readonly #programs: Programs;
  readonly #jobs: Jobs;
  readonly #ofCommands = new WeakSet<ProgramEnd>();

  constructor(programs: Programs, jobs: Jobs) {
    this.#programs = programs;
    this.#jobs = jobs;
  }

  /** Whether this is how a command itself ended, and not how srun did. */
  isOfCommand(end: ProgramEnd): boolean {
    return this.#ofCommands.has(end);
  }

  async stream(run: Parameters<Programs["stream"]>[0]): ReturnType<Programs["stream"]> {
    const ran = await this.#programs.stream({ ...run, env: this.#jobs.env });
    if (!ran.ok) return ran;
    if (ran.value.kind !== "exited") {
      await this.#cutOff(run.argv);
      return ran;
    }
    const report = reportIn(ran.value.stderr);
    // Only a step that was started can end well, so what is amiss then is the end of its standard error.
    if (report === undefined) return ok({ ...ran.value, exitCode: ran.value.exitCode || 1 });
    const end: ProgramEnd = { kind: "exited", ...report };
    this.#ofCommands.add(end);
    return ok(end);
  }

  /** Slurm lets a step go on whose srun was killed. */
  async #cutOff(argv: readonly string[]): Promise<void> {
    const option = `--job-name=${STEP_NAME}`;
    const word = argv.find((each) => each.startsWith(option));
    const job = argv.find((each) => each.startsWith("--jobid="));
    if (word === undefined || job === undefined) return;
    await this.#jobs.cancelSteps(job.slice("--jobid=".length), word.slice("--job-name=".length));
  }
}
