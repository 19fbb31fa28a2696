/** What is sent to a page: each is the whole of what there is to know, so that only the newest one counts. */
export type EventName = "sessions" | "report";

/** The part of a response that events need. */
export interface EventStream {
  readonly destroyed: boolean;
  write(text: string): boolean;
  end(text: string): unknown;
  destroy(): unknown;
  on(event: "drain", listener: () => void): unknown;
}

/** One event as it is sent. */
export function eventText(name: EventName | "beat" | "end", value: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}

const BEAT = eventText("beat", {});
const END = eventText("end", {});

/**
 * A page that is kept up to date. If it does not read, nothing more is sent until it has read what was sent, and what
 * it missed meanwhile is replaced by what is newer: a slow page costs no more than one of each kind of event.
 */
export class EventClient {
  readonly #stream: EventStream;
  /** What it was sent last, or is to be sent next. */
  readonly #newest = new Map<EventName, string>();
  readonly #waiting = new Set<EventName>();
  #isFull = false;
  #wasFull = false;
  /** The session that it shows; undefined until it is known which one that is. */
  session: string | undefined;

  constructor(stream: EventStream, session: string | undefined) {
    this.#stream = stream;
    this.session = session;
    stream.on("drain", () => {
      this.#isFull = false;
      for (const name of this.#waiting) this.#catchUp(name);
    });
  }

  /** Shows it an event, unless that is what it shows already. */
  show(name: EventName, text: string): void {
    if (this.#newest.get(name) === text) return;
    this.#newest.set(name, text);
    if (this.#isFull) this.#waiting.add(name);
    else this.#write(text);
  }

  /** Lets it know that all is well; leaves it if it has read nothing since the last time. */
  beat(): void {
    if (!this.#isFull) this.#write(BEAT);
    else if (this.#wasFull) this.#stream.destroy();
    this.#wasFull = this.#isFull;
  }

  /** Lets it know that nothing more will come. */
  end(): void {
    if (this.#isFull) this.#stream.destroy();
    else if (!this.#stream.destroyed) this.#stream.end(END);
  }

  #catchUp(name: EventName): void {
    if (this.#isFull) return;
    this.#waiting.delete(name);
    this.#write(this.#newest.get(name) ?? "");
  }

  #write(text: string): void {
    if (!this.#stream.destroyed) this.#isFull = !this.#stream.write(text);
  }
}
