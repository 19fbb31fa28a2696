import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { acceptBase, verifyBase } from "../../../src/agents/builder/verify-base.ts";
import { verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { isRedAccepted, questionAnsweredBefore } from "../../../src/session/state/base-outcome.ts";
import { EMPTY_HUMAN } from "../../../src/session/state/fold-human.ts";
import { isUnanswered } from "../../../src/session/state/open-unit.ts";
import { readKnownRed } from "../../../src/home/known-red.ts";
import type { RedBasePolicy } from "../../../src/fs-protocol/home/policy.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
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
      const step = { kind: "accept-base", unit, question, isBefore: false } as const;
      acceptBase(role.context, { ...stateWith({}), builder: fold() }, step);
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

const RED_BY_NAME = [[process.execPath, "-e", "console.log('not ok 1 - old'); process.exit(1)"]];
const redBase = (said: RedBasePolicy) => ({ ...DEFAULT_POLICY, redBase: said });
/** Only its kind counts: the rig's commands run outside of it. */
const CONFINED = {
  ...{ kind: "bubblewrap", network: true, commands: false },
  ...{ deny: [], allow: [], write: [], domains: [] },
} satisfies SessionJson["sandbox"];
const remembered = ({ context: { ports, session } }: ReturnType<typeof builderOf>) =>
  readKnownRed({ files: ports.files, folder: dirname(session.state) });
const OUTCOMES = (builder: ReturnType<typeof builderOf>) =>
  builder.recordsOf("base.end").map(({ outcome, by, how }) => ({ outcome, by, how }));

test("in a session from before version 3, a base with named failing tests is noted without a question", async () => {
  using builder = builderOf({ verify: RED_BY_NAME });
  await builder.looks(false);
  expect(builder.kinds()).toEqual(["verify.result", "note"]);
  expect(builder.recordsOf("note")[0]?.text).toBe("verify was red at the base already: old");
});

test("a base that is red by name is a question, and the accepted names are remembered for the repository", async () => {
  using builder = builderOf({ verify: RED_BY_NAME, policy: redBase({}), sandbox: CONFINED });
  await builder.looks(false);
  expect(OUTCOMES(builder)).toEqual([{ outcome: "needs_input" }]);
  expect(builder.recordsOf("base.end")[0]?.ask).toContain("1 test fails: old");
  builder.accepts("builder-1");
  expect(OUTCOMES(builder).at(-1)).toEqual({ outcome: "accepted", by: "builder-1" });
  expect(isRedAccepted(builder.fold())).toBe(false);
  expect(remembered(builder)).toEqual(["old"]);
});

test("without a sandbox, in which an engine could write the names itself, nothing is remembered", async () => {
  using builder = builderOf({ verify: RED_BY_NAME, policy: redBase({}) });
  await builder.looks(false);
  builder.accepts("builder-1");
  expect(remembered(builder)).toEqual([]);
});

test.each([
  ["option", { accept: true }],
  ["settings", { known: ["other", "old"] }],
  ["remembered", { known: ["other"], remembered: ["old"] }],
] satisfies readonly (readonly [string, RedBasePolicy])[])(
  "what a person said in advance answers the question: %s",
  async (how, said) => {
    using builder = builderOf({ verify: RED_BY_NAME, policy: redBase(said) });
    await builder.looks(false);
    expect(OUTCOMES(builder)).toEqual([
      { outcome: "needs_input" },
      { outcome: "accepted", by: "builder-1", how },
    ]);
    expect(builder.fold().questions.filter((one) => isUnanswered(one, EMPTY_HUMAN))).toEqual([]);
  },
);

test("names that are known cover no other test, and no red that names none", async () => {
  using other = builderOf({ verify: RED_BY_NAME, policy: redBase({ known: ["older"] }) });
  await other.looks(false);
  expect(OUTCOMES(other)).toEqual([{ outcome: "needs_input" }]);
  using unnamed = builderOf({ policy: redBase({ known: ["old"] }) });
  await unnamed.looks(false);
  expect(OUTCOMES(unnamed)).toEqual([{ outcome: "needs_input" }]);
});

test("verify that could not be run is a question whatever was said in advance", async () => {
  using builder = builderOf({ setup: [["false"]], policy: redBase({ accept: true }) });
  await builder.looks(false);
  expect(OUTCOMES(builder)).toEqual([{ outcome: "needs_input" }]);
});

test("a builder that was killed between the question and the answer of the settings records the answer next", async () => {
  using builder = builderOf({ verify: RED_BY_NAME, policy: redBase({ known: ["old"] }) });
  await builder.looks(false);
  const records = builder.records().slice(0, -2);
  const fold = records.reduce(
    (state, one) => foldBuilder(state, one, DEFAULT_POLICY),
    EMPTY_BUILDER,
  );
  expect(records.at(-1)).toMatchObject({ kind: "base.end", outcome: "needs_input" });
  expect(questionAnsweredBefore(fold, { known: ["old"] })).toBe("builder-1");
  expect(questionAnsweredBefore(fold, {})).toBeUndefined();
  expect(questionAnsweredBefore(builder.fold(), { known: ["old"] })).toBeUndefined();
});
