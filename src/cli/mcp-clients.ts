import { join } from "node:path";
import { z } from "zod";
import { fail, ok, type Result } from "../base/result.ts";

/** Coding CLIs that speak to MCP servers. */
export type McpClient = "claude" | "codex" | "copilot" | "gemini" | "opencode";

export interface ClientPlaces {
  readonly home: string;
  readonly repository: string;
  /** Where codex keeps its files, if not in the home directory. */
  readonly codexHome: string | undefined;
}

/** Why a configuration is left as it is. */
export type MergeRefusal =
  /** It is not what the client reads. */
  | "unreadable"
  /** It has another server of that name. */
  | "taken";

/** How one client is told of a server. */
export interface ClientConfig {
  readonly path: (places: ClientPlaces) => string;
  /**
   * The file with the server in it, everything else as it was; the same text where it is there already.
   *
   * @param before its text, or undefined where there is no file
   */
  readonly merge: (
    before: string | undefined,
    command: readonly [string, ...string[]],
  ) => Result<string, MergeRefusal>;
}

const NAME = "wisp";

/** Files that belong to the project come first: a server is about the repository that it is started in. */
export const MCP_CLIENTS: Readonly<Record<McpClient, ClientConfig>> = {
  claude: {
    path: ({ repository }) => join(repository, ".mcp.json"),
    merge: jsonMerge("mcpServers", ([command, ...args]) => ({ command, args })),
  },
  codex: {
    path: ({ home, codexHome }) => join(codexHome ?? join(home, ".codex"), "config.toml"),
    merge: tomlMerge,
  },
  copilot: {
    path: ({ home }) => join(home, ".copilot", "mcp-config.json"),
    merge: jsonMerge("mcpServers", ([command, ...args]) => ({
      ...{ type: "local", command, args },
      tools: ["*"],
    })),
  },
  gemini: {
    path: ({ repository }) => join(repository, ".gemini", "settings.json"),
    merge: jsonMerge("mcpServers", ([command, ...args]) => ({ command, args })),
  },
  opencode: {
    path: ({ repository }) => join(repository, "opencode.json"),
    merge: jsonMerge("mcp", (command) => ({ type: "local", command, enabled: true })),
  },
};

const JsonObject = z.record(z.string(), z.unknown());

function jsonMerge(
  key: string,
  entryOf: (command: readonly [string, ...string[]]) => object,
): ClientConfig["merge"] {
  return (before = "{}", command) => {
    const config = JsonObject.safeParse(jsonOf(before));
    const servers = JsonObject.safeParse(config.data?.[key] ?? {});
    if (!config.success || !servers.success) return fail("unreadable");
    const entry = entryOf(command);
    const there = servers.data[NAME];
    if (there !== undefined) {
      return JSON.stringify(there) === JSON.stringify(entry) ? ok(before) : fail("taken");
    }
    const merged = { ...config.data, [key]: { ...servers.data, [NAME]: entry } };
    return ok(`${JSON.stringify(merged, undefined, indentOf(before))}\n`);
  };
}

/** A table at the end of the file changes nothing of what stands before it. */
function tomlMerge(
  before = "",
  [command, ...args]: readonly [string, ...string[]],
): Result<string, MergeRefusal> {
  // What TOML and JSON write alike: both escape by backslashes between double quotes.
  const text = (word: string) => JSON.stringify(word);
  const lines = [`command = ${text(command)}`, `args = [${args.map(text).join(", ")}]`];
  const table = `[mcp_servers.${NAME}]\n${lines.join("\n")}\n`;
  if (`\n${before}`.includes(`\n${table}`)) return ok(before);
  const isTaken = /^[ \t]*\[?\s*"?mcp_servers"?\s*(?:\.\s*"?wisp"?\s*(?:[\].=])|=)/mu.test(before);
  if (isTaken || /^[ \t]*\[\s*"?mcp_servers"?\s*\][^[]*^[ \t]*"?wisp"?\s*[.=]/mu.test(before)) {
    return fail("taken");
  }
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  return ok(`${before}${gap}${table}`);
}

/** As the file is written now, so that its other lines stay the same. */
function indentOf(text: string): string {
  return /^([ \t]+)"/mu.exec(text)?.[1] ?? "  ";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
