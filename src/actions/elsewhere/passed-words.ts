import { engineArguments, type EngineWords } from "../start/engine-words.ts";

/** The options of `wisp start` that the wisp at a place is given. */
export interface PassedOptions extends EngineWords {
  readonly plan?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly noFix?: boolean | undefined;
  readonly acceptRedBase?: boolean | undefined;
  readonly again?: boolean | undefined;
  readonly budget?: string | undefined;
  readonly milestoneBudget?: string | undefined;
  /** The fleet in which the session shares a budget. */
  readonly fleet?: string | undefined;
}

/** The same as words of a command line. */
export function passedWords(options: PassedOptions): readonly string[] {
  const { plan, strict, noFix, acceptRedBase, again, budget, milestoneBudget, fleet } = options;
  return [
    ...(plan === true ? ["--plan"] : []),
    ...(strict === true ? ["--strict"] : []),
    ...(noFix === true ? ["--no-fix"] : []),
    ...(acceptRedBase === true ? ["--accept-red-base"] : []),
    ...(again === true ? ["--again"] : []),
    ...engineArguments(options),
    ...(fleet === undefined ? [] : ["--fleet", fleet]),
    ...(budget === undefined ? [] : ["--budget", budget]),
    ...(milestoneBudget === undefined ? [] : ["--milestone-budget", milestoneBudget]),
  ];
}
