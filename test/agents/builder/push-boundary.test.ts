import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pushBoundary } from "../../../src/agents/builder/push-boundary.ts";
import { PASSED } from "../turns.ts";
import { memoryRole } from "../memory-role.ts";
import { sessionRig } from "../role-rig.ts";
import { sha } from "../../rig/records.ts";

test.each([
  ["no remote is configured", { at: "boundary" }],
  ["it is pushed when all is done", { at: "done", remote: "origin" }],
] as const)("nothing is pushed at a boundary when %s", async (_, publish) => {
  const { context, records } = memoryRole("builder", () => PASSED, { session: { publish } });
  await pushBoundary(context, sha(1));
  expect(records()).toEqual([]);
});

test("at a boundary the branch, and nothing else, is brought to the remote", async () => {
  using rig = sessionRig({ session: { publish: { at: "boundary", remote: "origin" } } });
  const remote = join(rig.at.repository, "..", "remote.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  rig.at.git("remote", "add", "origin", remote);
  const { context, recordsOf } = rig.role("builder");
  await pushBoundary(context, rig.session.base);
  expect(recordsOf("remote.push").map(({ at, outcome }) => [at, outcome])).toEqual([
    [rig.session.base, "pushed"],
  ]);
  expect(rig.at.git("ls-remote", "origin")).toBe(`${rig.session.base}\trefs/heads/wisp/demo`);
});

test("a remote that is not there is on record, in words, and stops nobody", async () => {
  using rig = sessionRig({ session: { publish: { at: "boundary", remote: "nowhere" } } });
  const { context, recordsOf } = rig.role("builder");
  await pushBoundary(context, rig.session.base);
  const [push] = recordsOf("remote.push");
  expect(push?.outcome).toBe("failed");
  expect(push?.reason).toContain("nowhere");
});
