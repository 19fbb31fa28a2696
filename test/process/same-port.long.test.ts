import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../rig/free-port.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * Tests that listen on a fixed port, while another session runs the same tests, or an engine of the same session holds it.
 */

/** A test that holds its port until the tests of two sessions have begun, or one has waited for long. */
function suite(marks: string, port: string): string {
  return `
const test = require("node:test");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
test("adds", () => {});
test("server starts", async () => {
  // The folder of a session is three above its tree.
  fs.writeFileSync(path.join(${JSON.stringify(marks)}, path.basename(path.resolve("../../.."))), "");
  const server = http.createServer();
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(${port}, "127.0.0.1", resolve);
  });
  for (let waited = 0; waited < 400 && fs.readdirSync(${JSON.stringify(marks)}).length < 2; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.close();
});
`;
}

const HONEST = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) { t.put("hello.txt", "hello\n"); t.commit("Say hello"); t.tick(); },`;

/** What the builder notes before it looks again while engines are at work. */
const WAITS = "before verify is run again, 1 turn of an engine in this repository may end";

/** Tests of which one listens on a port. */
const listens = (port: number) => `const test = require("node:test");
test("adds", () => {});
test("server starts", (_, done) => {
  const server = require("node:http").createServer();
  server.once("error", done);
  server.listen(${String(port)}, "127.0.0.1", () => server.close(done));
});
`;

/**
 * Builds two milestones; the reviewer of the first one holds a port until verify was red in a completed attempt, the second
 * milestone is built, or the builder waits for the turn to end.
 */
const HOLDS = (port: number) => String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say bye\n"),
  build(t) {
    t.put(t.milestone + ".txt", "hello " + t.attempt + "\n");
    t.commit("Say it in " + t.milestone + ", attempt " + t.attempt);
    t.tick();
  },
  async "review-milestone"(t) {
    if (t.milestone !== "Two") {
      const { createServer } = await import("node:net");
      const server = createServer();
      await new Promise((resolve) => server.listen(${String(port)}, "127.0.0.1", resolve));
      const isBuilt = () => /outcome=milestone .*m=Two|m=Two .*outcome=milestone/.test(t.read(t.home + "/logs/builder.log"));
      await t.until(() => t.logHas("builder.log", "outcome=unverified") || t.logHas("builder.log", ${JSON.stringify(WAITS)}) || isBuilt());
      await new Promise((resolve) => server.close(resolve));
    }
    t.allPass();
  },`;

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere)(
    "two sessions whose tests run at the same time are both complete, without a red look",
    async () => {
      const marks = realpathSync(mkdtempSync(join(tmpdir(), "wisp-")));
      // Without a loopback of its own, a run finds a port of its own in a variable.
      const isOwn = sandbox === "bubblewrap";
      const port = isOwn ? String(await freePort()) : "Number(process.env.PORT)";
      await using session = processSession({
        scenario: HONEST,
        files: {
          "test/server.test.js": suite(marks, port),
          "one.md": "# One\n\nDo one thing.\n",
          "two.md": "# Two\n\nDo another thing.\n",
        },
        config: `verify: [node, --test]\n${isOwn ? "" : "commands: { slot: [PORT] }\n"}`,
        sandbox: isOwn ? `{ kind: bubblewrap, write: ["${marks}"] }` : sandbox,
      });
      const ended = await session.wisp("start", "one.md", "two.md", "--max", "2", "--yes");
      expect(ended).toMatchObject({ code: 0 });
      const isOver = (id: string) => session.read("logs/builder.log", id).includes(" done how=");
      await session.until("the end of both", () => isOver("one") && isOver("two"));
      rmSync(marks, { recursive: true });
      for (const id of ["one", "two"]) {
        const log = session.read("logs/builder.log", id);
        expect(log).toContain("done how=complete");
        expect(log).toMatch(/ look .* verdict=green /u);
        expect(log).not.toContain("verdict=red");
        expect(await homeIssues(session.home(id))).toEqual([]);
      }
    },
  );

  test.runIf(isThere)(
    "a port that an engine of the same session holds withholds no milestone",
    async () => {
      const port = await freePort();
      await using session = processSession({
        ...{ scenario: HOLDS(port), sandbox },
        files: { "test/server.test.js": listens(port) },
        config: "verify: [node, --test]\ndrain: { reviewer: 1s, tester: 1s, planner: 1s }\n",
      });
      expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
      const log = session.read("logs/builder.log");
      expect(log).toContain("done how=complete");
      // With a loopback of its own, it does not even cost an attempt; else one, until the turn ends.
      if (sandbox === "bubblewrap") expect(log).not.toContain("outcome=unverified");
      expect(await homeIssues(session.home())).toEqual([]);
    },
  );
});

test("without a sandbox, a red look that decides is repeated after the turn of an engine that holds the port", async () => {
  const port = await freePort();
  await using session = processSession({
    ...{ scenario: HOLDS(port), files: { "test/server.test.js": listens(port) } },
    // One attempt, so that its red look is repeated before it withholds the milestone.
    config:
      "verify: [node, --test]\nattempts: { build: 1 }\ndrain: { reviewer: 1s, tester: 1s, planner: 1s }\n",
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const log = session.read("logs/builder.log");
  expect(log).toContain(WAITS);
  expect(log).toContain("done how=complete");
  expect(log).not.toContain("outcome=unverified");
  expect(log).toMatch(/ look .* n=1 verdict=red /u);
  expect(log).toMatch(/ look .* n=2 .*verdict=green .*alone=yes waited=\d+ /u);
  expect(log).not.toContain(" beside=");
  expect(await homeIssues(session.home())).toEqual([]);
});
