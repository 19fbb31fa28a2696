import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { checkSession } from "../rig/check-session.ts";
import { putDirectory, putLink, putPipe } from "../rig/odd-entries.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * One session, stopped in the middle of its second milestone, whose home is damaged in many ways, both at rest and
 * while roles run. Each test begins with the original home and state directory.
 */

const ID = "task";

/** The second milestone waits for a file beside the repository, so that a session can be stopped there. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\nIn a friendly way.\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  async build(t) {
    if (t.milestone === "Two") await t.until(() => t.has(process.env.HOME + "/go"));
    t.put(t.milestone + ".txt", "hello\n");
    t.commit("Build " + t.milestone);
    t.tick();
  },
`;

let session: ProcessSession;
let home: string;
let kept: string;

const at = (path: string) => (path === "." ? home : join(home, path));
const states = () => join(session.root, "empty-home", ".local", "state");
const go = () => join(session.root, "empty-home", "go");
const wisps = () => join(session.repository, ".wisp");
const hasBegunTwo = () =>
  session.read("logs/builder.log", ID).includes("turn.begin unit=build:Two");

beforeAll(async () => {
  session = processSession({ scenario: SCENARIO });
  session.spawn("start", "request.md", "--branch", `wisp/${ID}`, "--yes");
  await session.until("the second milestone", hasBegunTwo);
  expect(await session.wisp("stop", ID)).toMatchObject({ code: 0 });
  await session.until("the end of every process", () => session.leftovers().length === 0);
  home = realpathSync(session.home(ID));
  kept = join(session.root, "kept");
  mkdirSync(kept);
  save(wisps(), "wisp");
  save(states(), "state");
});
afterAll(() => session[Symbol.asyncDispose]());

beforeEach(async () => {
  // A test that failed may have left processes running.
  await session.killAll();
  rmSync(go(), { force: true });
  restore("wisp", wisps());
  restore("state", states());
  session.git("update-ref", `refs/heads/wisp/${ID}`, readFileSync(join(kept, "head"), "utf8"));
});

function save(from: string, name: string): void {
  cpSync(from, join(kept, name), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(kept, "head"), session.git("rev-parse", `wisp/${ID}`));
}

function restore(name: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(join(kept, name), to, { recursive: true, verbatimSymlinks: true });
}

/** Renames it first, because a running role recreates it at once. */
const remove = (path: string) => {
  const removed = join(session.root, "removed");
  renameSync(at(path), removed);
  rmSync(removed, { recursive: true });
};

/** The session completes, and fsck finds nothing wrong with its home. */
async function expectCompletes(command: readonly string[] = ["up", ID]): Promise<void> {
  writeFileSync(go(), "");
  const ended = await session.wisp(...command);
  expect({ ...ended, builder: tailOf("logs/builder.out") }).toMatchObject({ code: 0 });
  await expectComplete();
}

async function expectComplete(): Promise<void> {
  const { history, broken } = checkSession(home);
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(session.read("logs/milestones.log", ID).match(/^(?:One|Two)\|/gmu)).toEqual([
    "One|",
    "Two|",
  ]);
  const checked = await session.wisp("fsck", ID);
  expect(checked).toMatchObject({ code: 0 });
  expect(checked.stdout).toContain("in order");
}

const tailOf = (path: string) => (existsSync(at(path)) ? session.read(path, ID).slice(-600) : "");
const said = ({ stdout, stderr }: Ended) => `${stdout}\n${stderr}`;

const DIRECTORIES = ["logs/turns", "plans", "locks", "logs", "locks plans", "logs plans locks"];

test.each(DIRECTORIES)("a session completes although its %s was removed at rest", async (named) => {
  const paths = named.split(" ");
  for (const path of paths) remove(path);
  await expectCompletes();
});

test.each(DIRECTORIES)(
  "`fsck` reports that %s was removed, and `fsck --repair` recreates it",
  async (named) => {
    const paths = named.split(" ");
    for (const path of paths) remove(path);
    const found = await session.wisp("fsck", ID);
    for (const path of paths) expect(found.stdout).toContain(path);
    expect(found.stdout).toContain(`wisp fsck ${ID} --repair`);
    const repaired = await session.wisp("fsck", ID, "--repair");
    expect(repaired).toMatchObject({ code: 0 });
    for (const path of paths) expect(lstatSync(at(path)).isDirectory()).toBe(true);
    await expectCompletes();
  },
);

test.each(DIRECTORIES)(
  "a session completes although its %s is removed while it runs",
  async (named) => {
    const paths = named.split(" ");
    const running = session.wisp("up", ID);
    await session.until("the turn", () => isBuilding());
    for (const path of paths) remove(path);
    writeFileSync(go(), "");
    const ended = await running;
    expect({ ...ended, builder: tailOf("logs/builder.out") }).toMatchObject({ code: 0 });
    await expectComplete();
  },
);

/** Whether the second milestone has had another turn since the stop, and every role has its lease again. */
function isBuilding(): boolean {
  const log = session.read("logs/builder.log", ID);
  if (log.split("turn.begin unit=build:Two").length <= 2) return false;
  return ROLES.every((role) => session.read(`logs/${role}.log`, ID).split("role.start").length > 2);
}

test("a session restores its home if it is removed while it runs, and completes", async () => {
  const running = session.wisp("up", ID);
  await session.until("the turn", () => isBuilding());
  remove(".");
  writeFileSync(go(), "");
  const ended = await running;
  expect([ended.code, ended.code === 0 ? "" : said(ended)]).toEqual([0, ""]);
  await expectComplete();
});

test("every command reports a home that was removed at rest, and names the command that restores it", async () => {
  const before = treeOf(home);
  rmSync(home, { recursive: true });
  const repair = `wisp fsck ${ID} --repair`;
  for (const words of [["up", ID], ["status", ID], ["fsck", ID], ["list"], ["status"], ["up"]]) {
    const ended = await session.wisp(...words);
    expect([words, said(ended)]).toEqual([words, expect.stringContaining(repair)]);
    expect(said(ended)).toContain(`wisp/${ID}`);
    expect(existsSync(home)).toBe(false);
  }
  expect(await session.wisp("fsck", ID, "--repair")).toMatchObject({ code: 0 });
  const after = treeOf(home);
  for (const [path, text] of before) {
    // What each `up` writes again is not restored: locks, output, and the report, which is drawn from the logs.
    if (!/^(?:logs\/turns|locks)\/|\.out$|^report\.html$/u.test(path))
      expect([path, after.get(path)]).toEqual([path, text]);
  }
  await expectCompletes();
});

function treeOf(directory: string): ReadonlyMap<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return new Map(
    paths
      .filter((path) => lstatSync(join(directory, path)).isFile())
      .map((path) => [path, readFileSync(join(directory, path), "utf8")]),
  );
}

const ODD: Readonly<Record<string, (path: string) => void>> = {
  "a symbolic link": putLink,
  "a pipe": putPipe,
  "a directory": putDirectory,
};

const PLACES = [
  "session.json",
  "request.md",
  "TASKS.md",
  "PROGRESS.txt",
  "logs/builder.log",
  "logs/planner.log",
  "logs/reviewer.log",
  "logs/tester.log",
  "logs/human.log",
  "logs/supervisor.log",
  "logs/milestones.log",
  "logs/reviewer.checkpoint",
  "locks/builder.lock",
  "locks/supervisor.lock",
];

test.each(Object.entries(ODD))(
  "%s in place of a file: every command names all such files, and `fsck --repair` moves them aside",
  async (what, put) => {
    const [plan = ""] = readdirSync(at("plans"));
    const places = [...PLACES.filter((path) => path !== "session.json"), `plans/${plan}`];
    for (const path of places) put(at(path));
    for (const words of [["up"], ["fsck"], ["status"], ["abandon", "--yes"], ["resume"]]) {
      const [command = "", ...rest] = words;
      const ended = await session.wisp(command, ID, ...rest);
      expect([words, ended.code]).toEqual([words, 1]);
      const text = said(ended);
      for (const path of places)
        expect([words, text]).toEqual([words, expect.stringContaining(path)]);
      expect(text).toContain(what);
      expect(text).toContain(`wisp fsck ${ID} --repair`);
    }
    const repaired = await session.wisp("fsck", ID, "--repair");
    expect(repaired).toMatchObject({ code: 0 });
    for (const path of places) {
      expect(lstatSync(at(`${path}.aside-1`)).isFile()).toBe(false);
      expect(existsSync(at(path)) ? lstatSync(at(path)).isFile() : true).toBe(true);
    }
    if (what === "a directory")
      expect(session.read("logs/builder.log.aside-1/mine.txt", ID)).toBe("mine\n");
    await expectCompletes();
  },
);

test.each(Object.entries(ODD))(
  "%s in place of session.json is moved aside by `fsck --repair`",
  async (_, put) => {
    put(at("session.json"));
    for (const words of [["up", ID], ["status", ID], ["list"]]) {
      expect(said(await session.wisp(...words))).toContain(`wisp fsck ${ID} --repair`);
    }
    expect(await session.wisp("fsck", ID, "--repair")).toMatchObject({ code: 0 });
    await expectCompletes();
  },
);

test.each(["logs", "plans", "locks", "logs/turns"])(
  "a link in place of the directory %s is never followed, and is moved aside by `fsck --repair`",
  async (path) => {
    rmSync(join(session.root, "elsewhere"), { recursive: true, force: true });
    renameSync(at(path), join(session.root, "elsewhere"));
    symlinkSync(join(session.root, "elsewhere"), at(path));
    const before = treeOf(join(session.root, "elsewhere"));
    for (const command of ["up", "fsck"]) {
      const ended = await session.wisp(command, ID);
      expect([command, ended.code]).toEqual([command, 1]);
      expect(said(ended)).toContain(`wisp fsck ${ID} --repair`);
    }
    expect(await session.wisp("fsck", ID, "--repair")).toMatchObject({ code: 0 });
    expect(lstatSync(at(path)).isDirectory()).toBe(true);
    await expectCompletes();
    expect(treeOf(join(session.root, "elsewhere"))).toEqual(before);
    rmSync(join(session.root, "elsewhere"), { recursive: true });
  },
);

test.each(Object.entries(ODD))(
  "%s in place of a copy outside the home: `up` and `fsck` name it, and `fsck --repair` moves it aside",
  async (_, put) => {
    const [copies = ""] = plansCopies();
    const [plan = ""] = readdirSync(copies);
    put(join(copies, plan));
    for (const command of ["up", "fsck"]) {
      const ended = await session.wisp(command, ID);
      expect([command, ended.code]).toEqual([command, 1]);
      expect(said(ended)).toContain(`plans/${plan}`);
      expect(said(ended)).toContain(`wisp fsck ${ID} --repair`);
    }
    expect(await session.wisp("fsck", ID, "--repair")).toMatchObject({ code: 0 });
    expect(lstatSync(join(copies, `${plan}.aside-1`)).isFile()).toBe(false);
    await expectCompletes();
  },
);

test("a supervisor whose session was damaged under it ends with its roles, and the command that it names mends it", async () => {
  const running = session.wisp("up", ID);
  await session.until("the turn", () => isBuilding());
  putPipe(at("logs/builder.log"));
  putLink(at("logs/planner.log"));
  putDirectory(at("logs/tester.log"));
  writeFileSync(go(), "");
  const ended = await running;
  await session.until("the end of every process", () => session.leftovers().length === 0);
  expect(ended.code).toBe(1);
  expect(said(ended)).toContain(`wisp fsck ${ID} --repair`);
  const [last = ""] = session
    .read("logs/supervisor.log", ID)
    .split("\n")
    .filter((line) => line.includes(" supervisor.end "))
    .slice(-1);
  expect(last).toMatch(
    /code=1 reason="the session cannot be read: .*logs\/tester\.log is a directory/u,
  );
  for (const command of ["status", "up", "stop"]) {
    expect(said(await session.wisp(command, ID))).toContain(`wisp fsck ${ID} --repair`);
  }
  expect(await session.wisp("fsck", ID, "--repair")).toMatchObject({ code: 0 });
  await expectCompletes();
});

test("a role that starts removes its own temporary files, and leaves those of other writers", async () => {
  const name = (path: string) => path.replace(/([^/]+)$/u, ".$1.0123456789ab.tmp");
  const own = [
    "locks/tester.lock.json",
    "locks/supervisor.lock.json",
    "logs/builder.log",
    "TASKS.md",
  ];
  for (const path of own) writeFileSync(at(name(path)), "half");
  writeFileSync(at(name("logs/human.log")), "somebody's");
  writeFileSync(go(), "");
  expect(await session.wisp("up", ID)).toMatchObject({ code: 0 });
  expect(own.map((path) => existsSync(at(name(path))))).toEqual(own.map(() => false));
  expect(existsSync(at(name("logs/human.log")))).toBe(true);
});

test("`fsck --repair` recreates a plan without any copy from TASKS.md", async () => {
  for (const directory of plansCopies()) rmSync(directory, { recursive: true });
  const before = treeOf(at("plans"));
  remove("plans");
  expect(await session.wisp("fsck", ID, "--repair")).toMatchObject({ code: 0 });
  expect(treeOf(at("plans"))).toEqual(before);
  await expectCompletes();
});

test("`fsck --repair` recreates the plan from the logs if TASKS.md is missing, too", async () => {
  for (const directory of plansCopies()) rmSync(directory, { recursive: true });
  remove("plans");
  remove("TASKS.md");
  const repaired = await session.wisp("fsck", ID, "--repair");
  expect(repaired).toMatchObject({ code: 0 });
  expect(repaired.stderr).toContain("wisp recreated it from the logs");
  expect(session.read("TASKS.md", ID)).toContain("## Milestone: One\n\n- [x] Say hello\n");
  writeFileSync(go(), "");
  expect(await session.wisp("up", ID)).toMatchObject({ code: 0 });
  expect(lastEndOf(checkSession(home).history.builder.fold)?.how).toBe("complete");
  expect(await session.wisp("fsck", ID)).toMatchObject({ code: 0 });
});

test("a log that is lost with its copy is never recreated: abandon, which every command names, works", async () => {
  for (const path of namesOf(states(), /builder\/kept$/u)) rmSync(path, { recursive: true });
  remove("logs/builder.log");
  const milestones = session.read("logs/milestones.log", ID);
  for (const words of [
    ["up", ID],
    ["fsck", ID],
    ["fsck", ID, "--repair"],
  ]) {
    const ended = await session.wisp(...words);
    expect([words, ended.code]).toEqual([words, 1]);
    expect(said(ended)).toContain("logs/builder.log");
    expect(said(ended)).toContain(`wisp abandon ${ID}`);
    expect(said(ended)).toContain(`wisp/${ID}`);
  }
  expect(session.read("logs/milestones.log", ID)).toBe(milestones);
  expect(await session.wisp("abandon", ID, "--yes")).toMatchObject({ code: 0 });
  expect(session.git("show", `refs/wisp/rescue/${ID}/abandoned:One.txt`)).toBe("hello");
});

const plansCopies = () => namesOf(states(), new RegExp(`${ID}/plans$`, "u"));

function namesOf(directory: string, wanted: RegExp): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => wanted.test(path))
    .map((path) => join(directory, path));
}
