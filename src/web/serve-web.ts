import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { firstValueFrom, fromEvent, map, merge, race, timer } from "rxjs";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import {
  WEB_BODY_BYTES_MAX,
  WEB_CONNECTIONS_MAX,
  WEB_END_MS_MAX,
  WEB_HEADERS_BYTES_MAX,
  WEB_REQUEST_MS_MAX,
} from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { errnoWords } from "../base/words/errno-words.ts";
import { livePage, type LivePage } from "../views/live/live-page.ts";
import type { World } from "../workspace/world.ts";
import { routeOf, type WebRequest } from "./web-route.ts";
import { Audience } from "./audience.ts";
import { LinkEntry } from "./link-entry.ts";
import { EventClient } from "./event-client.ts";
import { LiveSessions } from "./live-sessions.ts";

const ADDRESS = "127.0.0.1";
/** How long a connection may wait for its next request. */
const IDLE_MS_MAX = 5_000;

/** The port cannot be listened at. */
export const PortTaken = refusal(
  "port-taken",
  EXIT.failure,
  ({ port, errno }: { readonly port: number; readonly errno: string }) => [
    `wisp cannot listen at port ${String(port)} of ${ADDRESS}: ${errnoWords(errno)}.`,
    "Choose another port, or none: then a free one is taken.",
    "wisp watch --web",
  ],
);

/** What is served, and until when. */
export interface WebOptions {
  /** 0: any free one. */
  readonly port: number;
  /** The session that a page shows first; the newest one by default. */
  readonly session: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called once, with the link that lets one browser in. */
  readonly onOpen: (link: string) => void;
}

/**
 * Serves the reports of a repository's sessions, live, to one browser of this machine. Nothing that is sent to it
 * changes anything, and it writes no file.
 */
export async function serveWeb(
  world: World,
  { port, session, signal, onOpen }: WebOptions,
): Promise<Result<void, ReturnType<typeof PortTaken>>> {
  const server = createServer({
    maxHeaderSize: WEB_HEADERS_BYTES_MAX,
    headersTimeout: WEB_REQUEST_MS_MAX,
    requestTimeout: WEB_REQUEST_MS_MAX,
    connectionsCheckingInterval: WEB_REQUEST_MS_MAX,
    keepAliveTimeout: IDLE_MS_MAX,
  });
  server.maxConnections = WEB_CONNECTIONS_MAX;
  const failed$ = fromEvent(server, "error", errnoOf);
  const listening$ = fromEvent(server, "listening").pipe(map(() => undefined));
  const begun = firstValueFrom(race(listening$, failed$), { defaultValue: "EIO" });
  server.listen({ host: ADDRESS, port, exclusive: true });
  const errno = await begun;
  if (errno !== undefined) return fail(PortTaken({ port, errno }));
  const own = portOf(server.address());
  const entry = new LinkEntry(own);
  const audience = new Audience();
  const site = new Site(`${ADDRESS}:${own}`, entry, audience);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    site.answer(request, response);
  });
  onOpen(`http://${ADDRESS}:${own}/#${entry.token}`);
  await new LiveSessions(world, audience, session).run(fromEvent(signal, "abort"));
  const closed = firstValueFrom(merge(fromEvent(server, "close"), timer(WEB_END_MS_MAX)), {
    defaultValue: undefined,
  });
  audience.end();
  server.close();
  server.closeIdleConnections();
  await closed;
  server.closeAllConnections();
  return ok(undefined);
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function errnoOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "EIO";
}

/** Whatever is answered: it is kept nowhere, guessed at by nobody, and shown inside no other page. */
const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'";
const TEXT = "text/plain; charset=utf-8";

/** Answers requests. */
class Site {
  readonly #host: string;
  readonly #entry: LinkEntry;
  readonly #audience: Audience;
  #page: LivePage | undefined;

  constructor(host: string, entry: LinkEntry, audience: Audience) {
    this.#host = host;
    this.#entry = entry;
    this.#audience = audience;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    // A connection that breaks has no other listener.
    response.on("error", () => undefined);
    const route = routeOf(askedBy(request), this.#host);
    if (route === undefined) refuse(response, 403);
    else if (route.kind === "page") this.#sendPage(response);
    else if (route.kind === "enter") this.#enter(request, response);
    else if (!this.#entry.admits(request.headers.cookie ?? "", route.key)) refuse(response, 403);
    else if (this.#audience.isFull) refuse(response, 503);
    else this.#follow(response, route.session);
  }

  #sendPage(response: ServerResponse): void {
    this.#page ??= livePage();
    const { html, policy } = this.#page;
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    response.writeHead(200, { ...HEADERS, ...headers, "Content-Security-Policy": policy });
    response.end(html);
  }

  #enter(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    let sizeBytes = 0;
    request.on("data", (part: Buffer) => {
      sizeBytes += part.length;
      if (sizeBytes <= WEB_BODY_BYTES_MAX) parts.push(part);
      else if (!response.headersSent) refuse(response, 413);
    });
    request.on("end", () => {
      if (response.headersSent) return;
      const admission = this.#entry.exchange(Buffer.concat(parts).toString("utf8"));
      if (admission === undefined) {
        refuse(response, 403);
        return;
      }
      const headers = { "Content-Type": TEXT, "Set-Cookie": admission.cookie };
      response.writeHead(200, { ...HEADERS, ...headers, "Content-Security-Policy": NOTHING_RUNS });
      response.end(admission.key);
    });
  }

  #follow(response: ServerResponse, session: string | undefined): void {
    const headers = { "Content-Type": "text/event-stream; charset=utf-8" };
    response.writeHead(200, { ...HEADERS, ...headers, "Content-Security-Policy": NOTHING_RUNS });
    response.write(RETRY);
    const client = new EventClient(response, session);
    response.on("close", () => this.#audience.remove(client));
    this.#audience.add(client);
  }
}

/** How long a browser waits before it connects again. */
const RETRY = "retry: 1000\n\n";

function askedBy({ method = "", url = "", headersDistinct }: IncomingMessage): WebRequest {
  return {
    method,
    target: url,
    hosts: headersDistinct["host"] ?? [],
    origins: headersDistinct["origin"] ?? [],
    sites: headersDistinct["sec-fetch-site"] ?? [],
  };
}

const PLAIN_WORDS = { 403: "Refused.", 413: "Too long.", 503: "Too many pages are open." } as const;

/** Says no more than it has to, and reads no more either. */
function refuse(response: ServerResponse, code: keyof typeof PLAIN_WORDS): void {
  const headers = { "Content-Type": TEXT, Connection: "close" };
  response.writeHead(code, { ...HEADERS, ...headers, "Content-Security-Policy": NOTHING_RUNS });
  response.end(`${PLAIN_WORDS[code]}\n`);
}
