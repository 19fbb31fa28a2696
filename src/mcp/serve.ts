import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { MCP_MESSAGE_BYTES_MAX } from "../base/limits.ts";
import type { Actions } from "./actions.ts";
import { boundedLines, type CutLines } from "./bounded-lines.ts";
import { addResources } from "./resources.ts";
import { addTools } from "./tools.ts";

const INSTRUCTIONS =
  "wisp turns a written request into a reviewed, tested branch. start_session, then work_status with waitSeconds " +
  "until PENDING_REVIEW, then review_changes; request_revision until it is right, then approve_changes. " +
  "answer_question when work_status shows a question, resume_session when the work has paused, abandon_revision for a revision " +
  "that leads nowhere. abandon_revision and reject_changes are permanent.";

export interface ServeOptions {
  readonly version: string;
  /** Reports protocol errors; never on standard output. */
  readonly onError: (message: string) => void;
  /** Standard input and output; input is filtered. */
  readonly open: (cut: CutLines) => {
    readonly input: ConstructorParameters<typeof StdioServerTransport>[0];
    readonly print: (line: string) => void;
    readonly end: () => void;
  };
}

/** Serves the protocol on standard input and output until the client disconnects. */
export async function serve(
  actions: Actions,
  { version, onError, open }: ServeOptions,
): Promise<void> {
  const cut = boundedLines(MCP_MESSAGE_BYTES_MAX, (answer) => {
    onError("a message was too long and was skipped");
    standard.print(JSON.stringify(answer));
  });
  const standard = open(cut);
  // Exceeding the library's own limit ends the connection; what reaches it is within ours, plus the
  // newline.
  const limits = { maxBufferSize: MCP_MESSAGE_BYTES_MAX + 1 };
  const transport = new StdioServerTransport(standard.input, undefined, limits);
  const handle = serveStdio(() => server(actions, version), {
    transport,
    onerror: ({ message }) => {
      onError(message);
    },
  });
  // The library listens for the end of input itself; this listener runs after it.
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  standard.end();
  await handle.close();
}

function server(actions: Actions, version: string): McpServer {
  const made = new McpServer({ name: "wisp", version }, { instructions: INSTRUCTIONS });
  addTools(made, actions);
  addResources(made, actions);
  return made;
}
