import { expect, test } from "vitest";
import { endState } from "../rig/end-state.ts";
import { processSession } from "../rig/process-session.ts";
import { Random } from "../rig/random.ts";
import { rolePid } from "../rig/role-pid.ts";
import { SEED } from "../rig/share.ts";
import { WHOLE_RUN } from "./scenarios.ts";

test(`a run ends in the same state when one role is killed at a random moment (seed ${String(SEED)})`, async () => {
  await using undisturbed = processSession({ scenario: WHOLE_RUN });
  expect(await undisturbed.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const expected = endState(undisturbed);
  expect(expected.broken).toBeUndefined();
  for (const role of ["planner", "builder", "reviewer", "tester"]) {
    await using session = processSession({ scenario: WHOLE_RUN });
    const run = session.wisp("start", "request.md");
    const log = `logs/${role}.log`;
    // The moment is a random length of the role's own log, so that it does not depend on the machine's speed.
    const whole = undisturbed.read(log).split("\n").length;
    const moment = Math.max(1, Math.floor(Random.for(SEED, role).unit() * (whole - 1)));
    await session.until(`line ${String(moment)} of ${log}`, () => {
      return session.read(log).split("\n").length > moment;
    });
    const pid = rolePid(session, role);
    expect(pid).toBeTypeOf("number");
    try {
      process.kill(pid ?? 0, "SIGKILL");
    } catch {
      // It had just ended, so nothing was killed.
    }
    expect(await run, `${role} killed after line ${String(moment)}`).toMatchObject({ code: 0 });
    expect(endState(session), `${role} killed after line ${String(moment)}`).toEqual(expected);
    await session.until("the end of all processes", () => session.leftovers().length === 0);
  }
});
