import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { present } from "../../src/base/assert.ts";
import { textAt } from "../../src/engines/events/json-value.ts";

/** What a scripted model does with one request. */
export interface Step {
  readonly text?: string;
  /** Calls of tools, by the names that the CLI gives them. */
  readonly tools?: readonly ToolCall[];
  /** An HTTP error. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly type?: string;
  /** Further fields of the error, such as when a limit ends. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The answer begins, and then the connection is cut. */
  readonly isCut?: boolean;
  /** No answer at all. */
  readonly hangs?: boolean;
}

/** A call of a tool. */
export interface ToolCall {
  readonly name: string;
  /** What codex groups the tools of an MCP server by. */
  readonly namespace?: string;
  readonly input: unknown;
}

/** The conversation so far in a request: prompts, and the results of tools. */
export interface Said {
  readonly by: "person" | "tool";
  readonly text: string;
}

/** Steps in order, the last of which repeats; or a function that answers by the conversation, possibly later. */
export type Script = readonly Step[] | ((said: readonly Said[]) => Step | Promise<Step>);

/** A request as it was received. */
export interface Asked {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
  /** Whether it uses a step of the script; others, such as those for a title, are answered separately. */
  readonly isMain: boolean;
}

/** The API of one provider. */
export interface Dialect {
  /** `undefined` if it is not a request to a model. */
  readonly kindOf: (path: string, body: unknown) => "main" | "side" | undefined;
  /** Writes the whole answer of a step, or only its beginning if the step cuts it. */
  readonly answer: (response: ServerResponse, step: Step, at: Turn) => void;
  /** The body of an error. */
  readonly refusal: (step: Step) => unknown;
  readonly said: (body: unknown) => readonly Said[];
  /** Answers other requests: the list of models, a count of tokens. */
  readonly other: (path: string) => unknown;
}

export interface Turn {
  /** Number of the request, from 1. */
  readonly number: number;
  readonly path: string;
  readonly body: unknown;
}

/** A CLI that asks more often goes round in circles: it is refused, so that its turn ends. */
const ASKED_MAX = 2_000;

/** A model that follows a script. Loopback only. */
export class ModelServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #dialect: Dialect;
  #script: Script;
  #watchers: (() => void)[] = [];

  private constructor(dialect: Dialect, script: Script) {
    this.#dialect = dialect;
    this.#script = script;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  static async start(dialect: Dialect, script: Script): Promise<ModelServer> {
    const model = new ModelServer(dialect, script);
    await new Promise<void>((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return `http://127.0.0.1:${present(port, "the server listens")}`;
  }

  /** Sets the next steps, for another turn of the same session. */
  script(script: Script): void {
    this.#script = script;
  }

  /** Resolves when the model has received this many requests. */
  async wasAsked(count: number): Promise<void> {
    while (this.asked.filter(({ isMain }) => isMain).length < count) {
      await new Promise<void>((resolve) => {
        this.#watchers.push(resolve);
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const body = jsonOf(text);
    const path = (request.url ?? "").replace(/\?.*$/u, "");
    const kind = request.method === "POST" ? this.#dialect.kindOf(path, body) : undefined;
    if (kind === undefined) {
      const other = this.#dialect.other(path);
      send(response, { status: other === undefined ? 404 : 200, body: other ?? {} });
      return;
    }
    this.asked.push({ path, body: text, headers: request.headers, isMain: kind === "main" });
    const step = kind === "side" ? { text: "A title" } : await this.#stepFor(body);
    this.#watchers.splice(0).forEach((resolve) => {
      resolve();
    });
    this.#answer(response, step, { number: this.asked.length, path, body });
  }

  /** If a script throws, the server answers with an error, so that the test fails at once with its message. */
  async #stepFor(body: unknown): Promise<Step> {
    try {
      if (this.asked.length > ASKED_MAX) throw new Error("the model was asked too often");
      return await this.#next(body);
    } catch (error) {
      return { status: 400, type: "invalid_request_error", message: String(error) };
    }
  }

  #next(body: unknown): Step | Promise<Step> {
    if (typeof this.#script === "function") return this.#script(this.#dialect.said(body));
    const [step, ...rest] = this.#script;
    if (rest.length > 0) this.#script = rest;
    return present(step, "a script has a step");
  }

  #answer(response: ServerResponse, step: Step, turn: Turn): void {
    if (step.hangs === true) return;
    if (step.status !== undefined) {
      const { status, headers = {} } = step;
      send(response, { status, headers, body: this.#dialect.refusal(step) });
      return;
    }
    this.#dialect.answer(response, step, turn);
    if (step.isCut === true) response.destroy();
    else response.end();
  }
}

/** One server-sent event. */
export function sendEvent(response: ServerResponse, data: unknown, event?: string): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  const head = event === undefined ? "" : `event: ${event}\n`;
  response.write(`${head}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

function send(
  response: ServerResponse,
  {
    status,
    headers = {},
    body,
  }: { status: number; headers?: Readonly<Record<string, string>>; body: unknown },
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** A text, or the texts of a list of parts, as one. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content.flatMap((part) => textAt(part, "text") ?? []).join("\n")
    : "";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
