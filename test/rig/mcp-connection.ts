import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WISP, type ProcessSession } from "./process-session.ts";

const TIMEOUT_MS = 120_000;

/** A client that is connected to a `wisp mcp` of its own. */
export interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly call: (name: string, args?: object, onprogress?: () => void) => Promise<Called>;
}

/** What came of a tool. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly data: unknown;
}

/** Starts the server in the repository of a session, and connects to it. */
export async function connect({ repository, env }: ProcessSession): Promise<Connection> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) set[name] = value;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [WISP, "mcp"],
    cwd: repository,
    env: set,
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    call: async (name, args = {}, onprogress) => {
      const called = await client.callTool(
        { name, arguments: { ...args } },
        { timeout: TIMEOUT_MS, ...(onprogress === undefined ? {} : { onprogress }) },
      );
      const [first] = called.content;
      const text = first?.type === "text" ? first.text : "";
      return { isError: called.isError === true, text, data: called.structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The `diffId` in an answer; "" where there is none. */
export function diffIdOf({ data }: Called): string {
  const isView = typeof data === "object" && data !== null && "diffId" in data;
  return isView && typeof data.diffId === "string" ? data.diffId : "";
}
