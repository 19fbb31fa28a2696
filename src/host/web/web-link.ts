import type { Duplex } from "node:stream";
import type { WebLink, WebMessage, WebSocketRequest } from "../../base/ports/web.ts";
import { encodeWebFrame, FrameReader, OPCODE, type WebFrame } from "./frames.ts";

type LinkRequest = Pick<WebSocketRequest, "pingMs" | "silentMsMax" | "onMessage">;

/** A WebSocket over a connection on which the server has agreed to it. `first` are bytes that came with its answer. */
export function webLink(stream: Duplex, first: Uint8Array, request: LinkRequest): WebLink {
  const link = new OpenLink(stream, request);
  void link.read(first);
  return link;
}

class OpenLink implements WebLink {
  readonly ended: Promise<string>;
  readonly #stream: Duplex;
  readonly #request: LinkRequest;
  readonly #frames = new FrameReader();
  readonly #beat: NodeJS.Timeout;
  #parts: Buffer[] = [];
  #isText = false;
  #heardMs = Date.now();
  #reason = "the connection was closed";
  #handing: Promise<void> = Promise.resolve();
  #mistake: { readonly error: unknown } | undefined;

  constructor(stream: Duplex, request: LinkRequest) {
    this.#stream = stream;
    this.#request = request;
    this.#beat = setInterval(() => this.#lookForLife(), request.pingMs);
    stream.on("data", (bytes: Buffer) => void this.read(bytes));
    stream.on("error", (error) => {
      this.#reason = error.message;
    });
    this.ended = this.#end();
  }

  async send(message: WebMessage): Promise<void> {
    const opcode = typeof message === "string" ? OPCODE.text : OPCODE.binary;
    if (this.#write(opcode, typeof message === "string" ? Buffer.from(message) : message)) return;
    const stream = this.#stream;
    await new Promise<void>((resolve) => {
      const go = () => {
        stream.off("drain", go).off("close", go);
        resolve();
      };
      stream.on("drain", go).on("close", go);
      if (stream.destroyed) go();
    });
  }

  close(): void {
    if (this.#stream.destroyed) return;
    this.#write(OPCODE.close, Buffer.from([0x03, 0xe8]));
    this.#stream.end(() => this.#stream.destroy());
  }

  /** Takes bytes that arrived, and does not read on before all messages in them were received. */
  async read(bytes: Uint8Array): Promise<void> {
    this.#heardMs = Date.now();
    const frames = this.#frames.take(bytes);
    if (frames === undefined) {
      this.#cut("a frame was too long");
      return;
    }
    this.#stream.pause();
    this.#handing = this.#handing.then(() => this.#handAll(frames));
    await this.#handing;
    if (!this.#stream.destroyed) this.#stream.resume();
  }

  async #handAll(frames: readonly WebFrame[]): Promise<void> {
    try {
      for (const frame of frames) await this.#hand(frame);
    } catch (error) {
      this.#mistake ??= { error };
      this.#cut("the receiver failed");
    }
  }

  async #hand({ opcode, isFinal, payload }: WebFrame): Promise<void> {
    if (opcode === OPCODE.ping) this.#write(OPCODE.pong, payload);
    if (opcode === OPCODE.close) this.close();
    if (opcode > OPCODE.binary) return;
    if (opcode !== OPCODE.continuation) {
      this.#parts = [];
      this.#isText = opcode === OPCODE.text;
    }
    this.#parts.push(payload);
    if (!isFinal) return;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    await this.#request.onMessage(this.#isText ? whole.toString("utf8") : whole);
  }

  #write(opcode: number, payload: Uint8Array): boolean {
    if (this.#stream.destroyed || this.#stream.writableEnded) return true;
    return this.#stream.write(encodeWebFrame(opcode, payload, { isMasked: true }));
  }

  #lookForLife(): void {
    // What is not read while a receiver is busy is no silence.
    if (this.#stream.isPaused()) this.#heardMs = Date.now();
    if (Date.now() - this.#heardMs > this.#request.silentMsMax) this.#cut("no sign of life");
    else this.#write(OPCODE.ping, Buffer.alloc(0));
  }

  #cut(reason: string): void {
    this.#reason = reason;
    this.#stream.destroy();
  }

  async #end(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#stream.once("close", resolve);
      this.#stream.once("end", () => this.#stream.destroy());
    });
    clearInterval(this.#beat);
    await this.#handing;
    if (this.#mistake !== undefined) throw this.#mistake.error;
    return this.#reason;
  }
}
