import { join } from "node:path";
import { geminiEvents } from "./gemini-events.ts";
import { mcpServersJson, type McpServer } from "../mcp/mcp-server.ts";
import { mayEdit, modelArgs, readableDirectories, writableDirectories } from "../cli-profile.ts";
import type { BrokenServer } from "../events/engine-event.ts";
import type { CodingCli } from "../coding-cli.ts";

/**
 * Gemini CLI. Permissions: `auto_edit` lets it edit in the clone and in the named directories, and the shell is an
 * allowed tool; `--yolo`, which allows all tools, is not needed. A reviewer has that mode too, because the default
 * mode refuses a shell command with any redirection (`2>&1`); a rule removes its editing tools. Sessions can only
 * be resumed in the same directory.
 */
export const gemini: CodingCli = {
  name: "gemini",
  executable: "gemini",
  install: "npm install --global @google/gemini-cli",
  login: "gemini, then choose how to log in (or set GEMINI_API_KEY)",
  keys: ["GEMINI_API_KEY"],
  variables: ["GEMINI_*", "GOOGLE_*"],
  parse: geminiEvents,
  brokenServersIn: geminiBrokenServers,
  statusOf: (exitCode) => STATUSES[exitCode],
  usageSteps: "last",
  tokensBasis: "run",
  costBasis: () => "run",
  permissions: {
    edits: "approval mode auto_edit, and the shell",
    reads: "approval mode auto_edit without the tools that edit or fetch, and the shell",
  },
  needs: {
    folders: [".gemini"],
    files: [],
    folderVariables: [],
    fileVariables: [],
    secrets: [],
    programs: [],
    caches: [],
    hosts: ["*.googleapis.com"],
  },
  mcpClient: {
    path: ({ repository }) => join(repository, ".gemini", "settings.json"),
    format: "json",
    key: "mcpServers",
    entry: ([command, ...args]) => ({ command, args }),
  },
  instructions: [/(?:^|\/)GEMINI\.md$/i, /(?:^|\/)\.gemini\//i],
  reportsCalls: true,
  takesSessionId: false,
  command({ request, model, extraArgs, tmpDirectory, mcp = [] }) {
    const session = request.resume?.session;
    const readable = readableDirectories(request);
    const directories = [...readable, ...writableDirectories(request)].filter(isOneWord);
    return {
      args: [
        ...["--output-format", "stream-json"],
        // It would ask whether to trust the folder, and nobody could answer.
        "--skip-trust",
        ...["--approval-mode", "auto_edit"],
        ...["--allowed-tools", "run_shell_command"],
        ...["--admin-policy", `${tmpDirectory}/${POLICY_NAME}`],
        ...directories.flatMap((directory) => ["--include-directories", directory]),
        ...modelArgs("--model", model),
        ...(session === undefined ? [] : ["--resume", session]),
        ...extraArgs,
      ],
      env: {
        // Otherwise a parent process, which does not pass on signals, starts the real one, and TERM waits for the
        // turn's end.
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
        GEMINI_CLI_SYSTEM_DEFAULTS_PATH: `${tmpDirectory}/${DEFAULTS_NAME}`,
      },
      files: {
        [DEFAULTS_NAME]: JSON.stringify({ ...DEFAULTS, ...serversOf(mcp) }),
        [POLICY_NAME]: mayEdit(request) ? readable.map(notBelow).join("\n") : EDITS_NOTHING,
      },
    };
  },
  interactive: (prompt, { resume, model }) => [
    ...modelArgs("--model", model),
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...(prompt === "" ? [] : ["--prompt-interactive", prompt]),
  ],
};

/** It exits with the status of a failed request, modulo 256 (0.61.0). */
const STATUSES: Readonly<Record<number, number>> = { 145: 401, 173: 429, 247: 503 };

const DEFAULTS_NAME = "gemini-defaults.json";

/** `trust`: by listing the servers in the settings, the user has approved their tools. */
function serversOf(mcp: readonly McpServer[]): Readonly<Record<string, unknown>> {
  return mcp.length === 0 ? {} : mcpServersJson(mcp, { trust: true });
}

/** A file of defaults that the user could change is none to it: it wants root's. */
const SKIPPED = /Skipping system defaults file/u;

function geminiBrokenServers(stderr: string, names: readonly string[]): readonly BrokenServer[] {
  if (!SKIPPED.test(stderr)) return [];
  const reason =
    "gemini takes servers only from its own settings; add it to ~/.gemini/settings.json";
  return names.map((name) => ({ name, reason }));
}

/**
 * Rules in addition to the user's, which they do not replace. They only deny, so they override none of the user's
 * denials. If the machine has such an admin policy of its own, gemini ignores this one.
 */
const POLICY_NAME = "gemini-policy.toml";

const DENIED = 'decision = "deny"\npriority = 900\n';
const EDITS_NOTHING = `[[rule]]\ntoolName = ["write_file", "replace", "web_fetch"]\n${DENIED}`;

/** Forbids edits in directories that are only named for reading, where gemini would otherwise allow them. */
function notBelow(directory: string): string {
  const path = JSON.stringify(`${directory}/`).slice(1, -1);
  const pattern = `"file_path":"${path.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)}`;
  return `[[rule]]\ntoolName = ["write_file", "replace"]\nargsPattern = ${JSON.stringify(pattern)}\n${DENIED}`;
}

/** gemini splits directory lists at commas, and does not start if a directory is missing. */
function isOneWord(directory: string): boolean {
  return !directory.includes(",");
}

/** Switches without a variable of their own; the user's settings override them. */
const DEFAULTS = {
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};
