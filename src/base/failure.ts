import type { WorldFailure } from "./fatal.ts";

/** What a failure says: what happened, what to do about it, and then commands and details, a line each. */
export type Words<Line = string | Detail> = readonly [
  /** One sentence or two, without a full stop where it ends in something to copy. */
  message: string,
  hint?: string | undefined,
  ...lines: Line[],
];

/** A line that is no command. */
export interface Detail {
  readonly detail: string;
}

/**
 * A failure that a command may end with. It brings its exit code and its words, which are no part of its data:
 * two failures are equal where their kinds and facts are.
 */
export class Refusal implements WorldFailure {
  readonly kind: string;
  readonly #exitCode: number;
  readonly #words: () => Words;

  constructor(kind: string, exitCode: number, words: () => Words) {
    this.kind = kind;
    this.#exitCode = exitCode;
    this.#words = words;
  }

  get exitCode(): number {
    return this.#exitCode;
  }

  words(): Words {
    return this.#words();
  }
}

/** A failure of one kind, with its facts. */
type RefusalOf<Kind extends string, Facts> = Refusal & { readonly kind: Kind } & Facts;

/** Makes failures of one kind from their facts, and knows them again. */
interface RefusalMaker<Kind extends string, Facts extends object> {
  (facts: Facts): RefusalOf<Kind, Facts>;
  is(failure: WorldFailure): failure is RefusalOf<Kind, Facts>;
}

/**
 * A kind of failure, defined beside what raises it: its code for programs, the exit code of a command that ends
 * with it, and its words. Nothing else has to know of it.
 */
export function refusal<Kind extends string, Facts extends object>(
  kind: Kind,
  exitCode: number,
  words: (facts: Facts) => Words,
): RefusalMaker<Kind, Facts> {
  const make = (facts: Facts): RefusalOf<Kind, Facts> =>
    Object.assign(new Refusal(kind, exitCode, () => words(facts)), { kind }, facts);
  const is = (failure: WorldFailure): failure is RefusalOf<Kind, Facts> =>
    failure instanceof Refusal && failure.kind === kind;
  return Object.assign(make, { is });
}
