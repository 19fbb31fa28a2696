import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  PlaceGone,
  type ExecutorFailure,
  type Place,
  type PlaceWishes,
} from "../../base/ports/executor.ts";
import type { ProgramEnd, ProgramRun } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { ExecutorHost } from "../over-argv.ts";

/** The exit code by which an executable says that the link failed: `EX_TEMPFAIL` of sysexits.h. */
export const UNREACHABLE_EXIT = 75;

/** The exit code by which an executable says that the place is gone: `EX_UNAVAILABLE` of sysexits.h. */
export const GONE_EXIT = 69;

/** What an executable may print in all where one line is expected. */
const ANSWER_BYTES_MAX = 64 * 1024;

/** What an executable of the user's is given besides the place, in environment variables. */
export interface OwnInput {
  readonly place?: Place | undefined;
  readonly wishes?: PlaceWishes | undefined;
  /** More variables. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

/** Everything of the protocol is set, so that no variable of the caller's own is taken for one of ours. */
export function variablesOf({ place, wishes, more }: OwnInput): Readonly<Record<string, string>> {
  const words = (value: number | string | undefined) => (value === undefined ? "" : String(value));
  return {
    WISP_PLACE_KEY: words(wishes?.key),
    WISP_PLACE_ID: words(place?.id),
    WISP_PLACE_ROOT: words(place?.root),
    WISP_CPUS: words(wishes?.cpus),
    WISP_MEMORY_BYTES: words(wishes?.memoryBytes),
    WISP_TIME_MS: words(wishes?.timeMs),
    WISP_IMAGE: words(wishes?.image),
    WISP_QUEUE: words(wishes?.queue),
    WISP_LABELS: JSON.stringify(wishes?.labels ?? {}),
    WISP_PATH: "",
    WISP_MODE: "",
    WISP_SIZE: "",
    ...more,
  };
}

/** The argument vector of an executable in the user's configuration. */
export type OwnArgv = readonly [string, ...string[]];

type Streams = Pick<ProgramRun, "stdin" | "onStdout" | "timeoutMs">;
type Ran<T> = Promise<Result<T, ExecutorFailure>>;

/** Runs the executables of the user's whose success is demanded: all but that for commands at a place. */
export class OwnPrograms {
  readonly #name: string;
  readonly #host: ExecutorHost;

  constructor(name: string, host: ExecutorHost) {
    this.#name = name;
    this.#host = host;
  }

  /** Runs an executable until it ends with success; every other end is a failure. */
  async demand(argv: OwnArgv, given: OwnInput, streams: Streams = {}): Ran<void> {
    const { programs } = this.#host;
    const ran = await programs.stream({ ...this.#run(argv, given), ...streams });
    return ran.ok ? this.#judged(ran.value, given, argv) : ran;
  }

  /** Runs an executable that answers with one line, and returns the line without its end. */
  async ask(argv: OwnArgv, given: OwnInput, timeoutMs = FAR_COMMAND_MS_MAX): Ran<string> {
    const chunks: Uint8Array[] = [];
    const tooMuch = new AbortController();
    let bytes = 0;
    const onStdout = (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk);
      else tooMuch.abort();
    };
    const run = { ...this.#run(argv, given), timeoutMs, onStdout, signal: tooMuch.signal };
    const ran = await this.#host.programs.stream(run);
    if (!ran.ok) return ran;
    if (bytes > ANSWER_BYTES_MAX) {
      return this.refuse(`${argv[0]} printed more than ${ANSWER_BYTES_MAX} bytes`);
    }
    const judged = this.#judged(ran.value, given, argv);
    if (!judged.ok) return judged;
    const text = Buffer.concat(chunks).toString("utf8");
    const line = text.endsWith("\n") ? text.slice(0, -1) : text;
    return line.includes("\n") ? this.refuse(`${argv[0]} printed more than one line`) : ok(line);
  }

  /** A refusal in the name of this executor. */
  refuse(detail: string): Result<never, ExecutorFailure> {
    return fail(ExecutorRefused({ executor: this.#name, detail }));
  }

  #run(argv: OwnArgv, given: OwnInput) {
    const { cwd, env } = this.#host;
    return { argv, cwd, env: { ...env, ...variablesOf(given) }, timeoutMs: FAR_COMMAND_MS_MAX };
  }

  #judged(end: ProgramEnd, { place }: OwnInput, [word]: OwnArgv): Result<void, ExecutorFailure> {
    const executor = this.#name;
    if (end.kind === "timed-out") {
      const detail = `${word} did not end within the time limit`;
      return fail(ExecutorUnreachable({ executor, detail }));
    }
    const exitCode = end.kind === "exited" ? end.exitCode : undefined;
    if (exitCode === 0) return ok(undefined);
    const said = lastLine(end.stderr);
    if (exitCode === UNREACHABLE_EXIT) {
      const detail = said === "" ? `${word} ${howEnded(end)}` : said;
      return fail(ExecutorUnreachable({ executor, detail }));
    }
    if (exitCode === GONE_EXIT && place !== undefined) {
      return fail(PlaceGone({ executor, place: place.id }));
    }
    return this.refuse(said === "" ? `${word} ${howEnded(end)}` : said);
  }
}

/** The last line of what a program wrote on standard error; empty if it wrote nothing. */
function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

function howEnded(end: ProgramEnd): string {
  if (end.kind === "exited") return `ended with exit code ${end.exitCode}, and did not say why`;
  return end.kind === "killed" ? `was killed by ${end.signalName}` : "was stopped";
}
