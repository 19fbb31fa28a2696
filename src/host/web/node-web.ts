import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { WebSocket } from "ws";
import { assert } from "../../base/assert.ts";
import {
  WEB_ANSWER_BYTES_MAX,
  WEB_MESSAGE_BYTES_MAX,
  type Web,
  type WebAnswer,
  type WebCut,
  type WebLink,
  type WebRefusal,
  type HttpRequest,
  type WebSocketRequest,
} from "../../base/ports/web.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { webLink } from "./web-link.ts";

/** What `ws` is told for every WebSocket. */
const LIMITS = {
  maxPayload: WEB_MESSAGE_BYTES_MAX,
  perMessageDeflate: false,
  /** How long, in milliseconds, a server may take to agree to the end. The package's types do not have it yet. */
  closeTimeout: 2_000,
};

/** Requests with Node, and WebSockets with `ws`: Node's own tells neither the status of a refusal nor signs of life. */
export const nodeWeb: Web = { ask, open };

function ask(request: HttpRequest): Promise<Result<WebAnswer, WebCut>> {
  return new Promise((resolve) => {
    const { url, method, headers, body, timeoutMs } = request;
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = begin(url, { method, headers, signal });
    asked.on("error", (error) =>
      resolve(cut(signal.aborted ? "no answer in time" : error.message)),
    );
    asked.on("response", (response) => void answerOf(response).then(resolve));
    asked.end(body);
  });
}

function open(request: WebSocketRequest): Promise<Result<WebLink, WebCut | WebRefusal>> {
  return new Promise((resolve) => {
    const websocket = new WebSocket(request.url, { ...LIMITS, headers: request.headers });
    // The package's own limit is one of silence: a server that says a little now and then would never reach it.
    const giveUp = setTimeout(() => {
      resolve(cut("no answer in time"));
      websocket.terminate();
    }, request.timeoutMs);
    websocket.on("error", (error) => resolve(cut(error.message)));
    websocket.on("close", () => clearTimeout(giveUp));
    websocket.on("unexpected-response", (_asked, response) => {
      void answerOf(response).then((read) => {
        resolve(read.ok ? fail({ kind: "answered", ...read.value }) : read);
        websocket.terminate();
      });
    });
    websocket.on("upgrade", ({ socket: connection }) => {
      websocket.on("open", () => {
        clearTimeout(giveUp);
        resolve(ok(webLink({ websocket, connection, request })));
      });
    });
  });
}

interface Begun {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}
function begin(url: string, options: Begun): ClientRequest {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  // A connection of its own: one that was kept may have been dropped by a server that slept.
  return send(url, { ...options, agent: false });
}

async function answerOf(response: IncomingMessage): Promise<Result<WebAnswer, WebCut>> {
  try {
    const body = await bodyOf(response);
    return body === undefined
      ? cut("the answer was too long")
      : ok({ status: response.statusCode ?? 0, body });
  } catch (error) {
    return cut(error instanceof Error ? error.message : "the answer was cut off");
  }
}

/** The body as a text, or `undefined` if it is longer than is read. */
async function bodyOf(chunks: AsyncIterable<unknown>): Promise<string | undefined> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    assert(chunk instanceof Uint8Array, "no encoding was set");
    bytes += chunk.length;
    if (bytes > WEB_ANSWER_BYTES_MAX) return undefined;
    read.push(chunk);
  }
  return Buffer.concat(read).toString("utf8");
}

function cut(detail: string): { readonly ok: false; readonly failure: WebCut } {
  return fail({ kind: "cut", detail });
}
