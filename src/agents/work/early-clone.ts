import type { RoleContext } from "./role-context.ts";

type Clones = Pick<RoleContext, "clone" | "waiting">;

/**
 * The role's clones while it has nothing to do. Before its first unit, its clone is opened, for which
 * the first turn would otherwise wait; if this fails, that turn tries again, and reports the failure.
 * Large clones are only there while they are needed: they are not opened early, and after a unit,
 * those that have nothing of their own are removed.
 */
export class EarlyClone {
  readonly #context: Clones;
  #underWay: Promise<unknown> | undefined;
  #hasWorked = false;

  constructor(context: Clones) {
    this.#context = context;
  }

  /** Notes the role's next step, and returns it. */
  seen<Step extends { readonly kind: string }>(step: Step): Step {
    if (step.kind !== "wait") this.#hasWorked = true;
    else if (this.#hasWorked) {
      this.#hasWorked = false;
      this.#underWay = this.#context.waiting?.rest();
    } else this.#underWay ??= this.#openEarly();
    return step;
  }

  /** Resolves when nothing of it is under way any more. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #openEarly(): Promise<void> {
    const { clone, waiting } = this.#context;
    if (waiting?.opensEarly() !== false) await clone().catch(() => undefined);
  }
}
