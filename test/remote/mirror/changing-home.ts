import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { isGrowing, isLasting } from "../../../src/remote/mirror/mirrored-path.ts";
import type { Random } from "../../rig/random.ts";
import { mirrored, type MirrorSide } from "./rig.ts";

const PATHS = [
  "logs/builder.log",
  "logs/human.log",
  "PROGRESS.txt",
  "revision-1/logs/builder.log",
  "logs/turns/build-1/engine.out",
  "TASKS.md",
  "requests/0.md",
  "revision-1/session.json",
  "locks/builder.lock",
  "place.json",
];

/** A home that changes at random, and remembers everything that its files ever were. */
export class ChangingHome {
  readonly #random: Random;
  readonly #directory: string;
  /** For a log the longest content since it was last replaced, for a document every content. */
  readonly #were = new Map<string, string[]>();
  #count = 0;

  constructor(directory: string, random: Random) {
    this.#directory = directory;
    this.#random = random;
  }

  /** Does one thing to one file. */
  change(): void {
    const path = this.#random.pick(PATHS);
    const full = join(this.#directory, path);
    mkdirSync(dirname(full), { recursive: true });
    const what = this.#random.unit();
    const text = `${String(++this.#count)} ${"x".repeat(this.#random.below(60))}\n`;
    if (what < 0.1 && !isLasting(path)) rmSync(full, { force: true });
    else if (isGrowing(path) && what < 0.75) this.#append(path, text);
    else if (isGrowing(path) && what < 0.85) this.#inPlace(path, `again ${text}`.repeat(3));
    else this.#replace(path, `new ${text}`.repeat(this.#random.below(4)));
  }

  /** Fails if a file of the mirror is nothing that its original ever was, or for a log the beginning of that. */
  expectPast(side: MirrorSide): void {
    for (const [path, text] of Object.entries(mirrored(side.home))) {
      const were = this.#were.get(path);
      // The files that were there before the first change.
      if (were === undefined) continue;
      const isPast = isGrowing(path)
        ? were.some((was) => was.startsWith(text))
        : were.includes(text);
      expect(isPast, `${path} is ${JSON.stringify(text)}, but was ${JSON.stringify(were)}`).toBe(
        true,
      );
    }
  }

  #append(path: string, text: string): void {
    const full = join(this.#directory, path);
    const before = existsSync(full) ? readFileSync(full, "latin1") : "";
    appendFileSync(full, text);
    const were = this.#were.get(path) ?? [];
    this.#were.set(path, [...were.filter((was) => was !== before), before + text]);
  }

  /** The same file with another content, as some editors write it. */
  #inPlace(path: string, text: string): void {
    writeFileSync(join(this.#directory, path), text);
    this.#were.set(path, [...(this.#were.get(path) ?? []), text]);
  }

  #replace(path: string, text: string): void {
    const full = join(this.#directory, path);
    const part = `${full}.lock`;
    writeFileSync(part, text);
    renameSync(part, full);
    this.#were.set(path, [...(this.#were.get(path) ?? []), text]);
  }
}
