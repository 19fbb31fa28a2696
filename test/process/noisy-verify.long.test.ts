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
        : / verify\.result .* outcome=passed .*looks=2 split=/u,
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

/** Of each look of all roles: its number, network and verdict. */
function looksOf(session: ProcessSession, id?: string): readonly string[] {
  const log = ["builder", "tester"].map((role) => session.read(`logs/${role}.log`, id)).join("");
  const looks = [...log.matchAll(/ look .* n=(\d+) verdict=(\w+) .*/gu)];
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
