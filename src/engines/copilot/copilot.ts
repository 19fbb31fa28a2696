import { join } from "node:path";
import { mayEdit, modelArgs, readableDirectories, writableDirectories } from "../cli-profile.ts";
import type { CodingCli } from "../coding-cli.ts";
import { copilotEvents } from "./copilot-events.ts";
import { mcpServersJson } from "../mcp/mcp-server.ts";

/**
 * GitHub Copilot CLI. Permissions: the tools shell and write, rather than `--allow-all-tools`. With the user's own
 * provider (`COPILOT_PROVIDER_BASE_URL`) it needs no login, and runs offline.
 */
export const copilot: CodingCli = {
  name: "copilot",
  executable: "copilot",
  install: "npm install --global @github/copilot",
  login: "copilot, then /login (or set GH_TOKEN)",
  keys: ["GH_TOKEN", "GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
  variables: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"],
  parse: copilotEvents,
  usageSteps: "last",
  tokensBasis: "unknown",
  costBasis: () => "unknown",
  permissions: {
    edits: "the tools shell and write",
    reads: "the tool shell",
  },
  needs: {
    folders: [".copilot"],
    files: [],
    folderVariables: [],
    fileVariables: [],
    // Editors keep their login here.
    secrets: [".config/github-copilot"],
    programs: [],
    caches: [".cache/copilot"],
    hosts: ["*.githubcopilot.com"],
  },
  mcpClient: {
    path: ({ home }) => join(home, ".copilot", "mcp-config.json"),
    format: "json",
    key: "mcpServers",
    entry: ([command, ...args]) => ({ type: "local", command, args, tools: ["*"] }),
  },
  instructions: [
    /(?:^|\/)\.copilot\//i,
    /^\.github\/(?:copilot[^/]*\.md$|(?:instructions|prompts|agents|chatmodes|copilot)\/)/i,
  ],
  reportsCalls: true,
  takesSessionId: true,
  command({ request, model, extraArgs, sessionId, inherited, tmpDirectory, mcp = [] }) {
    const session = request.resume?.session;
    const directories = [...readableDirectories(request), ...writableDirectories(request)];
    return {
      args: [
        ...["--output-format", "json", "--no-color"],
        ...["--allow-tool", "shell"],
        ...(mayEdit(request) ? ["--allow-tool", "write"] : []),
        ...mcp.flatMap(({ name }) => ["--allow-tool", name]),
        ...(mcp.length === 0 ? [] : ["--additional-mcp-config", `@${tmpDirectory}/${MCP_NAME}`]),
        ...directories.flatMap((directory) => ["--add-dir", directory]),
        ...modelArgs("--model", model),
        ...(session === undefined ? ["--session-id", sessionId] : [`--resume=${session}`]),
        ...extraArgs,
      ],
      env: {
        COPILOT_AUTO_UPDATE: "false",
        ...(inherited["COPILOT_PROVIDER_BASE_URL"] === undefined
          ? {}
          : { COPILOT_OFFLINE: "true" }),
      },
      files:
        mcp.length === 0
          ? {}
          : { [MCP_NAME]: JSON.stringify(mcpServersJson(mcp, { type: "local", tools: ["*"] })) },
    };
  },
  interactive: (prompt, { resume, begin, model }) => [
    ...modelArgs("--model", model),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(resume !== undefined || begin === undefined ? [] : ["--session-id", begin]),
    ...(prompt === "" ? [] : ["--interactive", prompt]),
  ],
};

const MCP_NAME = "copilot-mcp.json";
