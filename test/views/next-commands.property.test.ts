import fc from "fast-check";
import { expect, test } from "vitest";
import { ROLES, type Role } from "../../src/base/role.ts";
import { splitCommand } from "../../src/agents/tester/command-line.ts";
import { foldHuman } from "../../src/session/state/fold-human.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { WISP_STATES, type SessionEvent } from "../../src/session/rules/session-machine.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { listedSession } from "../../src/views/next/session-rows.ts";
import { allow } from "../../src/workspace/session/session-stage.ts";
import type { StatusFacts } from "../../src/workspace/session/status-facts.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { factsOf, oid } from "../cli/session-states.ts";
import type { ScenarioName } from "../model/scenarios.ts";
import { randomState } from "../rig/random-session.ts";

/** Worlds with many questions, stops, reopens, units that give up, and findings that are not fixed. */
const SCENARIOS: readonly ScenarioName[] = [
  "plain",
  "asks",
  "asksFail",
  "gaveup",
  "gaveupBug",
  "gaveupPlan",
  "failed",
  "stuck",
  "resumeFix",
  "stop",
  "pause",
  "dismiss",
  "fixAll",
  "redBase",
];

const TIME = "2026-11-20T12:00:00.000Z";
const SAID: readonly (readonly HumanRecord[])[] = [
  [],
  [],
  [{ kind: "stop", time: TIME }],
  [{ kind: "pause", time: TIME }],
  [{ kind: "approve", time: TIME }],
  [{ kind: "abandon", time: TIME }],
  [{ kind: "reject", time: TIME }],
  [{ kind: "done", time: TIME, at: oid("1") }],
  [{ kind: "done", time: TIME, at: oid("1"), remote: "origin" }],
];
const ALIVE: readonly (readonly (Role | "supervisor")[])[] = [
  [],
  ["supervisor", ...ROLES],
  ["supervisor"],
  ["builder"],
];

const facts: fc.Arbitrary<StatusFacts> = fc
  .record({
    scenario: fc.constantFrom(...SCENARIOS),
    steps: fc.nat(45),
    choices: fc.infiniteStream(fc.nat(10_000)),
    said: fc.constantFrom(...SAID),
    alive: fc.constantFrom(...ALIVE),
    hasClones: fc.boolean(),
  })
  .map(({ scenario, steps, choices, said, alive, hasClones }) => {
    const choose = (below: number) => (choices.next().value ?? 0) % below;
    const walked = randomState(scenario, steps, choose);
    const state: SessionState = { ...walked, human: said.reduce(foldHuman, walked.human) };
    return { ...factsOf({}), state, alive: new Set(alive), hasClones };
  });

/** The event that a command means for a session. */
function eventOf(command: string): SessionEvent | undefined {
  const words = splitCommand(command);
  if (!words.ok) throw new Error(`"${command}" is no command`);
  const [program, verb] = words.value;
  if (program === "git") return undefined;
  switch (verb) {
    case "up":
    case "resume":
    case "answer":
      return verb;
    case "findings":
      return "judge";
    case "done":
      return "hand-in";
    case "abandon":
    case "list":
    case "review":
    case "revise":
    case "status":
      return undefined;
    default:
      throw new Error(`"${command}" is not known here`);
  }
}

test("every state names a next command, and every named command is allowed", () => {
  const stages = new Set<string>();
  fc.assert(
    fc.property(facts, (session) => {
      const { stage, state, next } = statusView(session);
      stages.add(stage);
      expect({ stage, isEmpty: next.length === 0 }).toEqual({ stage, isEmpty: false });
      for (const command of next) {
        const event = eventOf(command);
        // Shipped work may be shipped again, which does the rest.
        if (event === undefined || stage === "pushed" || stage === "taken") continue;
        const { state: folded, nowMs } = session;
        expect({ command, stage, ...allow(event, { id: "api", state: folded, nowMs }) }).toEqual({
          command,
          stage,
          ok: true,
          value: undefined,
        });
      }
      if (stage === "asks" || stage === "blocked") expect(next[0]).toMatch(/^wisp answer /u);
      if (state === "DONE") expect(next).not.toContain("wisp up api");
    }),
    { numRuns: 250 },
  );
  // The walks reach enough states to be meaningful.
  expect(stages.size).toBeGreaterThan(12);
});

test("without a living process, nothing is shown as running or waiting; PR_PUSHED means that the work was pushed", () => {
  fc.assert(
    fc.property(facts, (session) => {
      const view = statusView(session);
      const { closed } = session.state.human;
      if (session.alive.size === 0) {
        expect(view.state).not.toBe("RUNNING");
        expect(view.drainLeftMs).toBeUndefined();
      }
      const isPushed = closed?.how === "done" && closed.remote !== undefined;
      if (view.state === "PR_PUSHED") expect(isPushed).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("list and status show the same state, in the words of the state machine", () => {
  fc.assert(
    fc.property(facts, (session) => {
      const view = statusView(session);
      const { says, state, stage } = listedSession(session);
      expect({ state, stage }).toEqual({ state: view.state, stage: view.stage });
      expect(plainText(statusRows(view)).split("\n")[0]).toContain(`api  ${says}  `);
      expect(says.startsWith(`${WISP_STATES[stage].name} (`)).toBe(true);
    }),
    { numRuns: 150 },
  );
});
