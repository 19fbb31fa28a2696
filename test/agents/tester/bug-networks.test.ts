import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../../src/base/assert.ts";
import type { LookNetwork } from "../../../src/fs-protocol/records/look-record.ts";
import { NAMING_RULES } from "../../../src/fs-protocol/records/tally.ts";
import { sessionRig } from "../role-rig.ts";
import { TELLS_LOOPBACK } from "../../evidence/look/loopback-sandbox.ts";
import { found } from "../turns.ts";
import { testing } from "./testing.ts";

/** What becomes of a bug with this command, where verify needed this network at the base, and how often it ran. */
async function claimed(command: string, network: LookNetwork | undefined) {
  using rig = sessionRig();
  const { context } = rig.role("builder");
  const { tree, setup } = await context.trees.factsAt(rig.session.base);
  const result = { at: rig.session.base, tree, command: "c", setup, outcome: "passed" } as const;
  const tally = { rules: NAMING_RULES };
  const { journal } = context;
  journal.append({ kind: "verify.result", time: journal.time(), ...result, tally, network });
  const counted = `echo "$LOOP " | tr -d '\\n' >> "$(cd ../../.. && pwd).runs"; ${command}`;
  const bug = `sh -c '${counted.replaceAll("'", `'"'"'`)}'`;
  const role = await testing(rig, () => found("Bug", "src/a.js:1", bug), {
    sandbox: TELLS_LOOPBACK,
  });
  await role.perform();
  const end = present(role.recordsOf("test.end")[0], "the unit has ended");
  const [ran] = role.recordsOf("command.result");
  const path = join(rig.at.home.turns, `${ran?.output ?? ""}.out`);
  return {
    accepted: end.bugs.length,
    loops: readFileSync(`${rig.session.state}.runs`, "utf8"),
    results: role.recordsOf("command.result").length,
    alone: ran?.alone,
    printed: readFileSync(path, "utf8"),
  };
}

const ASKS = `echo seen by $LOOP; [ $LOOP = machine ]`;
const HELD = `echo "not ok 1 - a"; [ $LOOP = own ] || echo "not ok 2 - held"; echo "# tests 4"; echo "# pass 3"; echo "# fail 1"; exit 1`;

test("a bug's command that fails for the want of a network is no bug", async () => {
  expect(await claimed(ASKS, "own")).toEqual({
    accepted: 0,
    loops: "own machine ",
    results: 1,
    // The run on the second network repeats the first one.
    alone: "yes",
    printed: "seen by machine\n",
  });
});

test.each([["machine" as const], [undefined]])(
  "where verify has the machine's network (%s), a bug's command has it at once, and when it is repeated",
  async (network) => {
    expect(await claimed("exit 1", network)).toMatchObject({
      accepted: 1,
      loops: "machine machine machine ",
    });
  },
);

test("a bug's command that passes without the network is run once", async () => {
  expect(await claimed("exit 0", "own")).toMatchObject({
    accepted: 0,
    loops: "own ",
    alone: undefined,
  });
});

test("a bug that shows both ways is shown as it fails with nobody else on its ports", async () => {
  const { printed, ...bug } = await claimed(HELD, "own");
  expect(bug).toEqual({ accepted: 1, loops: "own machine own own ", results: 1, alone: "yes" });
  expect(printed).not.toContain("held");
});
