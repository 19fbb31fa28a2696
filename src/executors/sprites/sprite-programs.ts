import { assert } from "../../base/assert.ts";
import { STDERR_TAIL_CHARS_MAX } from "../../base/limits.ts";
import { ExecutorUnreachable, type ExecutorFailure } from "../../base/ports/executor.ts";
import type { Files } from "../../base/ports/files.ts";
import type { SpawnFailure } from "../../base/ports/processes.ts";
import type { ProgramEnd, ProgramInput, ProgramRun, Programs } from "../../base/ports/programs.ts";
import type { WebLink, WebMessage } from "../../base/ports/web.ts";
import { ok, type Result } from "../../base/result.ts";
import { carriedWords } from "./carried-words.ts";
import type { SpritesApi } from "./sprites-api.ts";

/** The first byte of a message says what the rest is. */
const STREAM = { stdin: 0, stdout: 1, stderr: 2, exit: 3, stdinEnd: 4 } as const;
const CHUNK_BYTES = 32 * 1024;

/** What is given to the commands at sprites. */
export interface SpriteProgramsParts {
  readonly name: string;
  readonly api: SpritesApi;
  readonly files: Files;
}

/** Commands at sprites as if they were programs here: the first word is the name of the sprite. */
export class SpritePrograms implements Programs {
  readonly #parts: SpriteProgramsParts;
  readonly #failures = new WeakMap<ProgramEnd, ExecutorFailure>();

  constructor(parts: SpriteProgramsParts) {
    this.#parts = parts;
  }

  /** Why the link to a command failed that ended so, if that is what ended it. */
  failureOf(end: ProgramEnd): ExecutorFailure | undefined {
    return this.#failures.get(end);
  }

  async stream(run: ProgramRun): Promise<Result<ProgramEnd, SpawnFailure>> {
    if (run.signal?.aborted === true) return ok({ kind: "stopped", stderr: "" });
    const [sprite, ...argv] = run.argv;
    const command = new RunningCommand(run);
    const opened = await this.#parts.api.open(sprite, (message) => command.receive(message));
    if (!opened.ok) return ok(this.#cut(opened.failure, ""));
    const link = opened.value;
    command.hold(link);
    const fed = this.#feed(link, command, argv);
    const reason = await link.ended;
    command.release();
    // An input may go on for as long as the caller likes.
    await Promise.race([fed, link.ended]);
    const detail = `the connection to ${sprite} ended: ${reason}`;
    return ok(command.end() ?? this.#cut(this.#unreachable(detail), command.stderr));
  }

  #unreachable(detail: string): ExecutorFailure {
    return ExecutorUnreachable({ executor: this.#parts.name, detail });
  }

  #cut(failure: ExecutorFailure, stderr: string): ProgramEnd {
    const end: ProgramEnd = { kind: "killed", signalName: "SIGHUP", stderr };
    this.#failures.set(end, failure);
    return end;
  }

  async #feed(link: WebLink, command: RunningCommand, argv: readonly string[]): Promise<void> {
    await link.send(framed(STREAM.stdin, Buffer.from(carriedWords(argv))));
    for await (const chunk of this.#chunks(command.stdin)) {
      if (command.isOver) return;
      await link.send(framed(STREAM.stdin, chunk));
    }
    await link.send(framed(STREAM.stdinEnd, Buffer.alloc(0)));
  }

  async *#chunks(input: ProgramInput | undefined): AsyncIterable<Uint8Array> {
    if (input === undefined) return;
    if (typeof input === "string") yield* pieces(Buffer.from(input));
    else if (input instanceof Uint8Array) yield* pieces(input);
    else if ("path" in input) yield* this.#fileChunks(input.path);
    else for await (const bytes of input) yield* pieces(bytes);
  }

  /** The receiver compares the size: of a file that cannot be read nothing more is sent. */
  *#fileChunks(path: string): Iterable<Uint8Array> {
    for (let offset = 0; ;) {
      const read = this.#parts.files.readChunk(path, offset, CHUNK_BYTES);
      if (!read.ok || read.value.length === 0) return;
      offset += read.value.length;
      yield read.value;
    }
  }
}

/** A command at a sprite, from its start to its end. */
class RunningCommand {
  readonly #run: ProgramRun;
  #link: WebLink | undefined;
  #exitCode: number | undefined;
  #cut: "stopped" | "timed-out" | undefined;
  #isOver = false;
  #forget: () => void = () => undefined;
  stderr = "";

  constructor(run: ProgramRun) {
    this.#run = run;
  }

  get stdin(): ProgramInput | undefined {
    return this.#run.stdin;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the command when its time is over or the caller gives up. */
  hold(link: WebLink): void {
    this.#link = link;
    const { signal, timeoutMs } = this.#run;
    const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const stop = () => this.#kill("stopped");
    const expire = () => this.#kill("timed-out");
    signal?.addEventListener("abort", stop, { once: true });
    timer?.addEventListener("abort", expire, { once: true });
    this.#forget = () => {
      signal?.removeEventListener("abort", stop);
      timer?.removeEventListener("abort", expire);
    };
    if (signal?.aborted === true) stop();
    if (this.#exitCode !== undefined) link.close();
  }

  release(): void {
    this.#isOver = true;
    this.#forget();
  }

  async receive(message: WebMessage): Promise<void> {
    // Texts tell of ports and sessions.
    if (typeof message === "string" || this.#cut !== undefined) return;
    const payload = message.subarray(1);
    if (message[0] === STREAM.stdout) await this.#run.onStdout?.(payload);
    if (message[0] === STREAM.stderr) this.#addStderr(payload);
    if (message[0] !== STREAM.exit) return;
    this.#exitCode = payload[0] ?? 0;
    this.#isOver = true;
    this.#link?.close();
  }

  /** How it ended; `undefined` if the connection ended before that was known. */
  end(): ProgramEnd | undefined {
    const { stderr } = this;
    if (this.#cut !== undefined) return { kind: this.#cut, stderr };
    if (this.#exitCode === undefined) return undefined;
    return { kind: "exited", exitCode: this.#exitCode, stderr };
  }

  #addStderr(payload: Uint8Array): void {
    const text = Buffer.from(payload).toString("utf8");
    this.stderr = (this.stderr + text).slice(-STDERR_TAIL_CHARS_MAX);
  }

  #kill(why: "stopped" | "timed-out"): void {
    assert(this.#link !== undefined, "what has no connection cannot be ended");
    if (this.#exitCode !== undefined) return;
    this.#cut ??= why;
    this.#isOver = true;
    void this.#link.send(JSON.stringify({ type: "signal", signal: "SIGKILL" }));
    this.#link.close();
  }
}

function framed(stream: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([stream]), payload]);
}

function* pieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}
