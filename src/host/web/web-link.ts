import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { assert } from "../../base/assert.ts";
import type { WebLink, WebMessage, WebSocketRequest } from "../../base/ports/web.ts";

/** What an open WebSocket is made a link of. */
export interface WebLinkParts {
  readonly websocket: WebSocket;
  /** The connection that the WebSocket goes over. */
  readonly connection: Socket;
  readonly request: Pick<WebSocketRequest, "pingMs" | "silentMsMax" | "onMessage">;
}

/** A link over a WebSocket that has just been opened: nothing that arrived may have been missed. */
export function webLink(parts: WebLinkParts): WebLink {
  return new OpenLink(parts);
}

class OpenLink implements WebLink {
  readonly ended: Promise<string>;
  readonly #parts: WebLinkParts;
  readonly #beat: NodeJS.Timeout;
  #bytesHeard = 0;
  #heardMs = Date.now();
  #reason: string | undefined;
  #handing: Promise<void> = Promise.resolve();
  #mistake: { readonly error: unknown } | undefined;

  constructor(parts: WebLinkParts) {
    this.#parts = parts;
    const { websocket, request } = parts;
    this.#beat = setInterval(() => this.#lookForLife(), request.pingMs);
    websocket.on("message", (data, isBinary) => {
      assert(Buffer.isBuffer(data), "messages come whole, as Node's own bytes");
      this.#take(isBinary ? data : data.toString("utf8"));
    });
    websocket.on("error", (error) => {
      this.#reason ??= error.message;
    });
    this.ended = this.#end();
  }

  send(message: WebMessage): Promise<void> {
    return new Promise((resolve) => {
      // Without a connection it fails, of which `ended` tells.
      this.#parts.websocket.send(message, () => resolve());
    });
  }

  close(): void {
    this.#parts.websocket.close(1000);
  }

  /** Hands on a message after all that came before, and does not read on before it was received. */
  #take(message: WebMessage): void {
    const { websocket } = this.#parts;
    websocket.pause();
    const handing = this.#handing.then(() => this.#hand(message));
    this.#handing = handing;
    void handing.then(() => {
      if (this.#handing === handing) websocket.resume();
    });
  }

  async #hand(message: WebMessage): Promise<void> {
    if (this.#mistake !== undefined) return;
    try {
      await this.#parts.request.onMessage(message);
    } catch (error) {
      this.#mistake = { error };
      this.#parts.websocket.terminate();
    }
  }

  #lookForLife(): void {
    const { websocket, connection, request } = this.#parts;
    // What is not read while a receiver is busy is no silence, nor is a message that takes long to arrive.
    if (websocket.isPaused || connection.bytesRead !== this.#bytesHeard) {
      this.#bytesHeard = connection.bytesRead;
      this.#heardMs = Date.now();
    }
    if (Date.now() - this.#heardMs <= request.silentMsMax) {
      websocket.ping();
      return;
    }
    this.#reason ??= "no sign of life";
    websocket.terminate();
  }

  async #end(): Promise<string> {
    await new Promise((resolve) => this.#parts.websocket.once("close", resolve));
    clearInterval(this.#beat);
    await this.#handing;
    if (this.#mistake !== undefined) throw this.#mistake.error;
    return this.#reason ?? "the connection was closed";
  }
}
