import { mkdtempSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * A verify that is red, or ends, for reasons outside the code: it may neither excuse a break nor cost honest work.
 */

const SANDBOXES = [["none"], ["auto"]];

const bubblewrap = await workingBubblewrap();
const hasBubblewrap = "path" in bubblewrap;

function isBoxed(sandbox: string | undefined): boolean {
  return sandbox === "auto" && hasBubblewrap;
}

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
    await session.until("a look at the base", () =>
      / look .* n=1 verdict=/u.test(session.read("logs/builder.log")),
    );
    await release();
    expect((await started).code).toBe(5);
    const log = session.read("logs/builder.log");
    // On a loopback of its own, the first look does not see who holds the port.
    expect(log).toMatch(
      isBoxed(sandbox)
        ? / verify\.result .* outcome=passed .*network=own/u
        : / verify\.result .* outcome=passed .*looks=3 split=/u,
    );
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

const REVISED =
  "### RI-001: Say it louder\n\n**Description:** Make it louder.\n\n**Acceptance Criteria:**\n\n- [ ] Say it louder\n\n";

/** Builds something that breaks no test, in two milestones. */
const HONEST = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say bye\n"),
  build(t) { t.put(t.milestone + ".txt", "hello\n"); if (!t.milestone.startsWith("RI-")) t.commit("Say it in " + t.milestone); t.tick(); },
  revise: (t) => { t.print("<revision-plan>\n" + ${JSON.stringify(REVISED)} + "</revision-plan>"); t.say({ status: "DONE", summary: "one item" }); },`;

/** Of each look of all roles at a tree of wisp's: its number, network and verdict. */
function looksOf(session: ProcessSession, id?: string): readonly string[] {
  const log = ["builder", "tester"].map((role) => session.read(`logs/${role}.log`, id)).join("");
  const looks = [...log.matchAll(/ look .* command=\w+ n=(\d+) verdict=(\w+) .*/gu)];
  return looks.map(([line, n, verdict]) => {
    const network = / network=(\w+)/u.exec(line)?.[1] ?? "-";
    return `${String(n)} ${network} ${String(verdict)}`;
  });
}

test.skipIf(!hasBubblewrap)(
  "a port that is held all the time costs no work, and no look more, where verify has a loopback of its own",
  async () => {
    const { port, release } = await heldPort();
    const verify = 'verify: [["node", "--test"]]\n';
    await using session = processSession({
      ...{ scenario: HONEST, files: project(port), config: verify, sandbox: "auto" },
    });
    const { code } = await session.wisp("start", "request.md");
    await release();
    expect(code).toBe(0);
    expect(looksOf(session)).toEqual(["1 own green", "1 own green", "1 own green"]);
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

test.skipIf(!hasBubblewrap)(
  "a suite that needs a server of the machine is decided at the base, by one look more, and then looked at once",
  async () => {
    const server = createHttpServer((_request, response) => response.end("reached"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = portOf(server.address());
    const suite = `
const test = require("node:test");
test("asks", async () => { await fetch("http://127.0.0.1:${String(port)}"); });
`;
    await using session = processSession({
      ...{ scenario: HONEST, files: { "test/asks.test.js": suite }, sandbox: "auto" },
      config: 'verify: [["node", "--test"]]\n',
    });
    expect((await session.wisp("start", "request.md")).code).toBe(0);
    const [atBase, withNetwork, ...later] = looksOf(session);
    expect([atBase, withNetwork]).toEqual(["1 own red", "2 machine green"]);
    expect(later).toEqual(["1 machine green", "1 machine green"]);
    expect(session.read("logs/builder.log")).toContain("its run with the machine's network counts");
    const revised = await session.wisp("revise", "--problem", "It is too quiet", "--yes");
    server.close();
    expect(revised.code).toBe(0);
    const inRevision = looksOf(session, "a-request/revision-1");
    expect(new Set(inRevision)).toEqual(new Set(["1 machine green"]));
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

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
    if (isBoxed(sandbox)) {
      // On a loopback of its own it is red; the look with the network decides.
      expect(log).toMatch(/ look .* n=2 verdict=green .*network=machine/u);
      expect(log).toMatch(/ verify\.result .* outcome=passed .*looks=2 /u);
    } else {
      expect(log).toMatch(
        / look .* n=2 only="\[\\"test\/add\.test\.js > adds\\"\]" verdict=green /u,
      );
      expect(log).toMatch(/ look .* n=3 verdict=green /u);
      expect(log).toMatch(/ verify\.result .* outcome=passed .*looks=3 split=/u);
    }
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
    expect((await session.wisp("start", "request.md", "--accept-red-base")).code).toBe(0);
    const log = session.read("logs/builder.log");
    expect(log).toMatch(
      / look .* n=[23] only="\[\\"test\/add\.test\.js > alone\\"\]" verdict=green /u,
    );
    expect(log).toMatch(/ look .* n=[34] verdict=red /u);
    expect(log).toMatch(
      / note .*failed only in company at [0-9a-f]+: test\/add\.test\.js > alone/u,
    );
    expect(log).toContain("outcome=milestone");
    expect(await homeIssues(session.home())).toEqual([]);
  },
);

/**
 * Makes adding noisy: the suite is red in its first runs from then on, until the last attempt, and the test, when it runs
 * alone, in every second run but the first. On a loopback of its own, each red run is followed by one with the network.
 */
const NOISY = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Rework adding\n"),
  build(t) {
    t.put("add.js", "exports.isNoisy = true;\nexports.add = (a, b) => b + a; // " + t.attempt + "\n");
    t.commit("Rework adding, attempt " + t.attempt);
    t.tick();
  },`;
const byNoise = (redRuns: number) => `
const isAlone = process.execArgv.some((word) => word.startsWith("--test-name-pattern"));
test("adds", () => {
  if (require("../add.js").isNoisy) {
    const count = runs + (isAlone ? "-alone" : "-whole");
    fs.appendFileSync(count, "x");
    const nth = fs.statSync(count).size;
    assert.ok(isAlone ? nth % 2 === 1 : nth > ${String(redRuns)});
  }
  assert.equal(add(1, 2), 3);
});`;

test.each(SANDBOXES)(
  "a test that becomes unsteady in a milestone is run alone at both ends of it, and named with what was seen (sandbox: %s)",
  async (sandbox) => {
    await using session = counted(NOISY, sandbox, byNoise(isBoxed(sandbox) ? 6 : 3));
    // Nobody mends it.
    expect((await session.wisp("start", "request.md")).code).toBe(5);
    expect(session.read("logs/builder.log")).toMatch(
      / verify\.result .* outcome=passed .*split="\[\\"test\/add\.test\.js > adds\\"\]"/u,
    );
    const log = session.read("logs/reviewer.log");
    expect(log).toMatch(/test\/add\.test\.js > adds became unsteady: 5 of 10, before 0 of 20/u);
    expect(log).toContain('level\\":\\"blocking');
    // The two looks that showed that it is unsteady are the builder's.
    expect(log.match(/ look .* only=/gu)).toHaveLength(8 + 20);
    expect(await homeIssues(session.home())).toEqual([]);
  },
);
