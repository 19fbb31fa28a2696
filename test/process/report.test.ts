import { cpSync, existsSync, readFileSync, realpathSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { need } from "../../src/base/fatal.ts";
import { LOG_NAMES } from "../../src/base/role.ts";
import { logPath } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import { headline } from "../../src/views/report/headline.ts";
import { reportPage } from "../../src/views/report/page/report-page.ts";
import { readReport } from "../../src/views/report/read-report.ts";
import { reportMarkdown } from "../../src/views/report/report-markdown.ts";
import { findSession } from "../../src/workspace/find-session.ts";
import type { World } from "../../src/workspace/world.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";
import { Random } from "../rig/random.ts";
import { SEED } from "../rig/share.ts";

/*
 * What `wisp report` tells of one real session: while it runs, after its end, and when its logs are cut anywhere.
 */

const ID = "task";
const CUTS = 200;

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    await t.until(() => t.has(process.env.HOME + "/go"));
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

let session: ProcessSession;
let whileRunning: string;
let atEnd: Ended;

beforeAll(async () => {
  session = processSession({ scenario: SCENARIO });
  const ended = session.wisp("start", "request.md", "--branch", `wisp/${ID}`, "--yes");
  const isBuilding = () => session.read("logs/builder.log", ID).includes("purpose=build");
  await session.until("the first build turn", isBuilding);
  whileRunning = (await session.wisp("report", ID)).stdout;
  session.write("../empty-home/go", "");
  atEnd = await ended;
  expect(atEnd).toMatchObject({ code: 0 });
});
afterAll(() => session[Symbol.asyncDispose]());

test("of a running session it says what is done so far, and not that it is complete", () => {
  expect(whileRunning).toContain(`# ${ID}`);
  expect(whileRunning).toContain("0 of 1 milestones");
  expect(whileRunning).not.toMatch(/complete/iu);
});

test("of a complete session it tells the milestone with its range, review and test", async () => {
  const { stdout, code } = await session.wisp("report", ID);
  expect(code).toBe(0);
  expect(stdout).toContain("1 of 1 milestones, 1 of 1 tasks");
  expect(stdout).toMatch(
    /^\| One \| 1 of 1 \| done \| `\w{10}\.\.\w{10}` \| .* \| reviewed \| tested \|$/mu,
  );
});

test("as a page it is one file with the turns of each role", async () => {
  const ended = await session.wisp("report", ID, "--html", "report.html");
  const path = join(session.repository, "report.html");
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(ended.stderr).toContain(path);
  const page = readFileSync(path, "utf8");
  for (const words of ["planner: the plan", "builder: building", "reviewer: reviewing"]) {
    expect(page).toContain(`<title>${words}`);
  }
});

test("the end of the session names the page that it has written, which tells of that end", async () => {
  const [, path = ""] = /^ +report +(.+)$/mu.exec(atEnd.stdout + atEnd.stderr) ?? [];
  expect(path).toBe(realpathSync(join(session.repository, `.wisp/sessions/${ID}/report.html`)));
  const page = readFileSync(path, "utf8");
  expect(page).toMatch(/>One<.*>done</su);
  expect(page).toMatch(/complete/iu);
  rmSync(path);
  const ended = await session.wisp("report", ID, "--html");
  expect(ended).toMatchObject({ code: 0, stdout: "" });
  expect(ended.stderr).toContain(path);
  expect(readFileSync(path, "utf8")).toMatch(/>One<.*>done</su);
});

test("--md asks for what is printed without it, and for nothing else besides", async () => {
  const lines = async (...words: readonly string[]) => {
    const { stdout } = await session.wisp("report", ID, ...words);
    return stdout.split("\n").filter((line) => !line.startsWith("Made by wisp"));
  };
  expect(await lines("--md")).toEqual(await lines());
  for (const other of [["--json"], ["--html", "both.html"]]) {
    const { code, stdout, stderr } = await session.wisp("report", ID, "--md", ...other);
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining("--md")]);
  }
  expect(existsSync(join(session.repository, "both.html"))).toBe(false);
});

test("for programs it is one object, whose timeline has every turn of the logs", async () => {
  const { stdout } = await session.wisp("report", ID, "--json");
  const view: unknown = JSON.parse(stdout);
  const logs = LOG_NAMES.map((name) => session.read(`logs/${name}.log`, ID)).join("");
  const turns = logs.match(/ turn\.end /gu)?.length ?? 0;
  expect(turns).toBeGreaterThan(3);
  expect(view).toMatchObject({ schema: "wisp.report/1", session: ID, trouble: [] });
  expect(stdout.match(/"kind": "turn"/gu)).toHaveLength(turns);
  expect(stdout).not.toContain('"outcome": "open"');
});

test("a file that cannot be written is named, and nothing is left behind", async () => {
  const ended = await session.wisp("report", ID, "--html", "none/report.html");
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain("none/report.html");
  expect(existsSync(join(session.repository, "none"))).toBe(false);
});

test("of logs that are cut anywhere it tells what is left, and never that more is done than they say", async () => {
  const random = new Random(SEED);
  const world = worldOf(session);
  const found = need(findSession(world.host.files, world.cwd, ID));
  const kept = join(session.root, "kept");
  cpSync(found.home.logs, kept, { recursive: true });
  rmSync(found.session.state, { recursive: true, force: true });
  for (let cut = 0; cut < CUTS; cut += 1) {
    rmSync(found.home.logs, { recursive: true });
    cpSync(kept, found.home.logs, { recursive: true });
    for (const name of LOG_NAMES) {
      const path = logPath(found.home, name);
      if (existsSync(path) && random.chance(0.5)) {
        truncateSync(path, random.below(readFileSync(path).length + 1));
      }
    }
    const view = await readReport(world, found);
    const isRecorded = /^\S+ done how=complete.*\n/mu.test(session.read("logs/builder.log", ID));
    const says = headline(view);
    expect([cut, says.tone === "good"]).toEqual([cut, isRecorded && view.status !== undefined]);
    expect(reportMarkdown(view)).toContain(`# ${ID}`);
    expect(reportPage(view)).toContain("</html>");
  }
});

function worldOf({ repository, env }: ProcessSession): World {
  return {
    cwd: repository,
    env: Object.fromEntries(Object.entries(env).map(([name, value = ""]) => [name, value])),
    host: createHost(),
    entry: "",
    nodePath: process.execPath,
    program: { code: "c0de", nodeVersion: process.version },
    version: "0.0.0",
    tell: () => undefined,
    ask: undefined,
  };
}
