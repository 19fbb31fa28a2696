import { cpSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryDamages, doDamage } from "../rig/damage.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { SEED } from "../rig/share.ts";
import { idle } from "../rig/walk-session.ts";
import { asking, planOf } from "./asking-session.ts";

/*
 * What commands print with --json about sessions in states that other tests do not come to: the rig validates each
 * document with the published schema that it names.
 */

const ID = "a-request";
const LOOKS = [
  ...[["status"], ["report"], ["plan"], ["tasks"], ["log"], ["findings"], ["cost"], ["fsck"]],
  ...[["review"], ["why", "One"]],
];

/** Looks at a session with every command; how many told something, and how many were refused. */
async function lookAt(session: ProcessSession) {
  const printed = { told: 0, refused: 0 };
  const { code } = await session.wisp("list", "--json");
  expect(code).toBe(0);
  for (const [command = "", ...words] of LOOKS) {
    const named = command === "why" ? [...words, "--session", ID] : [ID];
    const { stdout } = await session.wisp(command, ...named, "--json");
    expect([command, stdout]).not.toEqual([command, ""]);
    printed[stdout.includes('"wisp.error/1"') ? "refused" : "told"] += 1;
  }
  return printed;
}

test("a plan that waits, and the decision about it, are as the schemas say", async () => {
  await using session = asking({
    judges: 't.finds([["Style", "One.txt", "It says little", "warning"]]); return;',
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  expect((await lookAt(session)).told).toBeGreaterThan(6);
  const { sha256 } = await planOf(session);
  const approve = ["plan", "--approve", "--digest", sha256, "--json"];
  const dry = await session.wisp(...approve, "--dry-run");
  expect(JSON.parse(dry.stdout)).toMatchObject({ schema: "wisp.decide-plan/1", isDryRun: true });
  expect(await session.wisp("stop", ID)).toMatchObject({ code: 0 });
  const approved = await session.wisp(...approve);
  expect(JSON.parse(approved.stdout)).toMatchObject({
    schema: "wisp.decide-plan/1",
    isDryRun: false,
  });
});

test("what is told of a session whose files are removed, replaced or cut is as the schemas say", async () => {
  await using session = asking({ plan: "auto" });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  await idle(session);
  expect(await lookAt(session)).toEqual({ told: LOOKS.length, refused: 0 });
  const home = realpathSync(session.home(ID));
  const kept = join(session.root, "kept");
  cpSync(home, kept, { recursive: true, verbatimSymlinks: true });
  const elsewhere = join(session.root, "elsewhere");
  mkdirSync(elsewhere);
  const seen = { told: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(arbitraryDamages, async (damages) => {
      rmSync(home, { recursive: true, force: true });
      cpSync(kept, home, { recursive: true, verbatimSymlinks: true });
      for (const damage of damages) doDamage(home, elsewhere, damage);
      const { told, refused } = await lookAt(session);
      seen.told += told;
      seen.refused += refused;
      expect(told + refused).toBe(LOOKS.length);
    }),
    { numRuns: 25, seed: SEED, endOnFailure: true },
  );
  expect(seen.told).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(0);
});
