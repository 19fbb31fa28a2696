import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_SANDBOX } from "../../../src/base/ports/sandbox.ts";
import { runOldTests, type OldTestsRun } from "../../../src/evidence/integrity/run-old-tests.ts";
import { firstNetwork, networkAt } from "../../../src/evidence/look/kept-network.ts";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import type { LookNetwork } from "../../../src/fs-protocol/records/look-record.ts";
import {
  EMPTY_BUILDER,
  verifyKey,
  type BuilderFold,
  type VerifyResult,
} from "../../../src/session/state/builder-state.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";
import { sha } from "../../rig/records.ts";
import { TELLS_LOOPBACK } from "./loopback-sandbox.ts";

const [BASE, LATER, TREE] = [sha(1), sha(2), sha(3)];
const decided = (network?: LookNetwork): VerifyResult => {
  return { outcome: "passed", failing: undefined, output: undefined, network };
};
const BUILT = { stage: { kind: "build" } } as const;

const session = { base: BASE, verify: [["check"]], parent: undefined };
const place = { session, sandbox: TELLS_LOOPBACK };
const folded = (fields: Partial<BuilderFold>) => ({ ...EMPTY_BUILDER, ...fields });

test.each<[string, Partial<BuilderFold>, string, LookNetwork]>([
  ["a base that nothing is known of", {}, BASE, "own"],
  ["a commit whose base needed none", { ...BUILT, baseline: decided("own") }, LATER, "own"],
  ["a commit whose base needed it", { ...BUILT, baseline: decided("machine") }, LATER, "machine"],
  [
    "a base that needed it, when it is looked at again",
    { baseline: decided("machine") },
    BASE,
    "machine",
  ],
  ["a base that an older wisp judged", { baseline: decided() }, BASE, "machine"],
  ["a base that was never judged", BUILT, BASE, "machine"],
  ["a commit whose base was never judged", BUILT, LATER, "machine"],
])("the first look at %s", (_, fields, at, network) => {
  expect(firstNetwork(place, folded(fields), at)).toBe(network);
  expect(firstNetwork({ session, sandbox: NO_SANDBOX }, folded(fields), at)).toBeUndefined();
  expect(firstNetwork({ session, sandbox: undefined }, folded(fields), at)).toBeUndefined();
});

test("the network of other runs is that of verify at the same tree, else at the base", () => {
  const key = verifyKey(commandKey(session.verify), TREE);
  const there = folded({
    baseline: decided("own"),
    verified: new Map([[key, decided("machine")]]),
  });
  expect(networkAt(place, there, TREE)).toBe("machine");
  expect(networkAt(place, there, sha(4))).toBe("own");
  expect(networkAt(place, folded({}), TREE)).toBe("machine");
  expect(networkAt({ session, sandbox: NO_SANDBOX }, there, TREE)).toBeUndefined();
});

test.each([
  ["own" as const, "own machine own "],
  ["machine" as const, "machine machine machine "],
])(
  "old tests run on the network that the base needed (%s), and their failures are confirmed with the machine's and there again",
  async (network, loops) => {
    const script = `echo "$LOOP " | tr -d '\\n' >> "$(cd ../../.. && pwd).runs"; echo "not ok 1 - a"; exit 1`;
    using rig = sessionRig({ verify: [["sh", "-c", script]] });
    const role = rig.role("reviewer", () => PASSED, { sandbox: TELLS_LOOPBACK });
    const builder = rig.role("builder");
    const { tree, setup } = await role.context.trees.factsAt(rig.session.base);
    const { journal } = builder.context;
    const result = { at: rig.session.base, tree, command: "c", setup, outcome: "passed" } as const;
    journal.append({ kind: "verify.result", time: journal.time(), ...result, network });
    const tests = { from: rig.session.base, paths: [], commands: new Map() };
    const run: OldTestsRun = { unit: "u", end: rig.session.base, tests, by: "new-harness" };
    await runOldTests(role.context, new Map(), run);
    await runOldTests(role.context, new Map(), { ...run, again: 1 });
    await runOldTests(role.context, new Map(), { ...run, again: 2 });
    expect(readFileSync(`${rig.session.state}.runs`, "utf8")).toBe(loops);
  },
);
