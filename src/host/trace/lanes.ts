interface Lane {
  isTaken: boolean;
  /** When the last span on it ended. */
  endUs: number;
}

/** Numbers from 1 for what runs at the same time; the lowest free one is taken first. */
export class Lanes {
  readonly #lanes: Lane[] = [];

  /** Takes a lane until it is released. */
  take(): number {
    return this.#find(() => true, { isTaken: true, endUs: 0 });
  }

  release(number: number, endUs: number): void {
    this.#lanes[number - 1] = { isTaken: false, endUs };
  }

  /** A lane on which nothing was since `startUs`, for a span that ends now. */
  freeSince(startUs: number, endUs: number): number {
    return this.#find((lane) => lane.endUs <= startUs, { isTaken: false, endUs });
  }

  #find(isFit: (lane: Lane) => boolean, next: Lane): number {
    const found = this.#lanes.findIndex((lane) => !lane.isTaken && isFit(lane));
    const index = found < 0 ? this.#lanes.length : found;
    this.#lanes[index] = next;
    return index + 1;
  }
}
