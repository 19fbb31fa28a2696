import { randomUUID } from "node:crypto";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CliCommand } from "../cli-profile.ts";
import type { TurnRequest } from "../engine.ts";
import type { BrokenServer } from "../events/engine-event.ts";
import { serversFor } from "../mcp/mcp-server.ts";
import { inheritedBy } from "./cli-environment.ts";
import type { CliEngineOptions } from "./cli-engine-options.ts";
import type { Tail } from "./output-tail.ts";
import { runCli, type CliRunEnd } from "./run-cli.ts";
import { sessionIdOf } from "./session-id.ts";
import { wordSchema } from "./word-schema.ts";

/** How much of the end of standard error is searched for what a CLI says of MCP servers. */
const SERVERS_BYTES_MAX = 256 * 1024;

/** How the run of a CLI ended, and which of its MCP servers are not there. */
export interface ServedRunEnd extends CliRunEnd {
  readonly broken: readonly BrokenServer[];
}

/**
 * Runs a CLI with the MCP servers of the session. One that can wait for them is told to, so that a turn does not begin
 * without the tools of a slow one. If it then refuses to start without one that is broken, it is started again at once
 * without waiting for that one, in this turn and all later ones: a broken server must not stop the work.
 */
export class AwaitedServers {
  readonly #options: CliEngineOptions;
  readonly #broken = new Set<string>();

  constructor(options: CliEngineOptions) {
    this.#options = options;
  }

  /** One turn. Fails if the temporary files of the CLI cannot be written. */
  async run(request: TurnRequest): Promise<Result<ServedRunEnd, FileFailure>> {
    const unstarted: BrokenServer[] = [];
    // Each round waits for at least one server less.
    for (;;) {
      const ended = await this.#once(request);
      if (!ended.ok) return ended;
      const more = this.#unstarted(request, ended.value);
      for (const { name } of more) this.#broken.add(name);
      unstarted.push(...more);
      if (more.length > 0) continue;
      const broken = [...unstarted, ...this.#onStderr(request, ended.value.stderr)];
      return ok({ ...ended.value, broken });
    }
  }

  async #once(request: TurnRequest): Promise<Result<CliRunEnd, FileFailure>> {
    const { files, directories } = this.#options;
    // Concurrent turns each have their own; a killed process's directory is swept when its role starts.
    const tmpDirectory = `${this.#options.tmpDirectory}/${randomUUID().slice(0, 8)}`;
    const command = this.#command(request, tmpDirectory);
    const made = prepare(files, tmpDirectory, command);
    if (!made.ok) return fail(made.failure);
    const ended = await runCli(this.#options, request, { command, tmpDirectory });
    directories.removeTree(tmpDirectory);
    return ok(ended);
  }

  #command(request: TurnRequest, tmpDirectory: string): CliCommand {
    const { profile, model, argv, variables, env, realPath, ...options } = this.#options;
    const servers = serversFor(options.mcp ?? [], request.role, env);
    return profile.command({
      request,
      model: request.model ?? model,
      extraArgs: argv.slice(1),
      sessionId: sessionIdOf(request.outputBase),
      inherited: inheritedBy([...profile.variables, ...variables], env),
      realFolder: request.folder === undefined ? undefined : realPath?.(request.folder),
      tmpDirectory,
      schema: options.usesSchema ? wordSchema(request.purpose) : undefined,
      isConfined: options.confine !== undefined,
      denied: options.denied,
      mcp: servers.map((server) => ({ ...server, isAwaited: !this.#broken.has(server.name) })),
    });
  }

  /** What kept it from starting; nothing if it was stopped, or if others than ours keep it from it. */
  #unstarted(request: TurnRequest, { ran, stderr }: CliRunEnd): readonly BrokenServer[] {
    const { unstartedServersIn } = this.#options.profile;
    const hasFailed = ran.ok && ran.value.kind === "exited" && ran.value.exitCode !== 0;
    if (unstartedServersIn === undefined || !hasFailed) return [];
    const awaited = this.#names(request).filter((name) => !this.#broken.has(name));
    return read(stderr, (text) => unstartedServersIn(text, awaited));
  }

  #onStderr(request: TurnRequest, stderr: Tail): readonly BrokenServer[] {
    const { brokenServersIn } = this.#options.profile;
    if (brokenServersIn === undefined) return [];
    return read(stderr, (text) => brokenServersIn(text, this.#names(request)));
  }

  #names({ role }: TurnRequest): readonly string[] {
    const { mcp = [], env } = this.#options;
    return serversFor(mcp, role, env).map(({ name }) => name);
  }
}

function read(
  stderr: Tail,
  find: (text: string) => readonly BrokenServer[],
): readonly BrokenServer[] {
  const printed = stderr.read(SERVERS_BYTES_MAX);
  return printed.ok ? find(printed.value) : [];
}

function prepare(
  files: Files,
  tmpDirectory: string,
  command: CliCommand,
): Result<void, FileFailure> {
  const made = files.makeScratchDirectory(tmpDirectory);
  if (!made.ok) return made;
  for (const [name, text] of Object.entries(command.files ?? {})) {
    const written = files.createScratch(`${tmpDirectory}/${name}`, Buffer.from(text));
    if (!written.ok) return written;
  }
  return ok(undefined);
}
