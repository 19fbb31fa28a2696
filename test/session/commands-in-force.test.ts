import { expect, test } from "vitest";
import type { CommandSettings } from "../../src/fs-protocol/home/command-settings.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { encodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { decodeRecord, encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import {
  commandsInForce,
  replacedCommands,
  replacedIn,
} from "../../src/session/commands/commands-in-force.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "../../src/session/state/fold-human.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { human as person } from "../rig/records.ts";

const BASE = "3f9c1e0a7b52d84e6f01c2a9b8d7e6f5a4c3b2d1";
const TIME = "2026-11-20T12:00:00.000Z";
const POLICY = { ...DEFAULT_POLICY, redBase: {} };

const settings = (word: string): CommandSettings => ({
  setup: [],
  build: [["make", word]],
  verify: [["npm", "run", word]],
  verifyTimeoutMs: 60_000,
  env: [word.toUpperCase()],
});

const red: BuilderRecord = {
  ...{ kind: "verify.result", time: TIME, at: BASE, tree: BASE, command: "c", setup: "s" },
  ...{ outcome: "failed", failing: ["old"] },
};
const passed: BuilderRecord = { ...red, command: "d", outcome: "passed", failing: undefined };
const unit = encodeUnit({ kind: "base", at: BASE });
const END = { kind: "base.end", time: TIME, unit, at: BASE } as const;
const asks = (n: number): BuilderRecord => ({
  ...{ ...END, outcome: "needs_input", question: `builder-${String(n)}`, ask: "red?" },
});
const judged: BuilderRecord = { ...END, outcome: "judged" };
const known: BuilderRecord = { ...END, outcome: "accepted", by: "builder-1", how: "settings" };
const says = (n: number, word: string, text = "again"): HumanRecord => ({
  ...{ kind: "answer", time: TIME, question: `builder-${String(n)}`, text },
  settings: settings(word),
});

/** A milestone's unit that asks, under the id that follows. */
const buildAsks = (n: number): BuilderRecord => ({
  ...{ kind: "build.end", time: TIME, unit: "build:One:1", outcome: "needs_input" },
  ...{ m: "One", ticks: [], commits: [], milestones: [] },
  ...{ question: `builder-${String(n)}`, ask: "which?" },
});

function replaced(builders: readonly BuilderRecord[], humans: readonly HumanRecord[]) {
  return replacedCommands({
    builder: builders.reduce((fold, one) => foldBuilder(fold, one, POLICY), EMPTY_BUILDER),
    human: humans.reduce(foldHuman, EMPTY_HUMAN),
  });
}

test("settings of the answer to the question about the base are in force, before and after it is looked at again", () => {
  expect(replaced([red, asks(1)], [says(1, "unit")])).toEqual(settings("unit"));
  expect(replaced([red, asks(1), passed, judged], [says(1, "unit")])).toEqual(settings("unit"));
});

test("a later answer replaces those of an earlier one, and one without settings leaves them", () => {
  const twice = [red, asks(1), red, asks(2)];
  expect(replaced(twice, [says(1, "unit"), says(2, "fast")])).toEqual(settings("fast"));
  expect(replaced(twice, [says(1, "unit"), person.answer("builder-2", "again")])).toEqual(
    settings("unit"),
  );
  expect(replaced(twice, [says(1, "unit"), person.answer("builder-2", "accept")])).toEqual(
    settings("unit"),
  );
});

test.each<readonly [string, readonly BuilderRecord[], readonly HumanRecord[]]>([
  ["a second answer", [red, asks(1)], [person.answer("builder-1", "again"), says(1, "unit")]],
  ["an answer that accepts", [red, asks(1)], [says(1, "unit", " Accept ")]],
  ["an answer to a question that is not asked yet", [red], [says(1, "unit")]],
  ["an answer to another question", [red, passed, buildAsks(1)], [says(1, "unit")]],
  ["an answer to a question that the settings had answered", [red, asks(1), known], [says(1, "u")]],
  [
    "an answer after the session was closed",
    [red, asks(1)],
    [{ kind: "abandon", time: TIME }, says(1, "unit")],
  ],
])("%s puts no settings in force", (_, builders, humans) => {
  expect(replaced(builders, humans)).toEqual({});
});

test("a session from before version 3 keeps the commands that it began with", () => {
  const facts = {
    builder: [red, asks(1)].reduce((fold, one) => foldBuilder(fold, one, POLICY), EMPTY_BUILDER),
    human: foldHuman(EMPTY_HUMAN, says(1, "unit")),
  };
  expect(replacedIn({ version: 2 }, facts)).toEqual({});
  expect(replacedIn({ version: 3 }, facts)).toEqual(settings("unit"));
  const frozen = { setup: [["npm", "ci"]], build: undefined, verify: [["npm", "test"]] };
  const session = { ...frozen, verifyTimeoutMs: 1, commands: { env: ["A"] } };
  expect(commandsInForce(session, {})).toEqual({
    ...{ setup: [["npm", "ci"]], build: [], verify: [["npm", "test"]] },
    ...{ verifyTimeoutMs: 1, env: ["A"] },
  });
  expect(commandsInForce(session, settings("unit"))).toEqual(settings("unit"));
});

test("a record holds whole values, and is read back as it was written", () => {
  const record = says(1, "unit");
  const line = encodeRecord(HumanRecord, record).trimEnd();
  expect(line).toContain(" settings=");
  expect(decodeRecord(HumanRecord, line)).toEqual({ ok: true, value: record });
});
