import type { Oid } from "../base/oid.ts";
import type { Clone } from "../base/ports/repo.ts";
import type { RoleContext } from "./role-context.ts";

type Context = Pick<RoleContext, "clone" | "role" | "reviewers" | "waiting">;

/**
 * Does with a role's clones, while the role has nothing to do, what its next turn would otherwise wait for: opens the
 * first one, which the planner does at once, and copies what others publish meanwhile, if its role judges that. If anything of it fails, the turn tries
 * again, and reports the failure. Large clones are only there while they are needed: they are not opened early, and
 * after a unit, those that have nothing of their own are removed.
 */
export class EarlyClone {
  readonly #context: Context;
  readonly #isJudge: boolean;
  #opened: Promise<unknown> | undefined;
  #underWay: Promise<unknown> | undefined;
  #isIdle = false;
  #hasWorked = false;
  #head: Oid | undefined;
  #hasRead = false;

  constructor(context: Context) {
    this.#context = context;
    this.#isJudge = context.role === "reviewer" || context.role === "tester";
  }

  /**
   * Notes the role's next step, and returns it.
   *
   * @param head the commit of the session's branch at which the step was decided
   */
  seen<Step extends { readonly kind: string }>(step: Step, head: Oid | undefined): Step {
    this.#isIdle = step.kind === "wait";
    if (!this.#isIdle) {
      this.#hasWorked = true;
      // What the planner begins with reads no clone: its first one is made beside its first records.
      if (this.#context.role === "planner") this.#opened ??= this.#open();
      return step;
    }
    if (this.#hasWorked) {
      this.#hasWorked = false;
      this.#underWay = this.#context.waiting?.rest();
    }
    if (this.#context.waiting?.opensEarly() === false) return step;
    this.#opened ??= this.#open();
    if (this.#isJudge && head !== this.#head) this.#seenHead(head);
    return step;
  }

  /** Resolves when nothing of it is under way any more. */
  async settled(): Promise<void> {
    await Promise.all([this.#opened, this.#underWay]);
  }

  #open(): Promise<Clone | undefined> {
    return this.#context.clone().catch(() => undefined);
  }

  #seenHead(head: Oid | undefined): void {
    // The first commit seen is the one that the clone is made from, when all roles begin at the same time.
    if (this.#head !== undefined) this.#readReviewers();
    this.#head = head;
    this.#opened = Promise.all([this.#opened, this.#underWay]).then(() => this.#readAhead());
  }

  /** Never runs beside work of the role: it does not wait for anything between the look at the step and its end. */
  async #readAhead(): Promise<void> {
    const clone = this.#isIdle ? await this.#open() : undefined;
    if (this.#isIdle) clone?.readAhead();
  }

  /** The first time, this loads a parser. What is read counts for nothing: a person may still change it. */
  #readReviewers(): void {
    if (this.#hasRead || this.#context.role !== "reviewer") return;
    this.#hasRead = true;
    this.#context.reviewers().catch(() => undefined);
  }
}
