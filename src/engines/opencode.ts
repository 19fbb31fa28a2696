import { mayEdit, modelArgs, type CliProfile } from "./cli-profile.ts";
import type { McpServer } from "./mcp-server.ts";
import { opencodeEvents } from "./opencode-events.ts";

/**
 * OpenCode. Permissions: a rule for each tool, by environment; what no rule allows is refused, since
 * nobody answers. It may write outside its directory, because the plan is there. Resuming from another
 * directory hangs.
 */
export const opencode: CliProfile = {
  name: "opencode",
  executable: "opencode",
  install: "npm install --global opencode-ai",
  login: "opencode auth login",
  variables: [
    ...["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT"],
    ...["OPENCODE_API_KEY", "OPENCODE_AUTH_CONTENT", "OPENAI_*", "ANTHROPIC_*"],
    ...["GEMINI_API_KEY", "GOOGLE_*", "OPENROUTER_API_KEY", "AWS_*", "AZURE_*"],
  ],
  parse: opencodeEvents,
  usageSteps: "sum",
  tokensBasis: "run",
  costBasis: () => "run",
  permissions: {
    edits: "edit, bash and external_directory allowed, webfetch denied",
    reads: "bash allowed; edit, external_directory and webfetch denied",
  },
  reportsCalls: true,
  takesSessionId: false,
  resume: "same-directory",
  command({ request, model, extraArgs, inherited, mcp = [] }) {
    const session = request.resume?.session;
    const edit = mayEdit(request) ? "allow" : "deny";
    const rules = { edit, bash: "allow", webfetch: "deny", external_directory: edit };
    return {
      args: [
        "run",
        ...["--format", "json"],
        ...modelArgs("--model", model),
        ...(session === undefined ? [] : ["--session", session]),
        ...extraArgs,
      ],
      env: {
        OPENCODE_PERMISSION: JSON.stringify(rules),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_SHARE: "1",
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

/** A configuration that goes before the person's files; one that they give in this way themselves stays. */
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
