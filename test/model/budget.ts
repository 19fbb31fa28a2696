import { BUDGETS, ENDLESS, type BudgetName } from "./scenarios.ts";

type Left = Readonly<Partial<Record<BudgetName, number>>>;

/** How often the environment may still do each thing. Interned: equal budgets are the same value. */
export class Budget {
  readonly id: number;
  readonly left: Left;
  readonly #space: BudgetSpace;
  readonly #after = new Map<BudgetName, Budget | undefined>();

  constructor(space: BudgetSpace, id: number, left: Left) {
    this.#space = space;
    this.id = id;
    this.left = left;
  }

  has(name: BudgetName): boolean {
    return (this.left[name] ?? 0) !== 0;
  }

  /** The budget after doing it once more; undefined if that is not allowed. */
  spend(name: BudgetName): Budget | undefined {
    if (this.#after.has(name)) return this.#after.get(name);
    const after = this.#spent(name);
    this.#after.set(name, after);
    return after;
  }

  #spent(name: BudgetName): Budget | undefined {
    const left = this.left[name] ?? 0;
    if (left === 0) return undefined;
    if (left === ENDLESS) return this;
    return this.#space.intern({ ...this.left, [name]: left - 1 });
  }
}

/** All budgets that the exploration has met. */
export class BudgetSpace {
  readonly #known = new Map<string, Budget>();

  intern(left: Left): Budget {
    const key = BUDGETS.map((name) => left[name] ?? 0).join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const budget = new Budget(this, this.#known.size, left);
    this.#known.set(key, budget);
    return budget;
  }
}
