/**
 * Events on a line, one character per millisecond: `a--(bc)` is an event at 0 and two at 3. Unlike in
 * rxjs, a group counts as a single millisecond.
 */
export class Marbles {
  readonly #events: { readonly atMs: number; readonly letter: string }[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Records an event at the current time. */
  mark(letter: string): void {
    this.#events.push({ atMs: this.#nowMs(), letter });
  }

  get count(): number {
    return this.#events.length;
  }

  /** Times of all events, in the order in which they happened. */
  get timesMs(): readonly number[] {
    return this.#events.map(({ atMs }) => atMs);
  }

  /** The line from 0 up to and including `untilMs`. */
  line(untilMs: number): string {
    let line = "";
    for (let ms = 0; ms <= untilMs; ms++) {
      const here = this.#events.filter(({ atMs }) => atMs === ms).map(({ letter }) => letter);
      line += here.length > 1 ? `(${here.join("")})` : (here[0] ?? "-");
    }
    return line;
  }
}

/** Calls `act` for each character of a line that is not a hyphen, with its millisecond. */
export function eachMarble(line: string, act: (letter: string, atMs: number) => void): void {
  for (let atMs = 0; atMs < line.length; atMs++) {
    if (line[atMs] !== "-") act(line.charAt(atMs), atMs);
  }
}
