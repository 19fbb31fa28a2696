import { aloneHere, type Alone } from "./alone-here.ts";
import { turnWait, type TurnWait, type TurnWaiter } from "./turn-wait.ts";

/**
 * Runs of the project's commands that decide something together: looks at a commit, runs of old tests, or runs of a bug's
 * command. The first runs beside whatever else runs; each further one repeats it, and runs alone (`aloneHere`). Turns of
 * engines are waited for as long as is allowed for all of them together.
 */
export class Repeats {
  readonly #context: TurnWaiter;
  readonly #turns: TurnWait | undefined;

  /** @param what is run, for people: "before verify is run again" */
  constructor(context: TurnWaiter, what = "verify") {
    this.#context = context;
    this.#turns = turnWait(context, what);
  }

  /**
   * Takes one of the runs, alone unless it is the first.
   *
   * @param n its number, from 1
   * @returns undefined if the role is asked to stop while it waits
   */
  take<T>(n: number, run: (alone?: Alone) => Promise<T>): Promise<T | undefined> {
    return n > 1 ? this.alone(run) : run();
  }

  /**
   * Takes one that repeats another one, whatever its number.
   *
   * @returns undefined if the role is asked to stop while it waits
   */
  alone<T>(run: (alone: Alone) => Promise<T>): Promise<T | undefined> {
    return aloneHere(this.#context, this.#turns, run);
  }
}
