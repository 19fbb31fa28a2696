import { assert, present } from "../../src/base/assert.ts";

/** Random numbers from a seed: the same seed gives the same sequence on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). The generator is mulberry32. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from 0 to `count - 1`. */
  below(count: number): number {
    assert(count >= 1, "there is something to choose from");
    return Math.floor(this.unit() * count);
  }

  /** An integer between both, inclusive. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return present(list[this.below(list.length)], "an index below the length");
  }

  /** A separate generator for a name, which does not depend on how many numbers were drawn before. */
  static for(seed: number, name: string): Random {
    let hash = 0x811c9dc5 ^ seed;
    for (let index = 0; index < name.length; index++) {
      hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
    }
    return new Random(Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d));
  }
}
