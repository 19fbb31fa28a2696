import type { Sandbox } from "../../../src/base/ports/sandbox.ts";

/** A sandbox that only tells each command in `LOOP` which loopback it is given: `own`, or `machine`. */
export const TELLS_LOOPBACK: Sandbox = {
  kind: "srt",
  givesLoopback: true,
  confine: ({ hasOwnLoopback }) => {
    const loop = hasOwnLoopback === true ? "own" : "machine";
    return { ok: true, value: { before: ["env", `LOOP=${loop}`], env: {}, isKeeper: false } };
  },
};
