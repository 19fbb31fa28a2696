import { join } from "node:path";
import { geminiEvents } from "./gemini-events.ts";
import { mcpServersJson, type McpServer } from "../mcp/mcp-server.ts";
import { mayEdit, modelArgs, readableDirectories, writableDirectories } from "../cli-profile.ts";
import type { CodingCli } from "../coding-cli.ts";

/**
 * Gemini CLI. Permissions: `auto_edit` lets it edit in the clone and the directories named, the shell
 * is an allowed tool; `--yolo`, which allows all tools, is not needed. A reviewer has that mode, too, because in
 * the default one a shell command is refused that redirects anything (`2>&1`); a rule takes its editing tools.
 * It resumes in the same directory only.
 */
export const gemini: CodingCli = {
  name: "gemini",
  executable: "gemini",
  install: "npm install --global @google/gemini-cli",
  login: "gemini, then choose how to log in (or set GEMINI_API_KEY)",
  variables: ["GEMINI_*", "GOOGLE_*"],
  parse: geminiEvents,
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
        // It asks whether a folder is trusted, and nobody answers.
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
        // Else a parent that does not pass signals on starts the real one, and TERM waits for the turn's end.
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

const DEFAULTS_NAME = "gemini-defaults.json";

/** `trust`: who listed them in the settings has said yes to their tools. */
function serversOf(mcp: readonly McpServer[]): Readonly<Record<string, unknown>> {
  return mcp.length === 0 ? {} : mcpServersJson(mcp, { trust: true });
}

/**
 * Rules beside those of the person, which they do not replace; they only deny, so that none of theirs is overruled.
 * Where the machine has such rules of its own, gemini leaves these out.
 */
const POLICY_NAME = "gemini-policy.toml";

const DENIED = 'decision = "deny"\npriority = 900\n';
const EDITS_NOTHING = `[[rule]]\ntoolName = ["write_file", "replace", "web_fetch"]\n${DENIED}`;

/** Directories that are named for reading could else be edited. */
function notBelow(directory: string): string {
  const path = JSON.stringify(`${directory}/`).slice(1, -1);
  const pattern = `"file_path":"${path.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)}`;
  return `[[rule]]\ntoolName = ["write_file", "replace"]\nargsPattern = ${JSON.stringify(pattern)}\n${DENIED}`;
}

/** It takes a comma for the end of a directory's name, and does not start where there is none of that name. */
function isOneWord(directory: string): boolean {
  return !directory.includes(",");
}

/** Switches that have no variable of their own; the user's settings go before. */
const DEFAULTS = {
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};
