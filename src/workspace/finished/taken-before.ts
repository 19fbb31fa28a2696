import type { Closed } from "../../session/state/fold-human.ts";

/** What the record says about work that was shipped. */
export type TakenBefore = Extract<Closed, { readonly how: "done" }> & {
  /** Whether the user's checked-out branch contains the work. */
  readonly isMerged: boolean;
};

const PULL_REQUEST = "a pull request";

/** What another `wisp done` would do in addition. */
export interface Wanted {
  /** The remote to push to; undefined if none. */
  readonly remote: string | undefined;
  readonly pr: boolean;
  readonly hasClones: boolean;
}

/** What is left to do; of work that is taken for the first time, or again with a revision, all that is wanted. */
export interface LeftToDo {
  readonly push: boolean;
  readonly pullRequest: boolean;
  /** What of it is left of work that was taken before, in words; empty: nothing. */
  readonly says: readonly string[];
}

/**
 * What a `done` has to do. What is on record was done: a branch that was merged at the remote and removed there is not
 * pushed a second time, and no second pull request is opened for it.
 */
export function leftToDo(
  { remote, pr, hasClones }: Wanted,
  before: TakenBefore | undefined,
): LeftToDo {
  const push = remote !== undefined && remote !== before?.remote;
  const pullRequest = remote !== undefined && pr && (push || before?.url === undefined);
  const says = [
    ...(push ? [`the push to ${remote}`] : []),
    ...(pullRequest ? [PULL_REQUEST] : []),
    ...(hasClones ? ["the removal of its clones"] : []),
  ];
  return { push, pullRequest, says };
}

/** What of it came about: a pull request that a person opens did not. */
export function doneOf({ says }: LeftToDo, isByHand: boolean): readonly string[] {
  return isByHand ? says.filter((one) => one !== PULL_REQUEST) : says;
}
