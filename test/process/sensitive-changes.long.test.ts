import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/** Builds the task, and also changes files that can run code elsewhere, in two commits. */
const REACHES_OUT = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.put(".github/workflows/ci.yml", "on: push\n");
    t.put("package.json", '{ "version": "2", "scripts": { "test": "true", "postinstall": "id" } }\n');
    t.commit("Say hello");
    t.put(".wisp/config.yaml", "verify: [id]\n");
    t.git("add", "-f", ".wisp/config.yaml");
    t.put("web/package.json", '{ "version": "3" }\n');
    t.commit("Say it better");
    t.tick();
  },
`;

const FILES = {
  "package.json": '{ "version": "1", "scripts": { "test": "true" } }\n',
  "web/package.json": '{ "version": "1" }\n',
};

test("files that can run code outside the session are named at its end, in the status and in the pull request", async () => {
  await using session = processSession({ scenario: REACHES_OUT, files: FILES });
  const { code, stdout } = await session.wisp("start", "request.md");
  expect(code).toBe(0);
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  const [first = "", second = ""] = session
    .git("log", "--reverse", "--format=%H", `main..${branch}`)
    .split("\n");
  const short = (sha: string) => sha.slice(0, 7);
  const named = [
    `.github/workflows/ci.yml (CI workflows): ${short(first)}`,
    `.wisp/config.yaml (settings of wisp): ${short(second)}`,
    `package.json (scripts of a package): ${short(first)}`,
  ];
  const status = await session.wisp("status");
  const json = await session.wisp("status", "--json");
  const done = await session.wisp("done", "--dry-run", "--no-push");
  for (const text of [stdout, status.stdout, done.stdout]) {
    for (const line of named) expect(text).toContain(line);
    expect(text).not.toContain("web/package.json");
  }
  expect(JSON.parse(json.stdout)).toMatchObject({ sensitive: [{ commits: [first] }, {}, {}] });
  const view = await session.wisp("done", "--dry-run", "--no-push", "--json");
  const read: unknown = JSON.parse(view.stdout);
  expect(read).toMatchObject({ sensitive: [{ path: ".github/workflows/ci.yml" }, {}, {}] });
  const body = typeof read === "object" && read !== null && "body" in read ? String(read.body) : "";
  expect(body).toContain("## Files that can run code outside the session");
  expect(body).toContain(`- \`.github/workflows/ci.yml\` (CI workflows): ${short(first)}`);
});

test("a session that changes no such file mentions none", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  const { stdout } = await session.wisp("start", "request.md");
  const status = await session.wisp("status");
  const done = await session.wisp("done", "--dry-run", "--no-push");
  for (const text of [stdout, status.stdout, done.stdout]) {
    expect(text).not.toMatch(/outside the session/);
  }
});
