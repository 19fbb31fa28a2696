import { expect, test } from "vitest";
import {
  knownRedPath,
  readKnownRed,
  redBasePolicy,
  rememberKnownRed,
  revisedRedBase,
} from "../../src/home/known-red.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const FOLDER = "/state/wisp/project-1";
const CONFINED: SessionJson["sandbox"] = {
  ...{ kind: "bubblewrap", network: true, commands: true },
  ...{ deny: [], allow: [], write: [], domains: [] },
};
const session = (sandbox: SessionJson["sandbox"] = CONFINED) => ({
  ...{ id: "a", state: `${FOLDER}/a`, parent: undefined, sandbox, policy: DEFAULT_POLICY },
});

test("accepted names add up over the sessions of a repository, and a line that is torn takes no other with it", () => {
  const files = new MemoryFiles();
  rememberKnownRed(files, session(), ["one", "two"]);
  files.append(knownRedPath(FOLDER), Buffer.from('{"session":"b","na |torn\n{"names":3}\n'));
  rememberKnownRed(files, session(), ["two", "three"]);
  expect(readKnownRed({ files, folder: FOLDER })).toEqual(["one", "two", "three"]);
});

test("a session without a sandbox neither adds names nor takes them over", () => {
  const files = new MemoryFiles();
  const none: SessionJson["sandbox"] = { ...CONFINED, kind: "none" };
  rememberKnownRed(files, session(none), ["one"]);
  expect(readKnownRed({ files, folder: FOLDER })).toEqual([]);
  rememberKnownRed(files, session(), ["one"]);
  const at = { files, folder: FOLDER };
  const said = { knownRed: [], isAccepted: false };
  expect(redBasePolicy(at, { ...said, sandbox: none })).toEqual({});
  expect(redBasePolicy(at, { ...said, sandbox: CONFINED })).toEqual({ remembered: ["one"] });
  expect(redBasePolicy(at, { knownRed: ["two"], isAccepted: true, sandbox: none })).toEqual({
    accept: true,
    known: ["two"],
  });
});

test("a revision takes over what was accepted at its parent's base, and no red that nobody accepted", () => {
  const at = { files: new MemoryFiles(), folder: FOLDER };
  const baseline = { outcome: "failed", failing: ["one"], output: undefined } as const;
  const family = (kind: "accepted" | "judged") => [
    { state: { builder: { ...EMPTY_BUILDER, baseline, baseOutcome: { kind } } } },
  ];
  const parent = session({ ...CONFINED, kind: "none" });
  expect(revisedRedBase(at, parent, family("judged"))).toEqual({});
  expect(revisedRedBase(at, parent, family("accepted"))).toEqual({ remembered: ["one"] });
  const policy = { ...DEFAULT_POLICY, redBase: { accept: true as const, remembered: ["zero"] } };
  expect(revisedRedBase(at, { ...parent, policy }, family("accepted"))).toEqual({
    accept: true,
    remembered: ["zero", "one"],
  });
});
