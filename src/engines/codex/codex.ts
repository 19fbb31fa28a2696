import { isAbsolute, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import {
  codexEvents,
  codexRefused,
  codexUnstartedServers,
  isCodexMisstarted,
} from "./codex-events.ts";
import { codexModel } from "./codex-model.ts";
import { modelArgs, writableDirectories } from "../cli-profile.ts";
import type { CodingCli } from "../coding-cli.ts";
import type { TurnRequest } from "../engine.ts";
import type { LoginAnswer, LoginState } from "../login-state.ts";
import type { McpServer } from "../mcp/mcp-server.ts";

/**
 * Codex. Permissions: its own sandbox, `workspace-write`. By default that makes `.git` read-only, so that commits
 * are impossible, and has no network, not even loopback, which test suites need; so both are enabled. Where its
 * sandbox cannot run, the user can set `args: [--dangerously-bypass-approvals-and-sandbox]`. Inside a sandbox of
 * wisp's it runs without its own.
 */
export const codex: CodingCli = {
  name: "codex",
  executable: "codex",
  install: "npm install --global @openai/codex",
  login: "codex login (or set CODEX_API_KEY)",
  keys: ["CODEX_API_KEY"],
  loginQuestion: { args: ["login", "status"], read: readLogin, usesOther: usesOtherProvider },
  variables: ["OPENAI_*", "CODEX_*"],
  parse: codexEvents,
  usageSteps: "last",
  tokensBasis: "session",
  costBasis: () => "session",
  permissions: {
    edits: "its sandbox workspace-write, with .git writable and the network on",
    reads: "its sandbox workspace-write, with .git writable and the network on",
  },
  needs: {
    folders: [".codex"],
    files: [],
    folderVariables: ["CODEX_HOME"],
    fileVariables: [],
    secrets: [],
    programs: [],
    caches: [],
    hosts: ["*.openai.com", "*.chatgpt.com"],
  },
  mcpClient: {
    path: ({ home, env }) => join(env["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
    format: "toml",
    key: "mcp_servers",
    entry: ([command, ...args]) => ({ command, args }),
  },
  instructions: [/(?:^|\/)AGENTS\.override\.md$/i, /(?:^|\/)\.codex\//i],
  reportsCalls: true,
  isMisstarted: isCodexMisstarted,
  unstartedServersIn: codexUnstartedServers,
  refusedIn: codexRefused,
  modelOf: codexModel,
  takesSessionId: false,
  command({ request, model, extraArgs, tmpDirectory, schema, isConfined, mcp = [] }) {
    const session = request.resume?.session;
    const sandbox = isConfined === true ? OUR_SANDBOX : sandboxSettings(request);
    const settings = [...SETTINGS, ...sandbox, ...mcp.flatMap(mcpSettings)];
    return {
      args: [
        "exec",
        ...(session === undefined ? [] : ["resume"]),
        ...["--json", "--skip-git-repo-check"],
        ...settings.flatMap((setting) => ["--config", setting]),
        ...modelArgs("--model", model),
        ...(schema === undefined ? [] : ["--output-schema", `${tmpDirectory}/${SCHEMA_FILE}`]),
        ...extraArgs,
        ...(session === undefined ? [] : [session]),
        // Reads the prompt from standard input.
        "-",
      ],
      env: {},
      files: schema === undefined ? {} : { [SCHEMA_FILE]: schema },
    };
  },
  interactive: (prompt, { resume, model }) => [
    ...(resume === undefined ? [] : ["resume"]),
    ...modelArgs("--model", model),
    ...(resume === undefined ? [] : [resume]),
    ...(prompt === "" ? [] : ["--", prompt]),
  ],
};

/** It says so in words, on either stream, possibly after a warning (0.171.0). */
function readLogin({ exitCode, output }: LoginAnswer): LoginState {
  if (/^Not logged in/mu.test(output)) return "no";
  return exitCode === 0 && /^Logged in/mu.test(output) ? "yes" : "unknown";
}

/** A provider of the user's own may need no login, or a key in a variable of its own. */
function usesOtherProvider(
  files: Pick<Files, "read">,
  env: Readonly<Record<string, string>>,
  turnArgs: readonly string[],
): boolean {
  const folder = env["CODEX_HOME"] ?? join(env["HOME"] ?? "", ".codex");
  const path = join(folder, "config.toml");
  const read = isAbsolute(path) ? files.read(path) : undefined;
  const settings = read?.ok === true ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return [settings, ...turnArgs].some((text) => /model_provider|--oss|oss_provider/u.test(text));
}

const SCHEMA_FILE = "answer-schema.json";

/** Disables telemetry, updates, plugins and approval requests, which nobody could answer. */
const SETTINGS = [
  "analytics.enabled=false",
  "check_for_update_on_startup=false",
  "features.plugins=false",
  'approval_policy="never"',
];

/** A sandbox inside another fails where `/proc` is covered; and codex's own makes everything readable. */
const OUR_SANDBOX = ['sandbox_mode="danger-full-access"'];

/**
 * Values of variables must not appear on a command line, so codex is told their names and passes its own on. Where nobody
 * can be asked, and where it has a sandbox of its own, it refuses every call of a tool that nothing approves (0.171.0).
 */
function mcpSettings({ name, command, args, env, isAwaited }: McpServer): readonly string[] {
  const key = `mcp_servers.${name}`;
  const variables = Object.keys(env);
  return [
    `${key}.command=${JSON.stringify(command)}`,
    `${key}.args=${JSON.stringify(args)}`,
    `${key}.default_tools_approval_mode="approve"`,
    ...(variables.length === 0 ? [] : [`${key}.env_vars=${JSON.stringify(variables)}`]),
    // It waits for none that may be missing, and says nothing of one that is (0.169.0).
    ...(isAwaited === true ? [`${key}.required=true`] : []),
    `${key}.startup_timeout_sec=${String(SERVER_START_S)}`,
  ];
}

/** As long as the first start of a package by `npx` may take. */
const SERVER_START_S = 30;

/** Given as settings, because `exec resume` has no option for it. */
function sandboxSettings(request: TurnRequest): readonly string[] {
  const roots = [`${request.cwd}/.git`, ...writableDirectories(request)];
  return [
    'sandbox_mode="workspace-write"',
    `sandbox_workspace_write.writable_roots=${JSON.stringify(roots)}`,
    "sandbox_workspace_write.network_access=true",
  ];
}
