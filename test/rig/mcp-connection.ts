import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { WISP, type ProcessSession } from "./process-session.ts";

const TIMEOUT_MS = 120_000;

/** A client that is connected to its own `wisp mcp`. */
export interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly call: (name: string, args?: object, onprogress?: () => void) => Promise<Called>;
}

/** The result of a tool. */
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

/** The `diffId` in an answer; "" if there is none. */
export function diffIdOf({ data }: Called): string {
  const isView = typeof data === "object" && data !== null && "diffId" in data;
  return isView && typeof data.diffId === "string" ? data.diffId : "";
}

/** A server that receives raw bytes, as from any client. */
export interface RawConnection {
  /** What it has answered so far, as lines. */
  readonly lines: () => readonly string[];
  readonly write: (text: string) => void;
  readonly send: (message: object) => void;
  /** Waits until a message with this id is answered; returns the line. */
  readonly answerTo: (id: number) => Promise<string>;
  /** Ends its input with these bytes, and waits for its end; returns its exit code. */
  readonly end: (text?: string) => Promise<number | null>;
}

/** The first message of a client. */
export const INITIALIZE = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
} as const;

/** Requests the list of tools, which every server has. */
export const LIST_TOOLS = { jsonrpc: "2.0", id: 7, method: "tools/list", params: {} } as const;

/** Starts the server in the repository of a session, and sends nothing to it. */
export function connectRaw(session: ProcessSession): RawConnection {
  const { repository: cwd, env } = session;
  const child = spawn(process.execPath, [WISP, "mcp"], { cwd, env });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const lines = () => out.split("\n").filter((line) => line !== "");
  const write = (text: string) => void child.stdin.write(text);
  const lineOf = (id: number) => lines().find((line) => line.includes(`"id":${String(id)}`));
  return {
    lines,
    write,
    send: (message) => {
      write(`${JSON.stringify(message)}\n`);
    },
    async answerTo(id) {
      await session.until("the answer", () => lineOf(id) !== undefined);
      return lineOf(id) ?? "";
    },
    async end(text = "") {
      child.stdin.end(text);
      await once(child, "exit");
      return child.exitCode;
    },
  };
}
