import type { Planted } from "./planted.ts";

const BUILDER = "session/steps/builder-step.ts";

/** Naive rules about a remote that moved. */
export const PLANTED_REMOTE: readonly Planted[] = [
  {
    name: "R40",
    rule: "what was recorded is rebased onto the remote",
    scenario: "remote",
    invariant: "I22",
    plant: "rebaseOnRemote",
  },
  {
    name: "R40",
    rule: "the remote's branch is forced to ours",
    scenario: "remote",
    invariant: "I22",
    plant: "forcePush",
  },
  {
    name: "R40",
    rule: "a merge is published without a look whether verify is red on it",
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
    rule: "a session is complete though nobody looked at the remote since the last boundary",
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
    rule: "what a look took over from the remote counts as wisp's own work",
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
