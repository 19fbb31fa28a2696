/**
 * A log of the explored world. Logs are interned: equal logs are the same value, so that a state is exactly a few
 * numbers. Each has the shipped fold of all its records, which is computed once, from its parent's fold.
 */
export class Log<R, F> {
  readonly id: number;
  readonly up: Log<R, F> | undefined;
  /** Its newest record; undefined in the empty log. */
  readonly record: R | undefined;
  readonly length: number;
  readonly fold: F;
  readonly #space: LogSpace<R, F>;
  readonly #kids = new Map<string, Log<R, F>>();

  constructor(space: LogSpace<R, F>, id: number, from: Pick<Log<R, F>, "up" | "record" | "fold">) {
    this.#space = space;
    this.id = id;
    this.up = from.up;
    this.record = from.record;
    this.fold = from.fold;
    this.length = from.up === undefined ? 0 : from.up.length + 1;
  }

  /** All its records, oldest first. */
  get records(): readonly R[] {
    return recordsOf(this);
  }

  /** This log with one more record. */
  grow(record: R): Log<R, F> {
    return this.growBy(JSON.stringify(record), () => record);
  }

  /** The same, for a record that `key` distinguishes from all other possible next ones. */
  growBy(key: string, make: () => R): Log<R, F> {
    const known = this.#kids.get(key);
    if (known !== undefined) return known;
    const kid = this.#space.make(this, make());
    this.#kids.set(key, kid);
    return kid;
  }
}

function recordsOf<R, F>(newest: Log<R, F>): readonly R[] {
  const records: R[] = [];
  let log: Log<R, F> | undefined = newest;
  while (log?.record !== undefined) {
    records.push(log.record);
    log = log.up;
  }
  return records.reverse();
}

/** All logs of one writer that the exploration has met. */
export class LogSpace<R, F> {
  readonly root: Log<R, F>;
  readonly #reduce: (fold: F, record: R) => F;
  readonly #onRecord: ((record: R) => void) | undefined;
  #count = 0;

  constructor(empty: F, reduce: (fold: F, record: R) => F, onRecord?: (record: R) => void) {
    this.#reduce = reduce;
    this.#onRecord = onRecord;
    this.root = new Log(this, this.#count++, { up: undefined, record: undefined, fold: empty });
  }

  make(up: Log<R, F>, record: R): Log<R, F> {
    this.#onRecord?.(record);
    return new Log(this, this.#count++, { up, record, fold: this.#reduce(up.fold, record) });
  }
}
