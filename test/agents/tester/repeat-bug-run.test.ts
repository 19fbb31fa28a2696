import { expect, test } from "vitest";
import { repeatBugRun } from "../../../src/agents/tester/repeat-bug-run.ts";
import type { RunOnNetwork } from "../../../src/agents/tester/run-on-networks.ts";

type Judged = Extract<RunOnNetwork, { readonly kind: "judged" }>;

const passed = judged({ outcome: "passed" });
const failed = judged({ outcome: "failed", reason: "it exited with 1" });
const killed = { ...judged({ outcome: "unstarted", reason: "SIGKILL" }), isPassing: true };
const absent = judged({ outcome: "unstarted", reason: "not found" });
const failedIn = (...failing: string[]) => judged({ outcome: "failed", failing });

function judged(result: Partial<Judged["result"]> & Pick<Judged["result"], "outcome">): Judged {
  const nothing = { reason: undefined, failing: undefined, tally: undefined, output: undefined };
  return {
    kind: "judged",
    result: { ...nothing, ...result },
    isPassing: false,
    network: undefined,
  };
}

/** Runs that end like these, one after the other. */
function repeated(...ends: readonly Judged[]) {
  return repeatBugRun((n) => Promise.resolve(ends[n - 1] ?? { kind: "stopped" }));
}

test.each([
  ["passes at once", [passed], "passed", 1],
  ["fails once and passes then", [failed, passed], "passed", 2],
  ["fails three times", [failed, failed, failed], "failed", 3],
  ["is killed once and fails then", [killed, failed, failed, failed], "failed", 4],
  ["is killed three times", [killed, killed, killed], "unstarted", 3],
  ["cannot be started", [absent], "unstarted", 1],
  [
    "fails in the same test each time",
    [failedIn("a"), failedIn("b", "a"), failedIn("a")],
    "failed",
    3,
  ],
  [
    "fails in another test each time",
    [failedIn("a"), failedIn("b"), failedIn("c")],
    "unstarted",
    3,
  ],
] as const)("a command that %s", async (_, ends, outcome, looks) => {
  expect(await repeated(...ends)).toMatchObject({ kind: "judged", result: { outcome }, looks });
});

test("only what failed each time is named", async () => {
  const ran = await repeated(failedIn("a", "c"), failedIn("a", "b"), failedIn("a", "b"));
  expect(ran).toMatchObject({ result: { failing: ["a"] } });
});

test("a stop during a repeat decides nothing", async () => {
  expect(await repeated(failed)).toEqual({ kind: "stopped" });
});
