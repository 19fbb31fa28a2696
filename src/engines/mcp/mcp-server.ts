import type { Role } from "../../base/role.ts";

/** An MCP server as listed in the settings. */
export interface McpSetting {
  readonly name: string;
  readonly command: readonly string[];
  /** The names of variables that it gets. */
  readonly env: readonly string[];
  /** The roles whose engines may use it; all if absent. */
  readonly roles?: readonly Role[] | undefined;
}

/** An MCP server for an engine, which starts it and talks to it through its standard streams. */
export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether an engine that can is to wait until it is there, and not to start without it. */
  readonly isAwaited?: boolean | undefined;
}

/** The servers for a turn of a role, with the variables that they get. */
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

/** The form that most CLIs use in their settings files. */
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
