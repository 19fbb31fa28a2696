/** How much is remembered: the number of texts, and their length in UTF-16 code units in all. */
interface Room {
  readonly textsMax: number;
  readonly charsMax: number;
}

/** What was found out about texts, remembered by their characters. If there are too many, the oldest are forgotten. */
export class RecentTexts<T> {
  readonly #room: Room;
  readonly #found = new Map<string, T>();
  #chars = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get(text: string): T | undefined {
    return this.#found.get(text);
  }

  set(text: string, found: T): void {
    // A part of a string keeps the whole string in memory, but a copy does not.
    const own = Buffer.from(text, "utf16le").toString("utf16le");
    this.#found.set(own, found);
    this.#chars += own.length;
    const { textsMax, charsMax } = this.#room;
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= textsMax && this.#chars <= charsMax) return;
      this.#found.delete(oldest);
      this.#chars -= oldest.length;
    }
  }
}
