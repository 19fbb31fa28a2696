import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publishBuild } from "../../../src/agents/builder/end-build.ts";
import { recover } from "../../../src/agents/builder/recover.ts";
import { roleLog } from "../../../src/fs-protocol/home/home.ts";
import type { Policy } from "../../../src/fs-protocol/home/policy.ts";
import { builder } from "../../rig/records.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { sessionRig, type SessionRig } from "../role-rig.ts";

const KEY = "build:One:1";
const ALL: Policy["adopts"] = ["verify", "setup", "build"];

/** The package of a project whose tests end like this. */
function packageOf(exitCode: number): string {
  const script = `node -e process.exitCode=${String(exitCode)}`;
  return JSON.stringify({ name: "a", version: "1.0.0", scripts: { test: script } });
}

interface Brought {
  readonly exitCode: number;
  readonly adopts?: Policy["adopts"];
}

/** A session whose only milestone brings a package, up to the end of its unit. */
async function bringing(rig: SessionRig, { exitCode, adopts }: Brought) {
  const policy = { ...rig.session.policy, adopts };
  const role = rig.role("builder", undefined, { session: { version: 3, verify: [], policy } });
  const { journal } = role.context;
  const { base } = rig.session;
  journal.append(builder.adopt({ One: ["one"] }));
  journal.append({ kind: "unit.begin", time: journal.time(), unit: KEY, base });
  const clone = await role.context.clone();
  await clone.syncTo();
  put(clone.directory, "package.json", packageOf(exitCode));
  commit(clone.directory, "Add a package");
  const unit = { key: KEY, milestone: "One", base };
  const splits = [{ m: "One", commits: 1 }];
  const state = async () => {
    const read = await role.context.reader.read();
    if (!read.ok) throw new Error("the session cannot be read");
    return read.value;
  };
  await publishBuild(role.context, await state(), unit, {
    ticks: [{ m: "One", tasks: [1] }],
    splits,
  });
  return { ...role, state };
}

test("a package that a milestone brings verifies that milestone", async () => {
  using rig = sessionRig();
  const { context, recordsOf, state } = await bringing(rig, { exitCode: 0, adopts: ALL });
  const at = rig.at.git("rev-parse", "wisp/demo");
  const adopted = { m: "One", at, from: "package.json", verify: [["npm", "test"]], build: [] };
  expect(recordsOf("verify.adopt")).toMatchObject([adopted]);
  expect(recordsOf("verify.result")).toMatchObject([{ at, outcome: "passed" }]);
  expect(recordsOf("build.end")).toMatchObject([{ outcome: "milestone" }]);
  expect(context.session.verify).toEqual([["npm", "test"]]);
  expect(await state()).toMatchObject({ hasVerify: true });
});

test("its red tests withhold the milestone: that nothing can run at the base excuses nothing", async () => {
  using rig = sessionRig();
  const { recordsOf } = await bringing(rig, { exitCode: 1, adopts: ALL });
  const at = rig.at.git("rev-parse", "wisp/demo");
  expect(recordsOf("verify.result").map((result) => [result.at, result.outcome])).toEqual([
    [at, "failed"],
  ]);
  expect(recordsOf("build.end")).toMatchObject([{ outcome: "unverified" }]);
});

test.each([
  ["sessions from before version 3", undefined],
  ["sessions whose settings have a word on it", []],
] as const)("%s adopt nothing", async (_, adopts) => {
  using rig = sessionRig();
  const given = adopts === undefined ? {} : { adopts: [...adopts] };
  const { context, recordsOf, state } = await bringing(rig, { exitCode: 1, ...given });
  expect(recordsOf("verify.adopt")).toEqual([]);
  expect(recordsOf("build.end")).toMatchObject([{ outcome: "milestone" }]);
  context.journal.append({
    ...{ kind: "verify.adopt", time: context.journal.time(), m: "One", from: "Makefile" },
    ...{ at: rig.session.base, verify: [["make", "test"]], setup: [], build: [] },
  });
  expect(await state()).toMatchObject({ hasVerify: false });
  expect(context.session.verify).toEqual([]);
});

test("setup that the settings name stays as it is", async () => {
  using rig = sessionRig();
  const { context } = await bringing(rig, { exitCode: 0, adopts: ["verify"] });
  expect(context.session.setup).toEqual(rig.session.setup);
});

test("a builder that is killed after it adopted verify adopts it no second time", async () => {
  using rig = sessionRig();
  const { context, recordsOf, state } = await bringing(rig, { exitCode: 0, adopts: ALL });
  const path = roleLog(rig.at.home, "builder");
  const lines = readFileSync(path, "utf8").split("\n");
  const adopted = lines.findIndex((line) => line.includes(" verify.adopt "));
  writeFileSync(path, lines.slice(0, adopted + 1).join("\n") + "\n");
  await recover(context, await state());
  expect(recordsOf("verify.adopt")).toHaveLength(1);
  expect(recordsOf("build.end")).toMatchObject([{ outcome: "milestone" }]);
});
