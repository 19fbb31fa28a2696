import { Subject } from "rxjs";
import { WEB_PAGES_MAX } from "../base/limits.ts";
import type { EventClient, EventName } from "./event-client.ts";

/** The pages that are open. */
export class Audience {
  readonly #clients = new Set<EventClient>();
  readonly #change$ = new Subject<void>();
  /** Emits after a page was opened or closed. */
  readonly change$ = this.#change$.asObservable();

  get isFull(): boolean {
    return this.#clients.size >= WEB_PAGES_MAX;
  }

  get isEmpty(): boolean {
    return this.#clients.size === 0;
  }

  /** The sessions that are shown on some page. */
  get sessions(): ReadonlySet<string> {
    const shown = [...this.#clients].map(({ session }) => session);
    return new Set(shown.filter((session) => session !== undefined));
  }

  add(client: EventClient): void {
    this.#clients.add(client);
    this.#change$.next();
  }

  remove(client: EventClient): void {
    this.#clients.delete(client);
    this.#change$.next();
  }

  /** Settles what is shown on pages that have not asked for a session. */
  settle(session: string): void {
    for (const client of this.#clients) client.session ??= session;
  }

  /** Shows an event on pages for which it is not settled what they show. */
  showUnsettled(name: EventName, text: string): void {
    for (const client of this.#clients) if (client.session === undefined) client.show(name, text);
  }

  /** Shows an event on every page, or on those that show a session. */
  show(name: EventName, text: string, session?: string): void {
    for (const client of this.#clients) {
      if (session === undefined || client.session === session) client.show(name, text);
    }
  }

  beat(): void {
    for (const client of this.#clients) client.beat();
  }

  end(): void {
    for (const client of this.#clients) client.end();
  }
}
