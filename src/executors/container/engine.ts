import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  type ExecutorFailure,
} from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { ExecutorHost } from "../over-argv.ts";

/** The programs that can hold containers, in the order in which they are looked for. */
export const CONTAINER_PROGRAMS = ["podman", "docker"] as const;
export type ContainerProgram = (typeof CONTAINER_PROGRAMS)[number];

/** What a program said, and how it ended. */
export interface Said {
  readonly end: ProgramEnd;
  readonly stdout: string;
}

/** A container as it is listed. */
export interface ListedContainer {
  readonly state: "running" | "paused" | "restarting" | "stopped";
  /** For people, such as `Exited (143) 2 minutes ago`. */
  readonly words: string;
}

/** How a `ContainerEngine` is called. */
export interface EngineOptions {
  /** As a person writes the executor after `--on`. */
  readonly name: string;
  readonly program: ContainerProgram;
  /** What runs containers for the program, such as `runc`. Absent: the program's own choice. */
  readonly runtime?: string | undefined;
}

/** What a program writes if it is the network that failed, to a registry or to its own service. */
const NETWORK_WORDS =
  /dial (?:tcp|unix)|i\/o timeout|connection (?:refused|reset)|no such host|TLS handshake|cannot connect to/i;

/** One program that holds containers, which finds, starts and removes them. */
export class ContainerEngine {
  readonly name: string;
  readonly program: ContainerProgram;
  readonly #host: ExecutorHost;
  readonly #runtime: string | undefined;

  constructor(host: ExecutorHost, { name, program, runtime }: EngineOptions) {
    this.name = name;
    this.program = program;
    this.#host = host;
    this.#runtime = runtime;
  }

  /** The command line of one of the program's commands. */
  argv(command: string, ...words: readonly string[]): readonly [string, ...string[]] {
    if (this.#runtime === undefined) return [this.program, command, ...words];
    const option = ["--runtime", this.#runtime];
    if (this.program === "podman") return [this.program, ...option, command, ...words];
    return [this.program, command, ...(command === "run" ? option : []), ...words];
  }

  /** Runs one of the program's commands to its end, whatever that is. The time limit is in milliseconds. */
  async tell(
    argv: readonly [string, ...string[]],
    timeoutMs = FAR_COMMAND_MS_MAX,
  ): Promise<Result<Said, ExecutorFailure>> {
    const { cwd, env, programs } = this.#host;
    const chunks: Uint8Array[] = [];
    const onStdout = (bytes: Uint8Array) => void chunks.push(Uint8Array.from(bytes));
    const ran = await programs.stream({ argv, cwd, env, timeoutMs, onStdout });
    if (!ran.ok) return ran;
    return ok({ end: ran.value, stdout: Buffer.concat(chunks).toString() });
  }

  /** Runs one of the program's commands, for which anything but success is a failure. */
  async demand(
    argv: readonly [string, ...string[]],
    timeoutMs?: number,
  ): Promise<Result<string, ExecutorFailure>> {
    const told = await this.tell(argv, timeoutMs);
    if (!told.ok) return told;
    if (isSuccess(told.value.end)) return ok(told.value.stdout);
    return fail(this.failureOf(told.value.end));
  }

  /** The container with this name, or nothing if there is none. */
  async container(id: string): Promise<Result<ListedContainer | undefined, ExecutorFailure>> {
    const format = "{{.Names}}\t{{.Status}}";
    const listed = await this.#list("ps", "--all", "--filter", `name=${id}`, "--format", format);
    if (!listed.ok) return listed;
    const [, words] = listed.value.find(([name]) => name === id) ?? [];
    return ok(words === undefined ? undefined : { state: stateOf(words), words });
  }

  /** Whether there is a volume with this name. */
  async hasVolume(id: string): Promise<Result<boolean, ExecutorFailure>> {
    const filter = ["--filter", `name=${id}`, "--format", "{{.Name}}"];
    const listed = await this.#list("volume", "ls", ...filter);
    return listed.ok ? ok(listed.value.some(([name]) => name === id)) : listed;
  }

  /** The failure of one of the program's commands that did not succeed. */
  failureOf(end: ProgramEnd): ExecutorFailure {
    const executor = this.name;
    const detail = lastLine(end.stderr) || `${this.program} ended without a reason`;
    const isRefusal = end.kind === "exited" && !NETWORK_WORDS.test(end.stderr);
    return isRefusal
      ? ExecutorRefused({ executor, detail })
      : ExecutorUnreachable({ executor, detail });
  }

  /** The fields of the lines that a command lists. If it cannot list, its service does not answer. */
  async #list(command: string, ...words: readonly string[]) {
    const told = await this.tell(this.argv(command, ...words));
    if (!told.ok) return told;
    const { end, stdout } = told.value;
    if (isSuccess(end)) return ok(stdout.split("\n").map((line) => line.split("\t")));
    const detail = lastLine(end.stderr) || `${this.program} does not answer`;
    return fail(ExecutorUnreachable({ executor: this.name, detail }));
  }
}

/** Looks for a program here that can hold containers. Refuses if there is none. */
export async function findContainerProgram(
  host: ExecutorHost,
  name: string,
): Promise<Result<ContainerProgram, ExecutorFailure>> {
  for (const program of CONTAINER_PROGRAMS) {
    const engine = new ContainerEngine(host, { name, program });
    const told = await engine.tell([program, "--version"]);
    if (told.ok && isSuccess(told.value.end)) return ok(program);
  }
  const detail = "neither podman nor docker runs here";
  const hint = "Install one of them, then run the same command again.";
  return fail(ExecutorRefused({ executor: name, detail, hint }));
}

/** Whether a program exited with 0. */
export function isSuccess(end: ProgramEnd): boolean {
  return end.kind === "exited" && end.exitCode === 0;
}

/** The state in words for people, which podman and docker agree on; they do not on those for programs. */
function stateOf(words: string): ListedContainer["state"] {
  if (/paused/i.test(words)) return "paused";
  if (/^up\b/i.test(words)) return "running";
  return /^restarting/i.test(words) ? "restarting" : "stopped";
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
