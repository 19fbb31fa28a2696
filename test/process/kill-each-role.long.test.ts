import { expect, test } from "vitest";
import { endState } from "../rig/end-state.ts";
import { processSession } from "../rig/process-session.ts";
import { Random } from "../rig/random.ts";
import { rolePid } from "../rig/role-pid.ts";
import { SEED } from "../rig/share.ts";
import { WHOLE_RUN } from "./scenarios.ts";

test(`each role killed once at a random moment, the run ends in the same state (seed ${String(SEED)})`, async () => {
  await using undisturbed = processSession({ scenario: WHOLE_RUN });
  expect(await undisturbed.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const expected = endState(undisturbed);
  expect(expected.broken).toBeUndefined();
  for (const role of ["planner", "builder", "reviewer", "tester"]) {
    await using session = processSession({ scenario: WHOLE_RUN });
    const run = session.wisp("start", "request.md");
    const log = `logs/${role}.log`;
    // A random moment is a random length of the role's own log: it means the same on a slow machine.
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
      // It had just ended: then nothing was disturbed.
    }
    expect(await run, `${role} killed after line ${String(moment)}`).toMatchObject({ code: 0 });
    expect(endState(session), `${role} killed after line ${String(moment)}`).toEqual(expected);
    await session.until("the end of all processes", () => session.leftovers().length === 0);
  }
});
