import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../src/base/assert.ts";
import { anthropic } from "../rig/anthropic-model-server.ts";
import { geminiApi } from "../rig/gemini-model-server.ts";
import type { Dialect } from "../rig/model-server.ts";
import { openai } from "../rig/openai-model-server.ts";
import { nameOf, type Installed } from "./installed.ts";

export type Call = { readonly name: string; readonly input: unknown };

/** One CLI as the tests drive it. */
export interface CliDriver {
  readonly dialect: Dialect;
  /** The call of its shell. */
  readonly shell: (command: string) => Call;
  /** The call of its own tool that reads a file; a CLI without one reads with its shell. */
  readonly read: (path: string) => Call;
  /** The call of its own tool that writes a file. */
  readonly write: (path: string, text: string) => Call;
  /** Writes its settings; returns the variables that point it to the model. */
  readonly connect: (home: string, url: string) => Readonly<Record<string, string>>;
  readonly model?: string;
  /** The call by which a model gives its last message, if the CLI enforces the schema by a tool. */
  readonly word?: (word: unknown) => Call;
}

const KEY = "sk-test-000";

function codexShell(cmd: string): Call {
  return { name: "exec_command", input: { cmd, yield_time_ms: 60_000 } };
}

const CLAUDE: CliDriver = {
  dialect: anthropic,
  shell: (command) => ({ name: "Bash", input: { command, description: "d" } }),
  read: (path) => ({ name: "Read", input: { file_path: path } }),
  write: (path, content) => ({ name: "Write", input: { file_path: path, content } }),
  connect: (_, url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
};

const CODEX: CliDriver = {
  dialect: openai,
  shell: codexShell,
  read: (path) => codexShell(`cat '${path}'`),
  write: (path, text) => codexShell(`printf '%s' '${text}' > '${path}'`),
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
};

const DRIVERS: Readonly<Record<string, CliDriver>> = {
  claude: { ...CLAUDE, word: (input) => ({ name: "StructuredOutput", input }) },
  codex: CODEX,
  copilot: {
    dialect: openai,
    shell: (command) => ({ name: "bash", input: { command, description: "d" } }),
    read: (path) => ({ name: "view", input: { path } }),
    write: (path, text) => ({ name: "create", input: { path, file_text: text } }),
    connect: (_, url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: "mock-model",
    }),
  },
  gemini: {
    dialect: geminiApi,
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "d" } }),
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    connect(home, url) {
      mkdirSync(join(home, ".gemini"));
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
      return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY, GEMINI_MODEL: "gemini-2.5-flash" };
    },
    model: "gemini-2.5-flash",
  },
  opencode: {
    dialect: openai,
    shell: (command) => ({ name: "bash", input: { command, description: "d" } }),
    read: (path) => ({ name: "read", input: { filePath: path } }),
    write: (path, content) => ({ name: "write", input: { filePath: path, content } }),
    connect(home, url) {
      const options = { baseURL: `${url}/v1`, apiKey: KEY };
      const limit = { context: 100_000, output: 1_000 };
      const models = { "mock-model": { limit, cost: { input: 3, output: 15 } } };
      const mock = { npm: "@ai-sdk/openai-compatible", options, models };
      const model = "mock/mock-model";
      const settings = { provider: { mock }, model, small_model: model };
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

/** What is another CLI below, which only speaks ACP. */
const SPEAKING: Readonly<Record<string, CliDriver>> = {
  // Over ACP, no schema is enforced.
  "claude-agent-acp": CLAUDE,
  "codex-acp": CODEX,
  qwen: {
    dialect: openai,
    shell: (command) => ({
      name: "run_shell_command",
      input: { command, description: "d", is_background: false },
    }),
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    connect: (_, url) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: KEY,
      OPENAI_MODEL: "mock-model",
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    }),
  },
};

/** How a CLI is driven. */
export function driverOf(cli: Installed): CliDriver {
  return present(SPEAKING[cli] ?? DRIVERS[nameOf(cli)], "the CLI is known");
}
