import { join } from "node:path";
import type { UsageBasis } from "../../fs-protocol/records/turn-usage.ts";
import { claudeEvents } from "./claude-events.ts";
import {
  mayEdit,
  modelArgs,
  readableDirectories,
  usesProject,
  writableDirectories,
  type CliTurn,
} from "../cli-profile.ts";
import type { CodingCli } from "../coding-cli.ts";
import type { LoginAnswer, LoginState } from "../login-state.ts";
import { mcpServersJson } from "../mcp/mcp-server.ts";

/**
 * Claude Code. Permissions: `acceptEdits` lets it edit in the clone, and `Bash` as an allowed tool lets it run
 * commands and commit. Anything else that would ask is refused and reported (`permission_denials`). That is enough,
 * so `--dangerously-skip-permissions`, which is rejected for root, is not used.
 */
export const claude: CodingCli = {
  name: "claude",
  executable: "claude",
  install: "npm install --global @anthropic-ai/claude-code",
  login: "claude, then /login (or set ANTHROPIC_API_KEY)",
  keys: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_*",
  ],
  loginQuestion: { args: ["auth", "status"], read: readLogin },
  variables: ["ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_*"],
  parse: claudeEvents,
  usageSteps: "last",
  tokensBasis: "run",
  costBasis,
  permissions: {
    edits: "permission mode acceptEdits, and the tool Bash",
    reads: "the tool Bash, and no tool that edits",
  },
  needs: {
    folders: [".claude", ".local/state/claude"],
    files: [".claude.json"],
    folderVariables: ["CLAUDE_CONFIG_DIR"],
    fileVariables: [],
    secrets: [],
    programs: [".local/share/claude"],
    caches: [".cache/claude-cli-nodejs"],
    hosts: ["*.anthropic.com", "*.claude.ai", "*.claude.com"],
  },
  mcpClient: {
    path: ({ repository }) => join(repository, ".mcp.json"),
    format: "json",
    key: "mcpServers",
    entry: ([command, ...args]) => ({ command, args }),
  },
  instructions: [/(?:^|\/)CLAUDE(?:\.local)?\.md$/i, /(?:^|\/)\.claude\//i],
  unreadByOthers: /(?:^|\/)CLAUDE(?:\.local)?\.md$|(?:^|\/)\.claude\/rules\/.*\.md$/i,
  reportsCalls: true,
  takesSessionId: true,
  command(turn) {
    const { request, model, extraArgs, sessionId, schema, tmpDirectory, mcp = [] } = turn;
    const session = request.resume?.session;
    const tools = ["Bash", ...mcp.map(({ name }) => `mcp__${name}`)];
    const edits = mayEdit(request)
      ? ["--permission-mode", "acceptEdits", "--allowedTools", tools.join(",")]
      : ["--allowedTools", tools.join(","), "--disallowedTools", "Edit,Write,NotebookEdit"];
    const directories = writableDirectories(request);
    const rules = settingsFor(turn);
    return {
      args: [
        "--print",
        ...["--output-format", "stream-json", "--verbose"],
        ...edits,
        // Otherwise it starts the servers and runs the hooks of the folder without a question.
        ...(usesProject(request) ? [] : ["--setting-sources", "user"]),
        ...(directories.length === 0 ? [] : ["--add-dir", ...directories]),
        ...modelArgs("--model", model),
        ...(rules === undefined ? [] : ["--settings", JSON.stringify(rules)]),
        ...(mcp.length === 0 ? [] : ["--mcp-config", `${tmpDirectory}/${MCP_NAME}`]),
        // Claude gets a tool for the answer, whose input becomes the result; it is prompted once more if it skips
        // the tool.
        ...(schema === undefined ? [] : ["--json-schema", schema]),
        ...(session === undefined ? ["--session-id", sessionId] : ["--resume", session]),
        ...extraArgs,
      ],
      env: {
        // Disables telemetry, error reports, updates and other lookups of the vendor's hosts.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // The default of 10 retries takes minutes with a rejected key.
        CLAUDE_CODE_MAX_RETRIES: "4",
      },
      files: mcp.length === 0 ? {} : { [MCP_NAME]: JSON.stringify(mcpServersJson(mcp)) },
    };
  },
  interactive: (prompt, { resume, begin, model }) => [
    ...modelArgs("--model", model),
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...(resume !== undefined || begin === undefined ? [] : ["--session-id", begin]),
    ...(prompt === "" ? [] : ["--", prompt]),
  ],
};

/** It prints a document with `loggedIn` (2.1.197); an older one takes the words for a prompt. */
function readLogin({ output }: LoginAnswer): LoginState {
  const isLoggedIn = /"loggedIn"\s*:\s*(true|false)/u.exec(output)?.[1];
  if (isLoggedIn === undefined) return "unknown";
  return isLoggedIn === "true" ? "yes" : "no";
}

const MCP_NAME = "claude-mcp.json";

/**
 * Claude's own permission rules, which apply to its tools but not to what a shell reads. The allow rules grant
 * reading, because a directory given by `--add-dir` would be writable too. The deny rules are a second line of
 * defence behind the sandbox. The rules for Claude's own sandbox apply if the user has enabled it.
 */
function settingsFor({ request, realFolder, denied = [] }: CliTurn): object | undefined {
  const named = readableDirectories(request);
  // Claude checks a path against the rules both as given and with links resolved.
  const readable = new Set(realFolder === undefined ? named : [...named, realFolder]);
  if (readable.size === 0 && denied.length === 0) return undefined;
  const allow = [...readable].map((path) => `Read(${ruleFor(path)}/**)`);
  const deny = denied.map(ruleFor).flatMap((path) => [`Read(${path})`, `Read(${path}/**)`]);
  return {
    permissions: { allow, deny },
    ...(denied.length === 0 ? {} : { sandbox: { filesystem: { denyRead: [...denied] } } }),
  };
}

/** For Claude, `/x` is relative to the settings' folder and `//x` to the root; a bracket would start a set. */
function ruleFor(path: string): string {
  const literal = path.replaceAll(/[[\]]/gu, String.raw`\$&`);
  return literal.startsWith("/") ? `/${literal}` : literal;
}

/** Measured: the reported cost of a resumed session covers one run in 2.1.197, and all runs in 2.1.329. */
const LAST_BY_RUN = [2, 1, 197] as const;
const FIRST_BY_SESSION = [2, 1, 329] as const;

function costBasis(version: string | undefined): UsageBasis {
  const parts = version?.split(".").map(Number) ?? [];
  if (parts.length < 3 || parts.some(Number.isNaN)) return "unknown";
  if (compare(parts, LAST_BY_RUN) <= 0) return "run";
  return compare(parts, FIRST_BY_SESSION) >= 0 ? "session" : "unknown";
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = other.findIndex((part, index) => part !== one[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
