import { join, relative } from "node:path";
import {
  mayEdit,
  modelArgs,
  readableDirectories,
  usesProject,
  writableDirectories,
} from "../cli-profile.ts";
import type { CodingCli } from "../coding-cli.ts";
import type { McpServer } from "../mcp/mcp-server.ts";
import {
  isOpencodeLog,
  opencodeBrokenServers,
  opencodeEvents,
  opencodeWaits,
} from "./opencode-events.ts";

/**
 * OpenCode. Permissions: one rule per tool, passed in a variable; anything that no rule allows is refused, because
 * nobody can answer. Outside its directory it may use what the turn names: its folder, its temporary files and, for
 * writing, the plan's directory. Resuming from another directory hangs.
 */
export const opencode: CodingCli = {
  name: "opencode",
  executable: "opencode",
  install: "npm install --global opencode-ai",
  login: "opencode auth login",
  keys: ["OPENCODE_API_KEY", "OPENCODE_AUTH_CONTENT", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"],
  variables: [
    ...["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT"],
    ...["OPENCODE_API_KEY", "OPENCODE_AUTH_CONTENT", "OPENAI_*", "ANTHROPIC_*"],
    ...["GEMINI_API_KEY", "GOOGLE_*", "OPENROUTER_API_KEY", "AWS_*", "AZURE_*"],
  ],
  parse: opencodeEvents,
  isLog: isOpencodeLog,
  waitsIn: opencodeWaits,
  brokenServersIn: opencodeBrokenServers,
  usageSteps: "sum",
  tokensBasis: "run",
  costBasis: () => "run",
  permissions: {
    edits: "edit and bash allowed, external_directory for what the turn names; webfetch denied",
    reads: "bash allowed, external_directory for what the turn names; edit and webfetch denied",
  },
  needs: {
    folders: [".local/share/opencode", ".local/state/opencode", ".config/opencode"],
    files: [],
    folderVariables: ["OPENCODE_CONFIG_DIR"],
    fileVariables: ["OPENCODE_CONFIG"],
    secrets: [],
    programs: [".opencode"],
    caches: [".cache/opencode"],
    hosts: ["opencode.ai", "*.opencode.ai", "openrouter.ai"],
  },
  mcpClient: {
    path: ({ repository }) => join(repository, "opencode.json"),
    format: "json",
    key: "mcp",
    entry: (command) => ({ type: "local", command, enabled: true }),
  },
  instructions: [/(?:^|\/)\.opencode\//i, /(?:^|\/)opencode\.jsonc?$/i],
  unreadByOthers: /(?:^|\/)(?:AGENTS|CLAUDE)\.md$/i,
  reportsCalls: true,
  takesSessionId: false,
  command({ request, model, extraArgs, inherited, tmpDirectory, mcp = [] }) {
    const session = request.resume?.session;
    const readable = readableDirectories(request);
    const writable = [tmpDirectory, ...(mayEdit(request) ? writableDirectories(request) : [])];
    // The edit rules are matched against paths relative to the clone.
    const notEdited = readable.map((directory) => relative(request.cwd, directory));
    const rules = {
      edit: mayEdit(request) ? { "*": "allow", ...under(notEdited, "deny") } : "deny",
      bash: "allow",
      webfetch: "deny",
      external_directory: { "*": "deny", ...under([...readable, ...writable], "allow") },
    };
    return {
      args: [
        "run",
        ...["--format", "json"],
        ...logArgs(extraArgs),
        ...modelArgs("--model", model),
        ...(session === undefined ? [] : ["--session", session]),
        ...extraArgs,
      ],
      env: {
        OPENCODE_PERMISSION: JSON.stringify(rules),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_SHARE: "1",
        // Otherwise it starts the servers and plugins that `opencode.json` names.
        ...(usesProject(request) ? {} : { OPENCODE_DISABLE_PROJECT_CONFIG: "1" }),
        ...serversOf(mcp, inherited["OPENCODE_CONFIG_CONTENT"]),
      },
    };
  },
  interactive: (prompt, { resume, model }) => [
    ...modelArgs("--model", model),
    ...(resume === undefined ? [] : ["--session", resume]),
    ...(prompt === "" ? [] : ["--prompt", prompt]),
  ],
};

/** It retries in silence but for its log. It does not start if an option comes twice. */
function logArgs(extraArgs: readonly string[]): readonly string[] {
  const isGiven = (option: string) =>
    extraArgs.some((word) => word === option || word.startsWith(`${option}=`));
  return [
    ...(isGiven("--print-logs") ? [] : ["--print-logs"]),
    ...(isGiven("--log-level") ? [] : ["--log-level", "INFO"]),
  ];
}

/** A rule for everything below some directories: the last matching rule counts, and a star matches slashes. */
function under(directories: readonly string[], rule: "allow" | "deny") {
  return Object.fromEntries(directories.map((directory) => [`${directory}/*`, rule]));
}

/** A configuration that precedes the user's files; if the user already sets this variable, it stays. */
function serversOf(
  mcp: readonly McpServer[],
  given: string | undefined,
): Readonly<Record<string, string>> {
  if (mcp.length === 0 || given !== undefined) return {};
  const entries = mcp.map(
    ({ name, command, args, env }) =>
      [
        name,
        { type: "local", command: [command, ...args], enabled: true, environment: env },
      ] as const,
  );
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: Object.fromEntries(entries) }) };
}
