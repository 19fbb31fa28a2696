/** How much is remembered: the number of texts, and their length in UTF-16 code units in all. */
interface Room {
  readonly textsMax: number;
  readonly charsMax: number;
}

/** What was found out about texts, remembered by their characters. If there are too many, those are forgotten that were not asked for longest. */
export class RecentTexts<T> {
  readonly #room: Room;
  /** By the text, of which each entry has a copy: a part of a string would keep the whole string in memory. */
  readonly #entries = new Map<string, { readonly own: string; readonly found: T }>();
  #chars = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get(text: string): T | undefined {
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    // The order of a map is that in which its keys were set.
    this.#entries.delete(text);
    this.#entries.set(entry.own, entry);
    return entry.found;
  }

  /** All that is remembered, what was asked for last first. */
  newest(): readonly (readonly [text: string, found: T])[] {
    return [...this.#entries.values()].map(({ own, found }) => [own, found] as const).reverse();
  }

  set(text: string, found: T): void {
    const own = Buffer.from(text, "utf16le").toString("utf16le");
    this.#entries.set(own, { own, found });
    this.#chars += own.length;
    const { textsMax, charsMax } = this.#room;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= textsMax && this.#chars <= charsMax) return;
      this.#entries.delete(oldest);
      this.#chars -= oldest.length;
    }
  }
}
