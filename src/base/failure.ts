import type { WorldFailure } from "./fatal.ts";

/** The wording of a failure: what happened, what to do about it, then commands and details, one per line. */
export type Words<Line = string | Detail> = readonly [
  /** One or two sentences, without a full stop if it ends in something to copy. */
  message: string,
  hint?: string | undefined,
  ...lines: Line[],
];

/** A line that is not a command. */
export interface Detail {
  readonly detail: string;
}

/**
 * A failure that a command may end with. Its exit code and wording are not part of its data: two failures are equal
 * if their kinds and facts are.
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

/** Makes failures of one kind from their facts, and recognizes them. */
interface RefusalMaker<Kind extends string, Facts extends object> {
  (facts: Facts): RefusalOf<Kind, Facts>;
  is(failure: WorldFailure): failure is RefusalOf<Kind, Facts>;
}

/**
 * Defines a kind of failure in the file that raises it: its code for programs, the exit code of a command that ends
 * with it, and its wording. No other file needs to know about it.
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
