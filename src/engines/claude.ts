import type { UsageBasis } from "../fs-protocol/turn-usage.ts";
import { claudeEvents } from "./claude-events.ts";
import { mayEdit, modelArgs, writableDirectories, type CliProfile } from "./cli-profile.ts";

/**
 * Claude Code. Permissions: `acceptEdits` lets it edit in the clone, `Bash` as an allowed tool lets it
 * run and commit; anything else that would ask is refused and told (`permission_denials`). That is
 * enough, so `--dangerously-skip-permissions`, which root is refused, is not used.
 */
export const claude: CliProfile = {
  name: "claude",
  executable: "claude",
  install: "npm install --global @anthropic-ai/claude-code",
  login: "claude, then /login (or set ANTHROPIC_API_KEY)",
  variables: ["ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_*"],
  parse: claudeEvents,
  usageSteps: "last",
  tokensBasis: "run",
  costBasis,
  permissions: {
    edits: "permission mode acceptEdits, and the tool Bash",
    reads: "the tool Bash, and no tool that edits",
  },
  takesSessionId: true,
  resume: "any-directory",
  command({ request, model, extraArgs, sessionId, schema }) {
    const session = request.resume?.session;
    const edits = mayEdit(request)
      ? ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]
      : ["--allowedTools", "Bash", "--disallowedTools", "Edit,Write,NotebookEdit"];
    const directories = writableDirectories(request);
    return {
      args: [
        "--print",
        ...["--output-format", "stream-json", "--verbose"],
        ...edits,
        ...(directories.length === 0 ? [] : ["--add-dir", ...directories]),
        ...modelArgs("--model", model),
        // It calls a tool for it, whose input is the result then; asked for again once where it did not.
        ...(schema === undefined ? [] : ["--json-schema", schema]),
        ...(session === undefined ? ["--session-id", sessionId] : ["--resume", session]),
        ...extraArgs,
      ],
      env: {
        // Telemetry, error reports, updates, and what else looks up a host of the vendor.
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // The default of 10 retries a refused key for minutes.
        CLAUDE_CODE_MAX_RETRIES: "4",
      },
    };
  },
  interactive: (prompt, { resume, model }) => [
    ...modelArgs("--model", model),
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...["--", prompt],
  ],
};

/** Measured: the cost of a resumed session is that of the run in 2.1.197, and of all runs in 2.1.329. */
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
