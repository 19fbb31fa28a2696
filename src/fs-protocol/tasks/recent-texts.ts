/**
 * What was found out about texts, remembered by their characters. It forgets the oldest texts when all of them together
 * are longer than `charsMax` UTF-16 code units.
 */
export class RecentTexts<T> {
  readonly #charsMax: number;
  readonly #found = new Map<string, T>();
  #chars = 0;

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  get(text: string): T | undefined {
    return this.#found.get(text);
  }

  set(text: string, found: T): void {
    // A part of a string keeps the whole string in memory, but a copy does not.
    const own = Buffer.from(text, "utf16le").toString("utf16le");
    this.#found.set(own, found);
    this.#chars += own.length;
    for (const oldest of this.#found.keys()) {
      if (this.#chars <= this.#charsMax) return;
      this.#found.delete(oldest);
      this.#chars -= oldest.length;
    }
  }
}
