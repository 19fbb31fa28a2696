import { geminiEvents } from "./gemini-events.ts";
import { mcpServersJson, type McpServer } from "./mcp-server.ts";
import { mayEdit, modelArgs, writableDirectories, type CliProfile } from "./cli-profile.ts";

/**
 * Gemini CLI. Permissions: `auto_edit` lets it edit in the clone and the directories named, the shell
 * is an allowed tool; `--yolo`, which allows all tools, is not needed. It resumes in the same directory
 * only.
 */
export const gemini: CliProfile = {
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
    reads: "approval mode default, and the shell",
  },
  reportsCalls: true,
  takesSessionId: false,
  resume: "same-directory",
  command({ request, model, extraArgs, tmpDirectory, mcp = [] }) {
    const session = request.resume?.session;
    const directories = writableDirectories(request);
    return {
      args: [
        ...["--output-format", "stream-json"],
        // It asks whether a folder is trusted, and nobody answers.
        "--skip-trust",
        ...["--approval-mode", mayEdit(request) ? "auto_edit" : "default"],
        ...["--allowed-tools", "run_shell_command"],
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
      files: { [DEFAULTS_NAME]: JSON.stringify({ ...DEFAULTS, ...serversOf(mcp) }) },
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

/** Switches that have no variable of their own; the user's settings go before. */
const DEFAULTS = {
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};
