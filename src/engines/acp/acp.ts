import { acpEvents } from "./acp-events.ts";
import type { AcpServers, AcpTask } from "./acp-line.ts";
import type { McpServer } from "../mcp/mcp-server.ts";
import { mayEdit, writableDirectories, type CliProfile } from "../cli-profile.ts";

export interface AcpOptions {
  /** The command line of `wisp acp-turn`, after its executable. */
  readonly turnArgs: readonly string[];
  /** The agent's command line; a path in its first word is absolute. */
  readonly agent: readonly [string, ...string[]];
}

/**
 * Any agent that speaks the Agent Client Protocol. Each permission that it asks for is answered by the
 * kind of the call (`acp-permission.ts`); what it asks a person becomes a question of the session. The
 * protocol has no choice of a model that all agents share.
 */
export function acpProfile({ turnArgs, agent }: AcpOptions): CliProfile {
  return {
    name: "acp",
    login: "log in with the agent's own CLI",
    // Which keys an agent needs is known to the settings alone: `roles.<role>.env`.
    variables: [],
    parse: acpEvents,
    usageSteps: "last",
    tokensBasis: "session",
    costBasis: () => "unknown",
    permissions: {
      edits: "reading, searching and running; editing in the clone",
      reads: "reading, searching and running; no edits",
    },
    // The protocol leaves it to the agent what it tells.
    reportsCalls: false,
    takesSessionId: false,
    command({ request, tmpDirectory, mcp = [] }) {
      const task: AcpTask = {
        argv: [...agent],
        resume: request.resume?.session,
        edits: mayEdit(request),
        directories: [...writableDirectories(request)],
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
