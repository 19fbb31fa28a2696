/**
 * Steps back from what was made so far, newest first. Each step takes away one thing that this
 * process made itself, and leaves alone what is not as it was made.
 */
export class Undo {
  readonly #steps: (() => unknown)[] = [];

  /** Remembers how to take away what was just made. */
  push(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.reverse()) await step();
    this.#steps.length = 0;
  }
}
