import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { RoleContext } from "./role-context.ts";

type Context = Pick<RoleContext, "clone" | "role" | "reviewers">;

/**
 * Does in a role's clone, while the role has nothing to do, what its next turn would otherwise wait for: opens it, and
 * copies what others publish meanwhile, if its role judges that. If anything of it fails, the turn tries again, and
 * reports the failure.
 */
export class EarlyClone {
  readonly #context: Context;
  readonly #isJudge: boolean;
  #opened: Promise<Clone | undefined> | undefined;
  #isIdle = false;
  #head: Oid | undefined;
  #hasRead = false;

  constructor(context: Context) {
    this.#context = context;
    this.#isJudge = context.role === "reviewer" || context.role === "tester";
  }

  /**
   * Begins at each step that is a wait; returns the step.
   *
   * @param head the commit of the session's branch at which the step was decided
   */
  seen<Step extends { readonly kind: string }>(step: Step, head: Oid | undefined): Step {
    this.#isIdle = step.kind === "wait";
    if (!this.#isIdle) return step;
    this.#opened ??= this.#context.clone().catch(() => undefined);
    if (this.#isJudge && head !== this.#head) {
      // The first commit seen is the one that the clone is made from, when all roles begin at the same time.
      if (this.#head !== undefined) this.#readReviewers();
      this.#head = head;
      void this.#readAhead();
    }
    return step;
  }

  /** Resolves when nothing of it is under way any more. */
  async settled(): Promise<void> {
    await this.#opened;
  }

  /** Never runs beside work of the role: it does not wait for anything between the look at the step and its end. */
  async #readAhead(): Promise<void> {
    const clone = await this.#opened;
    if (this.#isIdle) clone?.readAhead();
  }

  /** The first time, this loads a parser. What is read counts for nothing: a person may still change it. */
  #readReviewers(): void {
    if (this.#hasRead || this.#context.role !== "reviewer") return;
    this.#hasRead = true;
    this.#context.reviewers().catch(() => undefined);
  }
}
