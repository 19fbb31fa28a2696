import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptBase, verifyBase } from "../../../src/agents/builder/verify-base.ts";
import { verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { encodeUnit } from "../../../src/fs-protocol/records/unit-key.ts";
import { stateWith } from "../../model/hand-made.ts";
import { sessionRig, type RoleRig } from "../role-rig.ts";
import { PASSED } from "../turns.ts";

/** Counts its runs in one file outside, and passes if another one exists. */
const CHECK = `
  const fs = require("node:fs");
  const at = process.argv[1];
  fs.appendFileSync(at + ".runs", "x");
  if (fs.existsSync(at)) process.exit(0);
  console.log("no database");
  process.exit(3);`;

function builderOf(fields: Partial<SessionJson> = {}) {
  const rig = sessionRig();
  const service = join(rig.at.repository, "..", "service");
  const session = { verify: [[process.execPath, "-e", CHECK, service]], ...fields };
  // README.md holds the word "project".
  const env = { project: "CANARY-mentioned", NOWHERE: "CANARY-not" };
  const role: RoleRig<"builder"> = rig.role("builder", () => PASSED, { session, env });
  const fold = (): BuilderFold =>
    role
      .records()
      .reduce((state, record) => foldBuilder(state, record, rig.session.policy), EMPTY_BUILDER);
  const unit = encodeUnit({ kind: "base", at: rig.session.base });
  return {
    ...role,
    service,
    fold,
    /** Runs the step as a builder that has just started. */
    looks: (isAgain: boolean) =>
      verifyBase(
        role.context,
        { ...stateWith({}), builder: fold() },
        { kind: "base", unit, isAgain },
      ),
    accepts: (question: string) => {
      acceptBase(role.context, { kind: "accept-base", unit, question });
    },
    runs: () => readFileSync(`${service}.runs`, { encoding: "utf8", flag: "a+" }).length,
    /** Of its records other than looks. */
    kinds: () => role.records().flatMap(({ kind }) => (kind === "look" ? [] : [kind])),
  };
}

test("a builder that was killed between the result and the question asks after its restart, without running verify again", async () => {
  using builder = builderOf();
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at.session.base);
  expect(builder.kinds()).toEqual(["verify.result"]);
  // A red base is confirmed: verify runs three times.
  const runs = builder.runs();
  await builder.looks(false);
  expect(builder.runs()).toBe(runs);
  const [asked] = builder.recordsOf("base.end");
  expect(asked).toMatchObject({ outcome: "needs_input", question: "builder-1" });
  expect(asked?.ask).toMatch(/names no failing test: .* … .*service exited with 3, at/u);
  expect(builder.fold().questions).toHaveLength(1);
});

test("after any other answer verify runs at the base again: the builder asks under a new id, or the base is judged", async () => {
  using builder = builderOf();
  await builder.looks(false);
  await builder.looks(true);
  expect(builder.runs()).toBe(6);
  expect(builder.recordsOf("base.end").map(({ question }) => question)).toEqual([
    "builder-1",
    "builder-2",
  ]);
  writeFileSync(builder.service, "");
  await builder.looks(true);
  expect(builder.recordsOf("base.end").at(-1)?.outcome).toBe("judged");
  expect(builder.fold().baseOutcome).toEqual({ kind: "judged" });
  // If it was killed right before that record, it does not run verify again once that has passed.
  await builder.looks(true);
  expect(builder.runs()).toBe(7);
});

test("an acceptance names the question that it answers", async () => {
  using builder = builderOf();
  await builder.looks(false);
  builder.accepts("builder-1");
  expect(builder.fold().baseOutcome).toEqual({ kind: "accepted" });
});

test("the question names variables that tracked files mention, and never their values", async () => {
  using builder = builderOf({ verify: [["false"]] });
  await builder.looks(false);
  const { ask = "" } = builder.recordsOf("base.end")[0] ?? {};
  expect(ask).toContain("Your environment has project: tracked files mention that");
  expect(ask).not.toMatch(/CANARY|NOWHERE/u);
  using named = builderOf({ verify: [["false"]], commands: { env: ["proj*"] } });
  await named.looks(false);
  expect(named.recordsOf("base.end")[0]?.ask).not.toContain("Your environment");
});

test("a person is also asked about a base whose setup fails, because nothing can be verified", async () => {
  using builder = builderOf({ setup: [["false"]] });
  await builder.looks(false);
  expect(builder.runs()).toBe(0);
  expect(builder.recordsOf("base.end")[0]?.ask).toContain(
    "Verify could not be run before any work: false exited with 1",
  );
});

test("a base with named failing tests is noted without a question", async () => {
  using builder = builderOf({
    verify: [[process.execPath, "-e", "console.log('not ok 1 - old'); process.exit(1)"]],
  });
  await builder.looks(false);
  expect(builder.kinds()).toEqual(["verify.result", "note"]);
  expect(builder.recordsOf("note")[0]?.text).toBe("verify was red at the base already: old");
});
