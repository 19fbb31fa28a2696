import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { farHome, farRoot, mirroredFiles } from "./far-files.ts";
import { WHOLE_RUN } from "./scenarios.ts";

const VERIFY = `verify: [["test", "!", "-e", "broken"]]\n`;

test("a session that is started elsewhere runs there, and all of it arrives here", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN, config: VERIFY });
  rig.write("greeting.md", "# Greeting\n\nSay hello.\n");
  const started = await rig.wisp("start", "greeting.md", "--on", "local", "--yes");
  expect(started).toMatchObject({ code: 0 });
  const home = rig.home("greeting");
  await eventually(() => expect(rig.read("logs/builder.done", "greeting")).toContain("complete|"), {
    signs: () => rig.read("logs/builder.log", "greeting"),
  });
  await eventually(() =>
    expect(mirroredFiles(home)).toEqual(mirroredFiles(farHome(home, "greeting"))),
  );
  expect(existsSync(join(home, "session.json"))).toBe(true);

  const far = join(farHome(home, "greeting"), "../../..");
  const head = execFileSync("git", ["rev-parse", "wisp/greeting"], { cwd: far, encoding: "utf8" });
  await eventually(() => expect(rig.git("rev-parse", "wisp/greeting")).toBe(head.trim()));
  const status = await rig.wisp("status", "greeting");
  expect(status.stdout).toContain("complete");
});

test("a start that is refused at its place is named until it is given up, and then leaves nothing", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN });
  rig.write(".wisp/config.yaml", "engine: { command: [no-such-agent] }\n");
  rig.git("commit", "-qam", "Take another agent");
  rig.write("greeting.md", "# Greeting\n\nSay hello.\n");
  const refused = await rig.wisp("start", "greeting.md", "--on", "local", "--yes");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("no-such-agent");
  expect(refused.stderr).toContain("A place for greeting is left on local.");
  const root = farRoot(rig.home("greeting"));
  expect(existsSync(root)).toBe(true);
  for (const name of ["greeting", "wisp/greeting"]) {
    const status = await rig.wisp("status", name);
    expect(status).toMatchObject({ code: 3 });
    expect(status.stderr).toContain("greeting is being started on local");
  }
  expect((await rig.wisp("list", "--all")).stdout).toContain("greeting");
  const given = await rig.wisp("abandon", "greeting", "--yes");
  expect(given).toMatchObject({ code: 0 });
  expect([existsSync(root), existsSync(rig.home("greeting"))]).toEqual([false, false]);
  expect((await rig.wisp("list", "--all")).stdout).not.toContain("greeting");
  expect((await rig.wisp("status", "greeting")).stderr).toContain("There is no session");
});

test("a start that the files of a repository claim removes nothing at the path that they name", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN });
  const victim = join(rig.root, "victim");
  mkdirSync(victim);
  writeFileSync(join(victim, "kept.txt"), "kept\n");
  const home = rig.home("planted");
  mkdirSync(join(home, "locks"), { recursive: true });
  const { repository } = rig;
  const note = { version: 1, executor: "local", branch: "wisp/planted", request: "0", key: "k" };
  const mirrors = { executor: "local", id: "planted", root: victim };
  const state = join(rig.root, "victim");
  const place = { version: 1, repository, state, branch: "wisp/planted", mirrors };
  const notes = [note, { ...note, key: "../../victim", repository }, { ...note, repository }];
  for (const one of notes) {
    writeFileSync(join(home, "locks", "starting.json"), JSON.stringify(one));
    writeFileSync(join(home, "place.json"), JSON.stringify(place));
    await rig.wisp("abandon", "planted", "--yes");
    expect(existsSync(join(victim, "kept.txt"))).toBe(true);
  }
  // Only the last one was a start of this repository, which had made nothing.
  expect(existsSync(home)).toBe(false);
});
