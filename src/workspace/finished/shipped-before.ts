import type { Closed } from "../../session/state/fold-human.ts";

/** The record of work that was shipped. */
export type ShippedBefore = Extract<Closed, { readonly how: "done" }> & {
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

/**
 * What is left to do; for work that is shipped for the first time, or again with a revision,
 * everything requested.
 */
export interface LeftToDo {
  readonly push: boolean;
  readonly pullRequest: boolean;
  /** The steps that are left, in words; empty if none. */
  readonly says: readonly string[];
}

/**
 * Determines what a `done` has to do. Recorded steps are not repeated: a branch that was merged at
 * the remote and removed there is not pushed again, and no second pull request is opened for it.
 */
export function leftToDo(
  { remote, pr, hasClones }: Wanted,
  before: ShippedBefore | undefined,
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

/** The steps that were done: a pull request that a person has to open was not. */
export function doneOf({ says }: LeftToDo, isByHand: boolean): readonly string[] {
  return isByHand ? says.filter((one) => one !== PULL_REQUEST) : says;
}
