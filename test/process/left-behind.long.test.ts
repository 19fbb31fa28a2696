import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { processSession } from "../rig/process-session.ts";

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

test("an ignored file that the work needs is named in every view, and stays when the work is shipped", async () => {
  const files = { ".gitignore": "local.json\n" };
  await using session = processSession({ scenario: FORGETFUL, files });
  expect((await session.wisp("start", "request.md")).code).toBe(0);
  const named =
    "config/local.json (ignored by git, so no commit has it, but src/hello.js names it)";
  const run = async (...args: readonly string[]) => (await session.wisp(...args)).stdout;
  expect(await run("status")).toContain(named);
  expect(await run("review", "--stat")).toContain(named);
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
