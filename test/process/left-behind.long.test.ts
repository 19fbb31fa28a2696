import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { farRoot } from "./far-files.ts";

/** Commits a program that reads a file which git ignores, and writes that file. */
const FORGETFUL = `
  plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"),
  build(t) {
    t.put("config/local.json", '{ "name": "Ada" }\\n');
    t.put("src/hello.js", 'import local from "../config/local.json";\\n');
    t.commit("Say hello");
    t.tick();
  },
`;

const NAMED = "config/local.json (ignored by git, so no commit has it, but src/hello.js names it)";

test("an ignored file that the work needs is named in every view, and stays when the work is shipped", async () => {
  const files = { ".gitignore": "local.json\n" };
  await using session = processSession({ scenario: FORGETFUL, files });
  expect((await session.wisp("start", "request.md")).code).toBe(0);
  const run = async (...args: readonly string[]) => (await session.wisp(...args)).stdout;
  expect(await run("status")).toContain(NAMED);
  expect(await run("review", "--stat")).toContain(NAMED);
  expect(session.read("report.html")).toContain("config/local.json (ignored by git");
  expect(await run("review", "--stat", "--json")).toMatch(/"kind": ?"left behind"/u);
  const { id, state } = SessionJson.parse(JSON.parse(session.read("session.json")));
  const done = await session.wisp("done", "--yes", "--no-push");
  expect(done).toMatchObject({ code: 0 });
  const clone = join(state, "builder", "clone");
  const sentence = `${clone} stays, because it holds what wisp cannot save: config/local.json, which git ignores and src/hello.js names.`;
  expect(`${done.stdout}${done.stderr}`).toContain(sentence);
  expect(existsSync(join(clone, "config", "local.json"))).toBe(true);
  const kept = await session.wisp("prune", "--yes");
  expect(kept.stdout).toContain(sentence);
  expect(existsSync(join(clone, "config", "local.json"))).toBe(true);
  await session.wisp("prune", id, "--force", "--yes");
  expect(existsSync(clone)).toBe(false);
});

const FILES = { ".gitignore": "local.json\n" };
const HELD = "config/local.json, which git ignores and src/hello.js names";

/** A session that has ended at a place where a clone holds an ignored file that its work needs. */
async function endedThere() {
  const rig = processSession({ scenario: FORGETFUL, files: FILES });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--detach");
  expect(started).toMatchObject({ code: 0 });
  const log = () => rig.read("logs/builder.log", "hello");
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
    signs: log,
  });
  const root = farRoot(rig.home("hello"));
  const said = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await rig.wisp(...args);
    return { code, said: `${stdout}${stderr}` };
  };
  return { rig, root, said, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

/** The file of the builder's clone at a place that no commit has. */
function heldFile(root: string): string {
  const clone = readdirSync(root, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("builder/clone/config/local.json"),
  );
  return join(root, clone ?? "missing");
}

test("a place that holds an ignored file that the work needs stays when the work is shipped, until that is taken", async () => {
  await using session = await endedThere();
  const { rig, root, said } = session;
  await eventually(async () => expect((await said("status", "hello")).said).toContain(NAMED));
  expect((await said("review", "hello", "--stat")).said).toContain(NAMED);
  const done = await said("done", "hello", "--yes", "--no-push");
  expect(done).toMatchObject({ code: 0 });
  expect(done.said).toContain(HELD);
  expect(done.said).toContain("wisp prune hello --force");
  expect(existsSync(heldFile(root))).toBe(true);
  const again = await said("done", "hello", "--yes", "--no-push");
  expect(again.said).toContain(HELD);
  expect(existsSync(heldFile(root))).toBe(true);
  rmSync(heldFile(root));
  const left = await said("done", "hello", "--yes", "--no-push");
  expect(left).toMatchObject({ code: 0 });
  expect(left.said).not.toContain("stays");
  expect(existsSync(root)).toBe(false);
  expect(rig.git("show", "wisp/hello:src/hello.js")).toContain("local.json");
});

test("a place that holds such a file is pruned with its session only by force", async () => {
  await using session = await endedThere();
  const { rig, root, said } = session;
  await said("done", "hello", "--yes", "--no-push");
  expect((await said("status", "hello")).said).toContain("next: wisp done hello");
  expect((await said("prune", "--yes")).said).toContain("it has a place on another machine");
  const kept = await said("prune", "hello", "--yes");
  expect(kept).toMatchObject({ code: 1 });
  expect(kept.said).toContain(HELD);
  expect(existsSync(heldFile(root))).toBe(true);
  const forced = await said("prune", "hello", "--force", "--yes");
  expect(forced).toMatchObject({ code: 0 });
  expect(forced.said).toContain(`This will be lost: ${HELD}`);
  expect([existsSync(root), existsSync(rig.home("hello"))]).toEqual([false, false]);
});

test("a closed session whose place is gone is pruned", async () => {
  await using session = await endedThere();
  const { rig, root, said } = session;
  await said("done", "hello", "--yes", "--no-push");
  rmSync(root, { recursive: true });
  expect(await said("prune", "hello", "--yes")).toMatchObject({ code: 0 });
  expect(existsSync(rig.home("hello"))).toBe(false);
});

test("a place that holds such a file stays when its session is abandoned or rejected", async () => {
  for (const words of [
    ["abandon", "hello"],
    ["review", "hello", "--reject"],
  ]) {
    await using session = await endedThere();
    const { rig, root, said } = session;
    const refused = await said(...words, "--yes");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.said).toContain(HELD);
    expect(existsSync(heldFile(root))).toBe(true);
    rmSync(heldFile(root));
    expect(await said(...words, "--yes")).toMatchObject({ code: 0 });
    expect(existsSync(root)).toBe(false);
    expect(rig.git("branch", "--list", "wisp/hello")).toBe("");
  }
});

test("a place that holds such a file stays when its session moves here, and goes by force", async () => {
  await using session = await endedThere();
  const { rig, root, said } = session;
  const moved = await said("move", "hello", "here");
  expect(moved).toMatchObject({ code: 0 });
  expect(moved.said).toContain(HELD);
  expect(moved.said).toContain("wisp move hello here --force");
  expect(existsSync(heldFile(root))).toBe(true);
  const clone = join(heldFile(root), "../..");
  rig.git("-C", clone, "add", "--force", "config/local.json");
  rig.git(
    "-C",
    clone,
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@e",
    "commit",
    "-qm",
    "Take it along",
  );
  const again = await said("move", "hello", "here");
  expect(again).toMatchObject({ code: 0 });
  expect(again.said).toContain("commits under refs/wisp/rescue/hello/");
  expect(existsSync(root)).toBe(true);
  const forced = await said("move", "hello", "here", "--force", "--yes");
  expect(forced).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
});

test("such a place goes with its session, too, if that came here and was shipped", async () => {
  await using session = await endedThere();
  const { rig, root, said } = session;
  await said("move", "hello", "here");
  expect(await said("done", "hello", "--yes", "--no-push")).toMatchObject({ code: 0 });
  const kept = await said("prune", "hello", "--yes");
  expect(kept).toMatchObject({ code: 5 });
  expect(kept.said).toContain("wisp move hello here");
  expect((await said("move", "hello", "here")).said).toContain(HELD);
  expect(existsSync(heldFile(root))).toBe(true);
  expect(await said("prune", "hello", "--force", "--yes")).toMatchObject({ code: 0 });
  expect([existsSync(root), existsSync(rig.home("hello"))]).toEqual([false, false]);
});
