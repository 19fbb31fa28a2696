import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const FILES = {
  "agent.sh": "#!/bin/sh\nexit 0\n",
  ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
  "request.md": "## Milestone: One\n\n- [x] Say hello\n- [ ] [docs] Describe it\n",
};

const Named = z.array(z.object({ session: z.string() }));
const Listed = z.object({ sessions: Named, unreadable: Named });

let made = 0;

function repository(): Promise<string> {
  made += 1;
  return rig.repository(`list-${String(made)}`, FILES);
}

test("list shows every session with its state and progress, and names those that cannot be read", async () => {
  const cwd = await repository();
  const none = await rig.run(["list"], { cwd });
  expect(none).toMatchObject({ code: 0, stdout: "" });
  expect(none.stderr).toContain("wisp start request.md");
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  await rig.run(["start", "request.md", "--no-up", "--branch", "topic/one"], { cwd });
  const { stdout } = await rig.run(["list", "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    schema: "wisp.list/1",
    sessions: [
      { session: "request", branch: "wisp/request", state: "START", stage: "new" },
      { session: "topic-one", branch: "topic/one", state: "START", isSupervised: false },
    ],
    unreadable: [],
  });
  await writeFile(join(cwd, ".wisp", "sessions", "request", "session.json"), "{}");
  const broken = await rig.run(["list"], { cwd });
  expect(broken.code).toBe(0);
  expect(broken.stdout).toMatch(
    /^topic-one {2}START \(not started\) {2}1\/2 tasks {2}\d+s {2,}topic\/one\nrequest {4}cannot be read {7}- {10}-\n$/,
  );
  expect(broken.stderr).toContain("request cannot be read (session-damaged)");
  await rm(join(cwd, ".wisp", "sessions", "request"), { recursive: true });
  const removed = await rig.run(["list"], { cwd });
  expect(removed.code).toBe(0);
  expect(removed.stdout).toMatch(/\nrequest {4}home removed {9}- {10}\d+s {2,}wisp\/request\n$/);
  expect(removed.stderr).toContain("To restore the home: wisp fsck request --repair");
});

test.each(["file", "link", "removed"])(
  "list shows the other sessions if the logs directory of one is a %s",
  async (how) => {
    const cwd = await repository();
    await rig.run(["start", "request.md", "--no-up"], { cwd });
    await rig.run(["start", "request.md", "--no-up", "--branch", "topic/one"], { cwd });
    const logs = join(cwd, ".wisp", "sessions", "request", "logs");
    await rm(logs, { recursive: true });
    if (how === "file") await writeFile(logs, "mine\n");
    if (how === "link") await symlink(join(cwd, "elsewhere"), logs);
    const listed = await rig.run(["list", "--json"], { cwd });
    expect(listed.code).toBe(0);
    const { sessions, unreadable } = Listed.parse(JSON.parse(listed.stdout));
    const ids = [...sessions, ...unreadable].map(({ session }) => session);
    expect(ids.sort()).toEqual(["request", "topic-one"]);
    expect(sessions.map(({ session }) => session)).toContain("topic-one");
    const { code, stdout } = await rig.run(["list"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("topic-one")]);
  },
);
