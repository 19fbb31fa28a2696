import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { z } from "zod";
import { present } from "../../src/base/assert.ts";

const Body = z.array(z.unknown());

/** What takes spans, as a collector does. Loopback only. */
export class SpanCollector implements AsyncDisposable {
  /** Bodies that are lists, and all bodies as they came. */
  readonly bodies: unknown[][] = [];
  readonly texts: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Statuses of the next answers; after them, and with none, everything is taken. */
  answers: number[] = [];
  text = "{}";
  location: string | undefined;
  /** Takes requests and does not answer. */
  hangs = false;
  readonly #server: Server;
  #watchers: (() => void)[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      request.on("end", () => {
        this.headers.push(request.headers);
        this.texts.push(text);
        this.bodies.push(Body.safeParse(JSON.parse(text)).data ?? []);
        this.#watchers.splice(0).forEach((resolve) => {
          resolve();
        });
        if (this.hangs) return;
        const status = this.answers.shift() ?? 200;
        const location = this.location === undefined ? {} : { location: this.location };
        response.writeHead(status, { ...location, "content-length": this.text.length });
        response.end(this.text);
      });
    });
  }

  static async start(): Promise<SpanCollector> {
    const collector = new SpanCollector();
    await new Promise<void>((resolve) => collector.#server.listen(0, "127.0.0.1", resolve));
    return collector;
  }

  /** Its address, without a path. */
  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return `http://127.0.0.1:${String(present(port, "the server listens"))}`;
  }

  /** Resolves when this many requests have come. */
  async wasAsked(count: number): Promise<void> {
    while (this.texts.length < count) {
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
}
