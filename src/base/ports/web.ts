import type { Result } from "../result.ts";

/** A request over HTTP or HTTPS. Redirections are not followed: headers may hold a secret. */
export interface HttpRequest {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Within how many milliseconds the whole answer has to arrive. */
  readonly timeoutMs: number;
}

/** A whole answer, whatever its status. */
export interface WebAnswer {
  readonly status: number;
  readonly body: string;
}

/** No answer, or only a part of one. */
export interface WebCut {
  readonly kind: "cut";
  readonly detail: string;
}

/** A server answered a request for a WebSocket with something else. */
export interface WebRefusal extends WebAnswer {
  readonly kind: "answered";
}

/** A message of a WebSocket: bytes, or a text. */
export type WebMessage = Uint8Array | string;

/** What a WebSocket is opened with. */
export interface WebSocketRequest {
  /** With the scheme `http` or `https`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Within how many milliseconds it has to be open. */
  readonly timeoutMs: number;
  /** The other side is asked for a sign of life as often, in milliseconds. */
  readonly pingMs: number;
  /** If nothing at all arrives for so long, in milliseconds, the connection counts as cut. */
  readonly silentMsMax: number;
  /** Receives the messages in order. Nothing is read while a promise is pending. */
  readonly onMessage: (message: WebMessage) => void | Promise<void>;
}

/** An open WebSocket. */
export interface WebLink {
  /** Sends a message; resolves when more may be sent, also if the connection is no more. */
  send(message: WebMessage): Promise<void>;
  /** Ends the connection. Does nothing if it is no more. */
  close(): void;
  /** Resolves when the connection is no more and the last message was received, with the reason. */
  readonly ended: Promise<string>;
}

/** Requests to servers as a port. */
export interface Web {
  /** Sends a request and reads the whole answer, of at most `WEB_ANSWER_BYTES_MAX`. */
  ask(request: HttpRequest): Promise<Result<WebAnswer, WebCut>>;
  /** Opens a WebSocket. */
  open(request: WebSocketRequest): Promise<Result<WebLink, WebCut | WebRefusal>>;
}

/** The longest answer that is read. */
export const WEB_ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** The longest message of a WebSocket that is accepted; a longer one ends the connection. */
export const WEB_MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
