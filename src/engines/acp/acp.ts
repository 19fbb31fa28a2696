import { acpEvents } from "./acp-events.ts";
import type { AcpServers, AcpTask } from "./acp-line.ts";
import type { McpServer } from "../mcp/mcp-server.ts";
import {
  mayEdit,
  readableDirectories,
  writableDirectories,
  type CliProfile,
} from "../cli-profile.ts";

export interface AcpOptions {
  /** The arguments that follow the executable in the command line of `wisp acp-turn`. */
  readonly turnArgs: readonly string[];
  /** The agent's command line; a path in its first word must be absolute. */
  readonly agent: readonly [string, ...string[]];
  /** The mode of its sessions, as the user names it. */
  readonly mode?: string | undefined;
}

/**
 * Any agent that speaks the Agent Client Protocol. Permission requests are answered by the kind of the call
 * and by what it touches (`acp-permission.ts`); a question to the user becomes a question of the session.
 */
export function acpProfile({ turnArgs, agent, mode }: AcpOptions): CliProfile {
  return {
    name: "acp",
    login: "log in with the agent's own CLI",
    // Only the settings know which keys an agent needs: `roles.<role>.env`.
    variables: [],
    parse: acpEvents,
    usageSteps: "last",
    // One process is one turn, and each agent that was measured counts what its process used.
    tokensBasis: "run",
    costBasis: () => "session",
    permissions: {
      edits: "running; reading, searching and editing in the clone, reading what the turn names",
      reads: "running; reading and searching in the clone and what the turn names; no edits",
    },
    // The protocol lets each agent decide what it reports.
    reportsCalls: false,
    // Some end a refused turn with `end_turn`: codex-acp at a limit, copilot also with a refused key.
    answersWithRefusals: true,
    takesSessionId: false,
    command({ request, model, tmpDirectory, mcp = [] }) {
      const task: AcpTask = {
        argv: [...agent],
        resume: request.resume?.session,
        mode,
        model,
        edits: mayEdit(request),
        directories: [tmpDirectory, ...writableDirectories(request)],
        readable: [...readableDirectories(request)],
        mcpFile: mcp.length === 0 ? undefined : `${tmpDirectory}/${MCP_NAME}`,
      };
      return {
        args: [...turnArgs, JSON.stringify(task)],
        env: {},
        files: mcp.length === 0 ? {} : { [MCP_NAME]: JSON.stringify(mcp.map(serverOf)) },
      };
    },
    interactive: () => [],
  };
}

const MCP_NAME = "acp-mcp.json";

function serverOf({ name, command, args, env }: McpServer): AcpServers[number] {
  const variables = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
  return { name, command, args: [...args], env: variables };
}
