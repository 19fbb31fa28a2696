import fc from "fast-check";
import { expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { owed } from "../../src/workspace/session/owed.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import type { ScenarioName } from "../model/scenarios.ts";
import { randomState } from "../rig/random-session.ts";

const SCENARIOS: readonly ScenarioName[] = [
  "plain",
  "asks",
  "gaveup",
  "gaveupBug",
  "gaveupPlan",
  "failed",
  "stuck",
  "resumeFix",
  "dismiss",
  "fixAll",
  "redBase",
];

const states: fc.Arbitrary<SessionState> = fc
  .record({
    scenario: fc.constantFrom(...SCENARIOS),
    steps: fc.nat(60),
    choices: fc.infiniteStream(fc.nat(10_000)),
  })
  .map(({ scenario, steps, choices }) =>
    randomState(scenario, steps, (below) => (choices.next().value ?? 0) % below),
  );

/** What a role waits for, if it waits. */
function waitOf(role: (typeof ROLES)[number], state: SessionState): string | undefined {
  const step = coordinate(role, state, 0);
  return step.kind === "wait" ? step.reason.kind : undefined;
}

test("a role that owes something says what it is, and does not wait for other roles", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(states, (state) => {
      for (const { role, what } of owed(state)) {
        expect({ role, isNamed: what.length > 0 }).toEqual({ role, isNamed: true });
        const waits = waitOf(role, state);
        seen.add(`${role} ${waits ?? "works"}`);
        expect([undefined, "question", "paused", "old-view", "hold"]).toContain(waits);
      }
    }),
    { numRuns: 1_000 },
  );
  expect([...seen].filter((one) => one.endsWith("works")).length).toBe(ROLES.length);
});

test("every role that the builder waits for owes something", () => {
  fc.assert(
    fc.property(states, (state) => {
      const step = coordinate("builder", state, 0);
      if (step.kind !== "wait" || step.reason.kind !== "roles") return;
      const owing = owed(state).map(({ role }) => role);
      expect(owing).toEqual(expect.arrayContaining([...step.reason.roles]));
    }),
    { numRuns: 500 },
  );
});
