import type { Planted } from "./planted.ts";

const BUILDER = "session/steps/builder-step.ts";

/** Naive rules about a remote that moved. */
export const PLANTED_REMOTE: readonly Planted[] = [
  {
    name: "R40",
    rule: "recorded commits are rebased onto the remote",
    scenario: "remote",
    invariant: "I22",
    plant: "rebaseOnRemote",
  },
  {
    name: "R40",
    rule: "our branch is forced onto the remote's",
    scenario: "remote",
    invariant: "I22",
    plant: "forcePush",
  },
  {
    name: "R40",
    rule: "a merge is published without verify",
    scenario: "remoteRed",
    invariant: "I22",
    plant: "mergeUnverified",
  },
  {
    name: "R41",
    rule: "a person who said to leave the remote alone is asked again at the next boundary",
    scenario: "remoteAsk",
    invariant: "I23",
    edits: [
      {
        file: BUILDER,
        find: "return view.hasRemote && isDue && !isLeft ?",
        replace: "return view.hasRemote && isDue && isLeft !== undefined ?",
      },
    ],
  },
  {
    name: "R42",
    rule: "a session is complete without a look at the remote since the last boundary",
    scenario: "remote",
    invariant: "I23",
    edits: [
      {
        file: BUILDER,
        find: "if (view.hasRemote && isBehindRemote(own, view.branch.head)) return",
        replace: "if (view.hasRemote && isBehindRemote(own, own.remote.at)) return",
      },
    ],
  },
  {
    name: "R43",
    rule: "commits taken from the remote count as wisp's own work",
    scenario: "remoteCover",
    invariant: "I19",
    edits: [
      {
        file: "session/state/fold-builder.ts",
        find: "return foldRemotePush(fold, record);",
        replace: "return { ...foldRemotePush(fold, record), own: withOwn(fold.own, [record.at]) };",
      },
    ],
  },
];
