import type { Planted } from "./planted.ts";

const BACKED = "session/steps/backed-ticks.ts";

/** Naive rules about what backs a ticked box. */
export const PLANTED_TICKS: readonly Planted[] = [
  {
    name: "Backed",
    rule: "a commit backs a box even if it changes no file",
    scenario: "empty",
    invariant: "I17",
    edits: [{ file: BACKED, find: `byOthers ? "others" : "nothing"`, replace: `"turn"` }],
  },
  {
    name: "Backed",
    rule: "a box needs a change that was made since its own milestone began",
    scenario: "ahead",
    invariant: "L4",
    edits: [{ file: BACKED, find: `byOthers ? "others" : "nothing"`, replace: `"nothing"` }],
  },
];
