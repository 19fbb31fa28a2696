import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCliEngine } from "../../src/engines/run/cli-engine.ts";
import { codingCli } from "../../src/engines/coding-clis.ts";
import type { EngineEvent } from "../../src/engines/events/engine-event.ts";
import type { Engine, TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import type { McpSetting } from "../../src/engines/mcp/mcp-server.ts";
import { createHost } from "../../src/host/host.ts";
import { realPath } from "../../src/host/files/node-links.ts";
import { present } from "../../src/base/assert.ts";
import { ModelServer, type Script, type Step } from "../rig/model-server.ts";
import { turnRequest } from "../engines-unit/turn-request.ts";
import { driverOf, type CliDriver } from "./cli-drivers.ts";
import { installed, nameOf, type Installed } from "./installed.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/** A real CLI with a scripted model and a repository to work in. */
export class Drive implements AsyncDisposable {
  readonly model: ModelServer;
  readonly directory: string;
  readonly clone: string;
  readonly events: EngineEvent[] = [];
  readonly #cli: Installed;
  readonly #driven: CliDriver;
  #env: Readonly<Record<string, string>>;
  readonly #over = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #turns = 0;

  private constructor(cli: Installed, driven: CliDriver, model: ModelServer, parent: string) {
    this.#cli = cli;
    this.#driven = driven;
    this.model = model;
    this.directory = mkdtempSync(join(parent, "wisp-"));
    this.clone = join(this.directory, "clone");
    const home = join(this.directory, "home");
    mkdirSync(home);
    const variables = driven.connect(home, model.url);
    this.#env = ownEnvironment({ HOME: home, ...variables });
    execFileSync("git", ["init", "--quiet", this.clone]);
    this.git("config", "user.name", "Ada");
    this.git("config", "user.email", "ada@example.org");
    this.git("commit", "--quiet", "--allow-empty", "--message", "init");
  }

  /** In a directory of its own in `parent`. */
  static async start(cli: Installed, script: Script, parent = tmpdir()): Promise<Drive> {
    const driven = driverOf(cli);
    return new Drive(cli, driven, await ModelServer.start(driven.dialect, script), parent);
  }

  /** A step that calls the shell. */
  static shell(cli: Installed, command: string): Step {
    const driven = driverOf(cli);
    return { text: "I will.", tools: [driven.shell(command)] };
  }

  /** Changes variables of the CLI: a value, or none. */
  setVariables(variables: Readonly<Record<string, string | undefined>>): void {
    const changed = Object.entries({ ...this.#env, ...variables });
    this.#env = Object.fromEntries(
      changed.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  git(...words: readonly string[]): string {
    return execFileSync("git", words, { cwd: this.clone, encoding: "utf8" }).trim();
  }

  /** One turn through the adapter. */
  async turn(
    fields: Partial<TurnRequest> = {},
    {
      idleTimeoutMs = 300_000,
      limitTimeoutMs,
      mcp,
      wrap = (engine) => engine,
    }: {
      readonly idleTimeoutMs?: number;
      readonly limitTimeoutMs?: number;
      readonly mcp?: readonly McpSetting[];
      /** What wisp puts around the adapter. */
      readonly wrap?: (engine: Engine) => Engine;
    } = {},
  ): Promise<TurnOutcome> {
    const name = nameOf(this.#cli);
    const host = createHost();
    const engine = createCliEngine({
      profile: present(codingCli(name), "the CLI has an adapter"),
      argv: [installed(this.#cli)],
      model: this.#driven.model,
      variables: [],
      usesSchema: true,
      env: this.#env,
      idleTimeoutMs,
      startTimeoutMs: idleTimeoutMs,
      limitTimeoutMs,
      mcp,
      tmpDirectory: join(this.directory, "tmp"),
      processes: host.processes,
      files: host.files,
      directories: host.directories,
      realPath,
      // As the variable says that the CLI gets.
      clock: { ...host.clock, zone: this.#env["TZ"] ?? host.clock.zone },
    });
    this.#turns++;
    const { signal = this.#over.signal } = fields;
    const turn = wrap(engine).turn(
      turnRequest(this.clone, {
        outputBase: join(this.directory, `turn-${this.#turns}`),
        runId: this.directory,
        timeoutMs: 600_000,
        // Its answer is free text and follows no schema.
        purpose: "test",
        onEvent: (event) => this.events.push(event),
        ...fields,
        signal: AbortSignal.any([signal, this.#over.signal]),
      }),
    );
    this.#running.add(turn);
    return turn;
  }

  /** Resolves when a file is in the clone. */
  async untilFile(name: string): Promise<void> {
    const path = join(this.clone, name);
    const watcher = watch(this.clone);
    for (;;) {
      if (existsSync(path)) break;
      await once(watcher, "change");
    }
    watcher.close();
  }

  /** Command lines of living processes with the mark of these runs. */
  leftovers(): readonly string[] {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
    return pids.flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        if (!environment.includes(`WISP_RUN_ID=${this.directory}`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });
  }

  /** Ends what a failed test has left running. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await Promise.allSettled(this.#running);
    await this.model[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
