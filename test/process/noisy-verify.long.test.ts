import { mkdtempSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * A verify that is red, or ends, for reasons outside the code: it may neither excuse a break nor cost honest work.
 */

const SANDBOXES = [["none"], ["auto"]];

/** A server on a fixed port, and its tests. */
function project(port: number): Readonly<Record<string, string>> {
  return {
    "server.js": `const http = require("node:http");\nexports.create = () => http.createServer((_, answer) => answer.end("ok"));\n`,
    "test/server.test.js": `
const test = require("node:test");
const assert = require("node:assert");
const { create } = require("../server.js");
test("adds", () => assert.equal(1 + 1, 2));
test("server starts", (_, done) => {
  const server = create();
  server.once("error", done);
  server.listen(${String(port)}, "127.0.0.1", () => server.close(done));
});
`,
  };
}

const BREAKS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Rework the server\n"),
  build(t) {
    t.put("server.js", "exports.create = () => { throw new Error('broken " + t.attempt + "'); };\n");
    t.commit("Rework the server, attempt " + t.attempt);
    t.tick();
  },`;

async function heldPort(): Promise<{
  readonly port: number;
  readonly release: () => Promise<void>;
}> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = portOf(server.address());
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, release };
}

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === "object" && address !== null) return address;
  throw new Error("the server has no port");
}

test.each(SANDBOXES)(
  "a port that is held during the first look at the base excuses no break of the server's test (sandbox: %s)",
  async (sandbox) => {
    const { port, release } = await heldPort();
    const verify = 'verify: [["node", "--test"]]\n';
    await using session = processSession({
      ...{ scenario: BREAKS, files: project(port), config: verify, sandbox },
    });
    const started = session.wisp("start", "request.md");
    await session.until("a red look at the base", () =>
      / look .* n=1 verdict=red /u.test(session.read("logs/builder.log")),
    );
    await release();
    expect((await started).code).toBe(5);
    const log = session.read("logs/builder.log");
    expect(log).toMatch(/ verify\.result .* outcome=passed .*looks=3 split=/u);
    expect(log).not.toContain("outcome=milestone");
    expect(log).toContain(" outcome=unverified ");
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

test.each(SANDBOXES)(
  "a verify that is killed is run again: correct work is complete at the first attempt (sandbox: %s)",
  async (sandbox) => {
    await using session = killedOnce(sandbox);
    expect((await session.wisp("start", "request.md")).code).toBe(0);
    const log = session.read("logs/builder.log");
    expect(log).toMatch(/ look .* n=1 verdict=unknown cause=signal /u);
    expect(log).toMatch(/ look .* n=2 verdict=green /u);
    expect(log).not.toContain("outcome=unverified");
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

/** A session whose verify is ended by KILL when it first sees the work, as on a machine that runs out of memory. */
function killedOnce(sandbox: string): ProcessSession {
  const marks = mkdtempSync(join(tmpdir(), "wisp-"));
  const script = `
const fs = require("node:fs");
if (!fs.existsSync("hello.txt")) process.exit(0);
const mark = process.argv[2] + "/killed";
if (fs.existsSync(mark)) process.exit(fs.readFileSync("hello.txt", "utf8") === "hello\\n" ? 0 : 1);
fs.writeFileSync(mark, "");
process.kill(process.pid, "SIGKILL");
`;
  return processSession({
    scenario: String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) { t.put("hello.txt", "hello\n"); t.commit("Say hello"); t.tick(); },`,
    files: { "check.cjs": script },
    config: `verify: [["node", "check.cjs", "${marks}"]]\n`,
    sandbox: sandbox === "none" ? sandbox : `{ kind: ${sandbox}, write: ["${marks}"] }`,
  });
}

/** Tests of node's runner; `n` counts how often the file was loaded, this time included, in a file outside of the tree. */
function counted(scenario: string, sandbox: string, tests: string): ProcessSession {
  const marks = mkdtempSync(join(tmpdir(), "wisp-"));
  const text = `
const test = require("node:test");
const assert = require("node:assert");
const fs = require("node:fs");
const runs = ${JSON.stringify(join(marks, "runs"))};
fs.appendFileSync(runs, "x");
const n = fs.statSync(runs).size;
const { add } = require("../add.js");
${tests}
`;
  return processSession({
    scenario,
    files: {
      "add.js": "exports.add = (a, b) => a + b;\n",
      "package.json": '{ "scripts": { "test": "node --test test/" } }\n',
      "test/add.test.js": text,
    },
    config: `verify: [["npm", "test"]]\n`,
    sandbox: sandbox === "none" ? sandbox : `{ kind: ${sandbox}, write: ["${marks}"] }`,
  });
}

const ADDS = `test("adds", () => assert.equal(add(1, 2), 3));`;
const WRONG = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Rework adding\n"),
  build(t) {
    t.put("add.js", "exports.add = (a, b) => a - b; // " + t.attempt + "\n");
    t.commit("Rework adding, attempt " + t.attempt);
    t.tick();
  },`;
const RIGHT = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Rework adding\n"),
  build(t) { t.put("add.js", "exports.add = (a, b) => b + a;\n"); t.commit("Rework adding"); t.tick(); },`;

test.each(SANDBOXES)(
  "a test that is red at the base by chance is run again alone, and excuses no break of it (sandbox: %s)",
  async (sandbox) => {
    const byChance = `test("adds", () => assert.equal(add(1, 2) + (n === 1 ? 1 : 0), 3));`;
    await using session = counted(WRONG, sandbox, byChance);
    expect((await session.wisp("start", "request.md")).code).toBe(5);
    const log = session.read("logs/builder.log");
    expect(log).toMatch(/ look .* n=1 verdict=red /u);
    expect(log).toMatch(/ look .* n=2 only="\[\\"test\/add\.test\.js > adds\\"\]" verdict=green /u);
    expect(log).toMatch(/ look .* n=3 verdict=green /u);
    expect(log).toMatch(/ verify\.result .* outcome=passed .*looks=3 split=/u);
    expect(log).not.toContain("outcome=milestone");
    expect(log).toContain(" outcome=unverified ");
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

test.each(SANDBOXES)(
  "a test that is red at the base only in company is red there: honest work beside it is complete (sandbox: %s)",
  async (sandbox) => {
    const inCompany = `let ran = 0;\ntest("first", () => { ran++; });\ntest("alone", () => assert.equal(ran, 0));\n${ADDS}`;
    await using session = counted(RIGHT, sandbox, inCompany);
    expect((await session.wisp("start", "request.md")).code).toBe(0);
    const log = session.read("logs/builder.log");
    expect(log).toMatch(
      / look .* n=2 only="\[\\"test\/add\.test\.js > alone\\"\]" verdict=green /u,
    );
    expect(log).toMatch(/ look .* n=3 verdict=red /u);
    expect(log).toMatch(
      / note .*failed only in company at [0-9a-f]+: test\/add\.test\.js > alone/u,
    );
    expect(log).toContain("outcome=milestone");
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

/**
 * Makes adding noisy: the suite is red in its first three runs from then on, and the test, when it runs alone, in every
 * second run but the first.
 */
const NOISY = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Rework adding\n"),
  build(t) {
    t.put("add.js", "exports.isNoisy = true;\nexports.add = (a, b) => b + a; // " + t.attempt + "\n");
    t.commit("Rework adding, attempt " + t.attempt);
    t.tick();
  },`;
const BY_NOISE = `
const isAlone = process.execArgv.some((word) => word.startsWith("--test-name-pattern"));
test("adds", () => {
  if (require("../add.js").isNoisy) {
    const count = runs + (isAlone ? "-alone" : "-whole");
    fs.appendFileSync(count, "x");
    const nth = fs.statSync(count).size;
    assert.ok(isAlone ? nth % 2 === 1 : nth > 3);
  }
  assert.equal(add(1, 2), 3);
});`;

test.each(SANDBOXES)(
  "a test that becomes unsteady in a milestone is run alone at both ends of it, and named with what was seen (sandbox: %s)",
  async (sandbox) => {
    await using session = counted(NOISY, sandbox, BY_NOISE);
    expect((await session.wisp("start", "request.md")).code).toBe(0);
    expect(session.read("logs/builder.log")).toMatch(
      / verify\.result .* outcome=passed .*split="\[\\"test\/add\.test\.js > adds\\"\]"/u,
    );
    const log = session.read("logs/reviewer.log");
    expect(log).toMatch(
      / note .*test\/add\.test\.js > adds became unsteady: red in 5 of 10 runs, and before in 0 of 20/u,
    );
    // The two looks that showed that it is unsteady are the builder's.
    expect(log.match(/ look .* only=/gu)).toHaveLength(8 + 20);
    expect(await homeIssues(session.home())).toEqual([]);
  },
);
