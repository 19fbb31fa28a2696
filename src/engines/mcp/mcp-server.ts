import type { Role } from "../../base/role.ts";

/** An MCP server as the settings name it. */
export interface McpSetting {
  readonly name: string;
  readonly command: readonly string[];
  /** Names of variables that it is given. */
  readonly env: readonly string[];
  /** Whose engines it is offered to; absent: all. */
  readonly roles?: readonly Role[] | undefined;
}

/** An MCP server as an engine is told of it: the engine starts it, and speaks to it by its standard streams. */
export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The servers of a role's turn, with the variables that they are given. */
export function serversFor(
  settings: readonly McpSetting[],
  role: Role,
  environment: Readonly<Record<string, string>>,
): readonly McpServer[] {
  const offered = settings.filter(({ roles }) => roles === undefined || roles.includes(role));
  return offered.map(({ name, command: [command = "", ...args], env }) => {
    const set = env.flatMap((variable) => {
      const value = environment[variable];
      return value === undefined ? [] : [[variable, value] as const];
    });
    return { name, command, args, env: Object.fromEntries(set) };
  });
}

/** As most CLIs have them in their files of settings. */
export function mcpServersJson(
  servers: readonly McpServer[],
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const entries = servers.map(({ name, command, args, env }) => [
    name,
    { ...more, command, args, env },
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}
