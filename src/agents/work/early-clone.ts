import type { RoleContext } from "./role-context.ts";

/**
 * Opens the role's clone while the role has nothing to do, which its first turn would otherwise wait
 * for. If this fails, that turn tries again, and reports the failure.
 */
export class EarlyClone {
  readonly #context: Pick<RoleContext, "clone">;
  #opened: Promise<unknown> | undefined;

  constructor(context: Pick<RoleContext, "clone">) {
    this.#context = context;
  }

  /** Begins to open it at the first step that is a wait; returns the step. */
  seen<Step extends { readonly kind: string }>(step: Step): Step {
    if (step.kind === "wait") this.#opened ??= this.#context.clone().catch(() => undefined);
    return step;
  }

  /** Resolves when nothing of it is under way any more. */
  async settled(): Promise<void> {
    await this.#opened;
  }
}
