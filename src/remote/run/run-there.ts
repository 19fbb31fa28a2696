import { randomUUID } from "node:crypto";
import { join, relative } from "node:path";
import {
  FAR_RUN_ENDS_MAX,
  FAR_RUN_SILENCE_MS_MAX,
  LINK_BACKOFF_MS_MIN,
} from "../../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  ONCE_VARIABLE,
  type ExecutorFailure,
  type FarCommand,
} from "../../base/ports/executor.ts";
import type { Clock } from "../../base/ports/clock.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { askFar, farCommand } from "../far-program.ts";
import type { MirroredSession } from "../follow/mirrored-session.ts";
import { HEAR_SCRIPT, RESULT_SCRIPT, RUN_SCRIPT, STILL_RUNNING_EXIT } from "./run-scripts.ts";

/** A command of wisp for a session that runs elsewhere. */
export interface FarRun {
  /** The words after `wisp`. */
  readonly words: readonly string[];
  /** The directory below the work tree in which it was entered, relative to it. */
  readonly directory?: string | undefined;
  /** Receives the lines that it writes to standard error, with the paths as they are here. */
  readonly onLine: (line: string) => void;
}

/** A file of a session that a person's command writes. */
export interface FarSize {
  /** Relative to the home. */
  readonly path: string;
  readonly bytes: number;
}

/** What became of a command that was run at a place. */
export interface FarRan {
  readonly exitCode: number;
  /** With the paths as they are here. */
  readonly stdout: string;
  /** How large the files were at least when it had ended. */
  readonly sizes: readonly FarSize[];
}

/**
 * Runs a command of wisp at the place of a session, exactly once: it goes on when the link breaks, and is heard again
 * when that is back. Where its process was killed, the same command is run again, and appends no record twice.
 */
export async function runThere(
  clock: Clock,
  mirrored: MirroredSession,
  run: FarRun,
): Promise<Result<FarRan, ExecutorFailure>> {
  const attempt = new FarAttempt(mirrored, run);
  let heardMs = clock.nowMs();
  for (let ends = 0; ends < FAR_RUN_ENDS_MAX;) {
    const step = await attempt.step();
    if (step.ok && step.value !== undefined) return ok(step.value);
    if (step.ok) {
      heardMs = clock.nowMs();
      ends += attempt.hasEnded ? 1 : 0;
      continue;
    }
    const isSilent = clock.nowMs() - heardMs > FAR_RUN_SILENCE_MS_MAX;
    if (step.failure.kind !== "executor-unreachable" || isSilent) return step;
    await clock.sleep(LINK_BACKOFF_MS_MIN);
  }
  const detail = "the command was ended there again and again before it was done";
  return fail(ExecutorRefused({ executor: mirrored.executor.name, detail }));
}

/** One command at a place, as far as it has been heard. */
class FarAttempt {
  readonly #mirrored: MirroredSession;
  readonly #run: FarRun;
  readonly #name = `command-${randomUUID()}`;
  readonly #folder: string;
  #isStarted = false;
  #heardBytes = 0;
  #lines: Lines;
  /** Whether the command was found to have been killed. */
  hasEnded = false;

  constructor(mirrored: MirroredSession, run: FarRun) {
    this.#mirrored = mirrored;
    this.#run = run;
    this.#folder = join(mirrored.place.root, "commands", this.#name);
    this.#lines = new Lines((line) => run.onLine(hereOf(mirrored, line)));
  }

  /** Starts it, or hears it for a while; its result once it has ended. */
  async step(): Promise<Result<FarRan | undefined, ExecutorFailure>> {
    if (!this.#isStarted) {
      const started = await this.#start();
      if (!started.ok) return started;
      this.#isStarted = true;
    }
    const heard = await this.#hear();
    if (!heard.ok) return heard;
    if (isExit(heard.value, 0)) return this.#result();
    if (!isExit(heard.value, STILL_RUNNING_EXIT)) return this.#broken(heard.value);
    const { executor, place } = this.#mirrored;
    const running = await executor.isRunning(place, this.#name);
    if (!running.ok) return running;
    // It may have ended between the two questions: then the next step hears so, and starting it again does nothing.
    this.hasEnded = !running.value;
    if (this.hasEnded) this.#isStarted = false;
    return ok(undefined);
  }

  #start(): Promise<Result<void, ExecutorFailure>> {
    const { executor, place, program } = this.#mirrored;
    const { words, directory = "." } = this.#run;
    const wisp = farCommand(place, program, { cwd: program.repository, words });
    const argv: FarCommand["argv"] = [
      ...(["sh", "-c", RUN_SCRIPT, "wisp", this.#folder, directory] as const),
      ...wisp.argv,
    ];
    const env = { ...wisp.env, WISP_NO_INPUT: "1", [ONCE_VARIABLE]: this.#name };
    return executor.detach(place, this.#name, { ...wisp, argv, env });
  }

  #hear(): Promise<Result<ProgramEnd, ExecutorFailure>> {
    const { executor, place } = this.#mirrored;
    const first = String(this.#heardBytes + 1);
    const onStdout = (bytes: Uint8Array) => {
      this.#heardBytes += bytes.length;
      this.#lines.take(bytes);
    };
    const argv: FarCommand["argv"] = ["sh", "-c", HEAR_SCRIPT, "wisp", this.#folder, first];
    return executor.exec(place, { argv }, { onStdout, timeoutMs: FAR_RUN_SILENCE_MS_MAX });
  }

  async #result(): Promise<Result<FarRan, ExecutorFailure>> {
    const { executor, place, program, id } = this.#mirrored;
    const home = join(program.repository, ".wisp", "sessions", id);
    const argv: FarCommand["argv"] = ["sh", "-c", RESULT_SCRIPT, "wisp", this.#folder, home];
    const asked = await askFar(executor, place, { argv }, { timeoutMs: FAR_RUN_SILENCE_MS_MAX });
    if (!asked.ok) return asked;
    const { end, stdout } = asked.value;
    if (!isExit(end, 0)) return this.#broken(end);
    this.#lines.end();
    const at = stdout.indexOf("\n\n");
    const [exit = "", ...sizes] = stdout.slice(0, at).split("\n");
    return ok({
      exitCode: Number(exit),
      stdout: hereOf(this.#mirrored, stdout.slice(at + 2)),
      sizes: sizes.flatMap((line) => sizeIn(line, home)),
    });
  }

  #broken(end: ProgramEnd): Result<never, ExecutorFailure> {
    const said = end.stderr.trim().split("\n").at(-1) ?? "";
    const detail = said === "" ? "the connection ended early" : said;
    return fail(ExecutorUnreachable({ executor: this.#mirrored.executor.name, detail }));
  }
}

function isExit(end: ProgramEnd, exitCode: number): boolean {
  return end.kind === "exited" && end.exitCode === exitCode;
}

/** Reads a line of `wc -c`. */
function sizeIn(line: string, home: string): readonly FarSize[] {
  const [, bytes, path] = /^ *(\d{1,15}) (.+)$/u.exec(line) ?? [];
  return path === undefined ? [] : [{ path: relative(home, path), bytes: Number(bytes) }];
}

/** A text of the place with the paths of the work tree as they are here. */
function hereOf({ program, placed }: MirroredSession, text: string): string {
  return text.replaceAll(program.repository, placed.repository);
}

/** Cuts bytes into lines. */
class Lines {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#onLine(line);
  }

  end(): void {
    if (this.#rest !== "") this.#onLine(this.#rest);
    this.#rest = "";
  }
}
