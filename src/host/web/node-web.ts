import { createHash, randomBytes } from "node:crypto";
import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { assert } from "../../base/assert.ts";
import {
  WEB_ANSWER_BYTES_MAX,
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

/** What a server appends to the key of a client to show that it speaks the protocol: RFC 6455. */
const WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Requests with Node. Its own WebSocket tells neither the status of a refusal nor the signs of life of the server. */
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
    const key = randomBytes(16).toString("base64");
    const asked = begin(request.url, {
      method: "GET",
      headers: {
        ...request.headers,
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key,
      },
    });
    const giveUp = setTimeout(
      () => asked.destroy(new Error("no answer in time")),
      request.timeoutMs,
    );
    asked.once("close", () => clearTimeout(giveUp));
    asked.on("error", (error) => resolve(cut(error.message)));
    asked.on("response", (response) => {
      void answerOf(response).then((read) =>
        resolve(read.ok ? fail({ kind: "answered", ...read.value }) : read),
      );
    });
    asked.on("upgrade", (response, socket, first) => {
      clearTimeout(giveUp);
      if (response.headers["sec-websocket-accept"] === acceptOf(key)) {
        resolve(ok(webLink(socket, first, request)));
        return;
      }
      socket.destroy();
      resolve(cut("the server does not speak the protocol of WebSocket"));
    });
    asked.end();
  });
}

/** What the server has to answer to a client's key. */
export function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}${WEBSOCKET_GUID}`).digest("base64");
}

interface Begun {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
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
