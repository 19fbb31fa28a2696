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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCliEngine } from "../../src/engines/cli-engine.ts";
import { cliProfile } from "../../src/engines/cli-profiles.ts";
import type { EngineEvent } from "../../src/engines/engine-event.ts";
import type { TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import { createHost } from "../../src/host/host.ts";
import { present } from "../../src/base/assert.ts";
import { anthropic } from "../rig/anthropic-model-server.ts";
import { geminiApi } from "../rig/gemini-model-server.ts";
import { ModelServer, type Dialect, type Step } from "../rig/model-server.ts";
import { openai } from "../rig/openai-model-server.ts";
import { turnRequest } from "../engines-unit/turn-request.ts";
import { installed, type Installed } from "./install.ts";

/** One CLI as the tests drive it. */
interface Driven {
  readonly dialect: Dialect;
  /** The call of its shell. */
  readonly shell: (command: string) => { readonly name: string; readonly input: unknown };
  /** Writes its settings; returns the variables that lead it to the model. */
  readonly connect: (home: string, url: string) => Readonly<Record<string, string>>;
  readonly model?: string;
}

const KEY = "sk-test-000";

const DRIVEN: Readonly<Record<string, Driven>> = {
  claude: {
    dialect: anthropic,
    shell: (command) => ({ name: "Bash", input: { command, description: "d" } }),
    connect: (_, url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
  },
  codex: {
    dialect: openai,
    shell: (cmd) => ({ name: "exec_command", input: { cmd, yield_time_ms: 60_000 } }),
    connect(home, url) {
      const directory = join(home, ".codex");
      mkdirSync(directory);
      const lines = [
        `model = "gpt-5-codex"`,
        `model_provider = "mock"`,
        `[model_providers.mock]`,
        `name = "mock"`,
        `base_url = "${url}/v1"`,
        `env_key = "OPENAI_API_KEY"`,
        `wire_api = "responses"`,
        `request_max_retries = 0`,
        `stream_max_retries = 1`,
      ];
      writeFileSync(join(directory, "config.toml"), `${lines.join("\n")}\n`);
      return { CODEX_HOME: directory, OPENAI_API_KEY: KEY };
    },
  },
  copilot: {
    dialect: openai,
    shell: (command) => ({ name: "bash", input: { command, description: "d" } }),
    connect: (_, url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: "mock-model",
    }),
  },
  gemini: {
    dialect: geminiApi,
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "d" } }),
    connect(home, url) {
      mkdirSync(join(home, ".gemini"));
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY };
    },
    model: "gemini-2.5-flash",
  },
  opencode: {
    dialect: openai,
    shell: (command) => ({ name: "bash", input: { command, description: "d" } }),
    connect(home, url) {
      const options = { baseURL: `${url}/v1`, apiKey: KEY };
      const limit = { context: 100_000, output: 1_000 };
      const models = { "mock-model": { limit, cost: { input: 3, output: 15 } } };
      const mock = { npm: "@ai-sdk/openai-compatible", options, models };
      const settings = { provider: { mock }, small_model: "mock/mock-model" };
      writeFileSync(join(home, "oc.json"), JSON.stringify(settings));
      return {
        OPENCODE_CONFIG: join(home, "oc.json"),
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        npm_config_offline: "true",
      };
    },
    model: "mock/mock-model",
  },
};

/** A real CLI with a scripted model and a repository to work in. */
export class Drive implements AsyncDisposable {
  readonly model: ModelServer;
  readonly directory: string;
  readonly clone: string;
  readonly events: EngineEvent[] = [];
  readonly #cli: Installed;
  readonly #driven: Driven;
  readonly #env: Readonly<Record<string, string>>;
  #turns = 0;

  private constructor(cli: Installed, driven: Driven, model: ModelServer) {
    this.#cli = cli;
    this.#driven = driven;
    this.model = model;
    this.directory = mkdtempSync(join(tmpdir(), "wisp-"));
    this.clone = join(this.directory, "clone");
    const home = join(this.directory, "home");
    mkdirSync(home);
    const variables = driven.connect(home, model.url);
    this.#env = { PATH: process.env["PATH"] ?? "", HOME: home, ...variables };
    execFileSync("git", ["init", "--quiet", this.clone]);
    this.git("config", "user.name", "Ada");
    this.git("config", "user.email", "ada@example.org");
    this.git("commit", "--quiet", "--allow-empty", "--message", "init");
  }

  static async start(cli: Installed, steps: readonly Step[]): Promise<Drive> {
    const driven = present(DRIVEN[cli.replace(/-old$/u, "")], "the CLI is known");
    return new Drive(cli, driven, await ModelServer.start(driven.dialect, steps));
  }

  /** A step that calls the shell. */
  static shell(cli: Installed, command: string): Step {
    const driven = present(DRIVEN[cli.replace(/-old$/u, "")], "the CLI is known");
    return { text: "I will.", tools: [driven.shell(command)] };
  }

  git(...words: readonly string[]): string {
    return execFileSync("git", words, { cwd: this.clone, encoding: "utf8" }).trim();
  }

  /** One turn through the adapter. */
  async turn(
    fields: Partial<TurnRequest> = {},
    { idleTimeoutMs = 60_000 } = {},
  ): Promise<TurnOutcome> {
    const name = this.#cli.replace(/-old$/u, "");
    const host = createHost();
    const engine = createCliEngine({
      profile: present(cliProfile(name), "the CLI has an adapter"),
      argv: [installed(this.#cli)],
      model: this.#driven.model,
      variables: [],
      env: this.#env,
      idleTimeoutMs,
      tmpDirectory: join(this.directory, "tmp"),
      processes: host.processes,
      files: host.files,
      directories: host.directories,
      clock: host.clock,
    });
    this.#turns++;
    return engine.turn(
      turnRequest(this.clone, {
        outputBase: join(this.directory, `turn-${this.#turns}`),
        runId: this.directory,
        timeoutMs: 100_000,
        onEvent: (event) => this.events.push(event),
        ...fields,
      }),
    );
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

  /** Command lines of what carries the mark of these runs and is alive. */
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
