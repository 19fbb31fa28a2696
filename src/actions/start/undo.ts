/**
 * Undoes what was created so far, newest first. Each step removes one thing that this process
 * created, and leaves it alone if it has changed since.
 */
export class Undo {
  readonly #steps: (() => unknown)[] = [];

  /** Registers how to remove what was just created. */
  push(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.reverse()) await step();
    this.#steps.length = 0;
  }
}
