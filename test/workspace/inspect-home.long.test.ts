import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inspectHome } from "../../src/workspace/home/inspect-home.ts";
import { repairHome } from "../../src/actions/repair/repair-home.ts";
import { editCopies } from "../../src/fs-protocol/home/edit-copies.ts";
import { classOf } from "../../src/fs-protocol/home/home-issue.ts";
import { createHost } from "../../src/host/host.ts";
import type { TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import { commit, inProcessSession, put, type InProcessSession } from "../rig/in-process-session.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/*
 * One real session of four roles with real git, whose home is damaged in many ways, one at a time.
 */

const DONE = { kind: "ended", status: "DONE", summary: "", text: "" } as const;
const PASSED: TurnOutcome = { ...DONE, text: "### Verdict: PASSED\n" };
const NEEDS_WORK: TurnOutcome = {
  ...DONE,
  text: [
    "### Verdict: NEEDS_WORK\n\n### Findings\n",
    "1. **X-1**: Correctness - It is wrong",
    "   - File: hello.txt:1",
    "   - Issue: It says the wrong thing.",
    "   - Suggestion: Say the right thing.\n",
  ].join("\n"),
};
const PLAN = "## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n";

function model({ cwd, purpose, milestone, tasksFile = "" }: TurnRequest): TurnOutcome {
  switch (purpose) {
    case "plan":
      writeFileSync(tasksFile, PLAN);
      return DONE;
    case "build": {
      put(cwd, milestone === "One" ? "hello.txt" : "thanks.txt", "hullo\n");
      commit(cwd, `Build ${milestone ?? ""}`);
      const text = readFileSync(tasksFile, "utf8");
      writeFileSync(tasksFile, text.replace("- [ ]", "- [x]"));
      return DONE;
    }
    case "review-milestone":
      return milestone === "One" ? NEEDS_WORK : PASSED;
    case "fix":
      put(cwd, "hello.txt", "hello\n");
      return DONE;
    default:
      return PASSED;
  }
}

const AGE_S = 3_600;
const env = ownEnvironment();

let session: InProcessSession;
let snapshot: string;
/** The copies that the roles keep outside the home; most tests have none. */
let copies: string;

beforeAll(async () => {
  session = inProcessSession();
  await session.runAll(model);
  symlinkSync("sessions/demo", join(session.repository, ".wisp/current"));
  // No supervisor has run in this session.
  writeFileSync(join(session.home.locks, "supervisor.lock"), "");
  snapshot = mkdtempSync(join(tmpdir(), "wisp-"));
  cpSync(session.home.directory, snapshot, { recursive: true });
  copies = mkdtempSync(join(tmpdir(), "wisp-"));
  cpSync(session.session.state, copies, { recursive: true });
});
afterAll(() => {
  session[Symbol.dispose]();
  for (const path of [snapshot, copies]) rmSync(path, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(session.session.state, { recursive: true, force: true });
  rmSync(session.home.directory, { recursive: true, force: true });
  cpSync(snapshot, session.home.directory, { recursive: true });
});

const cli = () => ({ host: createHost(), env, tell: () => undefined });
const inspect = () => inspectHome(cli(), session, { own: false });

const at = (path: string) => join(session.home.directory, path);
const textOf = (path: string) => readFileSync(at(path), "utf8");
const write = (path: string, text: string) => {
  writeFileSync(at(path), text);
};
/** Replaces the first `from`, which must exist, by `to`. */
function change(path: string, from: RegExp, to: string): void {
  const text = textOf(path);
  expect(text).toMatch(from);
  write(path, text.replace(from, to));
}
const append = (path: string, line: string) => {
  appendFileSync(at(path), line);
};
const TIME = "2026-11-20T12:00:00.000Z";
const record = (log: string, fields: string) => {
  append(`logs/${log}.log`, `${TIME} ${fields}\n`);
};
const OTHER = "ab".repeat(20);
const age = (path: string) => {
  const then = Date.now() / 1_000 - AGE_S;
  utimesSync(path, then, then);
};
const lastLine = (path: string) => textOf(path).split("\n").length - 1;
const lineWith = (path: string, text: string) =>
  textOf(path)
    .split("\n")
    .findIndex((line) => line.includes(text)) + 1;
const head = () => session.git("rev-parse", "wisp/demo");

interface Damage {
  readonly what: string;
  readonly kind: string;
  readonly path: string;
  readonly plant: () => void;
  /** The line after the damage is done; undefined for the file as a whole. */
  readonly line?: () => number;
}

const DAMAGES: readonly Damage[] = [
  {
    what: "an unreadable line of a log",
    kind: "bad-line",
    path: "logs/tester.log",
    plant: () => append("logs/tester.log", "garbage\n"),
    line: () => lastLine("logs/tester.log"),
  },
  {
    what: "a record of an unknown kind",
    kind: "bad-line",
    path: "logs/human.log",
    plant: () => record("human", "shout text=hello"),
    line: () => 1,
  },
  {
    what: "a unit that ends without having begun",
    kind: "unit-without-begin",
    path: "logs/tester.log",
    plant: () => change("logs/tester.log", / unit\.begin unit=test:One[^\n]*/, " note text=gone"),
    line: () => lineWith("logs/tester.log", "test.end unit=test:One"),
  },
  {
    what: "a unit that ends twice",
    kind: "unit-ended-twice",
    path: "logs/tester.log",
    plant: () =>
      append(
        "logs/tester.log",
        /[^\n]*test\.end[^\n]*\n/.exec(textOf("logs/tester.log"))?.[0] ?? "",
      ),
    line: () => lastLine("logs/tester.log"),
  },
  {
    what: "a unit that was left for another",
    kind: "unit-left",
    path: "logs/builder.log",
    plant: () => change("logs/builder.log", / build\.end [^\n]*m=One[^\n]*/, " note text=gone"),
    line: () => lineWith("logs/builder.log", "unit.begin unit=build:One:1"),
  },
  {
    what: "ranges of milestones with a gap",
    kind: "range-broken",
    path: "logs/builder.log",
    plant: () =>
      change(
        "logs/builder.log",
        /(name\\":\\"Two\\",\\"start\\":\\")[0-9a-f]{40}/,
        `$1${session.session.base}`,
      ),
    line: () => lineWith("logs/builder.log", 'name\\":\\"Two\\",\\"start'),
  },
  {
    what: "a milestone that is in no plan",
    kind: "milestone-not-planned",
    path: "logs/builder.log",
    plant: () =>
      change("logs/builder.log", /name\\":\\"Two\\",\\"start/, 'name\\":\\"Three\\",\\"start'),
    line: () => lineWith("logs/builder.log", "Three"),
  },
  {
    what: "a commit that does not exist",
    kind: "commit-missing",
    path: "logs/reviewer.log",
    plant: () => change("logs/reviewer.log", /checkpoint=[0-9a-f]{40}/, `checkpoint=${OTHER}`),
    line: () => lineWith("logs/reviewer.log", OTHER),
  },
  {
    what: "an adopted plan that no record stages",
    kind: "refers-to-nothing",
    path: "logs/builder.log",
    plant: () => change("logs/builder.log", /plan\.adopt seq=0/, "plan.adopt seq=7"),
    line: () => lineWith("logs/builder.log", "seq=7"),
  },
  {
    what: "a number out of sequence",
    kind: "number-broken",
    path: "logs/builder.log",
    plant: () => change("logs/builder.log", /final\.open n=1/, "final.open n=2"),
    line: () => lineWith("logs/builder.log", "final.open"),
  },
  {
    what: "a missing request",
    kind: "request-missing",
    path: "request.md",
    plant: () => rmSync(at("request.md")),
  },
  {
    what: "an unreadable line of a projection",
    kind: "bad-line",
    path: "logs/milestones.log",
    plant: () => append("logs/milestones.log", "half a line\n"),
    line: () => lastLine("logs/milestones.log"),
  },
];

test("a session that ended well is in order", async () => {
  const { issues, live } = await inspect();
  expect(issues).toEqual([]);
  expect([...live]).toEqual([]);
});

test.each(DAMAGES)("finds $what with its line, and does not repair it", async (damage) => {
  damage.plant();
  const { issues } = await inspect();
  const line = damage.line?.();
  const found = { kind: damage.kind, path: at(damage.path), line };
  expect(issues).toContainEqual(expect.objectContaining(found));
  const repaired = await repairHome(cli(), session);
  expect(repaired.ok && repaired.value.after.issues).toContainEqual(expect.objectContaining(found));
});

const REPAIRED: readonly Damage[] = [
  {
    what: "a projection that lacks its last line",
    kind: "line-missing",
    path: "logs/milestones.log",
    plant: () => change("logs/milestones.log", /Two[^\n]*\n/, ""),
  },
  {
    what: "a projection that lacks its first line",
    kind: "line-missing",
    path: "logs/milestones.log",
    plant: () => change("logs/milestones.log", /One[^\n]*\n/, ""),
  },
  {
    what: "a line that no record backs",
    kind: "line-extra",
    path: "logs/milestones.log",
    plant: () => append("logs/milestones.log", `Three|${head()}|${head()}\n`),
    line: () => lastLine("logs/milestones.log"),
  },
  {
    what: "lines in another order",
    kind: "line-misplaced",
    path: "REVIEWS.md",
    plant: () =>
      write("REVIEWS.md", `${textOf("REVIEWS.md").trimEnd().split("\n").reverse().join("\n")}\n`),
    line: () => lastLine("REVIEWS.md"),
  },
  {
    what: "a projection that was deleted",
    kind: "line-missing",
    path: "logs/builder.done",
    plant: () => rmSync(at("logs/builder.done")),
  },
  {
    what: "a missing block of PROGRESS.txt",
    kind: "line-missing",
    path: "PROGRESS.txt",
    plant: () => change("PROGRESS.txt", /(?<=\n)\[(?![^]*\n\[)[^]*$/, ""),
  },
  {
    what: "a TASKS.md that was deleted",
    kind: "tasks-differ",
    path: "TASKS.md",
    plant: () => rmSync(at("TASKS.md")),
  },
  {
    what: "a projection with a torn last line",
    kind: "torn-tail",
    path: "logs/tester.milestone",
    plant: () => append("logs/tester.milestone", "Tw"),
    line: () => lastLine("logs/tester.milestone") + 1,
  },
  {
    what: "a log with a torn last line",
    kind: "torn-tail",
    path: "logs/reviewer.log",
    plant: () => append("logs/reviewer.log", `${TIME} unit.begin unit=comm`),
    line: () => lastLine("logs/reviewer.log") + 1,
  },
  {
    what: "a leftover temporary file",
    kind: "leftover",
    path: ".TASKS.md.0123456789ab.tmp",
    plant: () => {
      write(".TASKS.md.0123456789ab.tmp", "half");
      age(at(".TASKS.md.0123456789ab.tmp"));
    },
  },
  {
    what: "the lock of a killed process",
    kind: "leftover",
    path: "logs/human.log.lock",
    plant: () => {
      mkdirSync(at("logs/human.log.lock"));
      age(at("logs/human.log.lock"));
    },
  },
  {
    what: "the name of a killed holder",
    kind: "leftover",
    path: "locks/tester.lock.json",
    plant: () => write("locks/tester.lock.json", `{"pid":1,"startTime":"0","since":"${TIME}"}\n`),
  },
];

test.each(REPAIRED)("finds and repairs $what, and changes nothing else", async (damage) => {
  damage.plant();
  const line = damage.line?.();
  const { issues } = await inspect();
  const { kind } = damage;
  expect(issues).toContainEqual(expect.objectContaining({ kind, path: at(damage.path), line }));
  expect(issues.every((issue) => classOf(issue).canRepair)).toBe(true);
  const before = treeOf(session.home.directory);
  const repaired = await repairHome(cli(), session);
  expect(repaired.ok && repaired.value.after.issues).toEqual([]);
  expect((await inspect()).issues).toEqual([]);
  // Text of somebody else is kept in a copy.
  const copies = changesBetween(before, treeOf(session.home.directory)).filter((path) =>
    path.startsWith("edits"),
  );
  expect(copies.length > 0).toBe(kind === "line-extra");
  rmSync(session.home.edits, { recursive: true, force: true });
  const changed = changesBetween(before, treeOf(session.home.directory));
  expect(changed).toEqual([damage.path]);
  if (kind === "torn-tail") expect(textOf(damage.path)).toMatch(/ \|torn\n$/);
  else expect(treeOf(session.home.directory)).toEqual(treeOf(snapshot));
});

const planNames = () => readdirSync(at("plans"));

test.each([
  [
    "is missing",
    "plan-missing",
    () => {
      planNames().forEach((name) => rmSync(at(`plans/${name}`)));
    },
  ],
  [
    "was altered",
    "plan-altered",
    () => {
      planNames().forEach((name) => append(`plans/${name}`, "\nmore\n"));
    },
  ],
])("finds at its records a staged plan that %s, and restores it", async (_, kind, plant) => {
  plant();
  const { issues } = await inspect();
  const line = lineWith("logs/planner.log", "outcome=plan");
  const found = { kind, path: at("logs/planner.log"), line };
  expect(issues).toContainEqual(expect.objectContaining(found));
  expect(issues.every((issue) => classOf(issue).canRepair)).toBe(true);
  const repaired = await repairHome(cli(), session);
  expect(repaired.ok && repaired.value.after.issues).toEqual([]);
  expect(treeOf(session.home.directory)).toEqual(treeOf(snapshot));
});

test.each(["missing", "cut", "edited"] as const)(
  "finds a log that is %s, and restores it and its projections from the copy",
  async (how) => {
    cpSync(copies, session.session.state, { recursive: true });
    if (how === "missing") rmSync(at("logs/builder.log"));
    if (how === "cut") write("logs/builder.log", textOf("logs/builder.log").slice(0, 400));
    if (how === "edited") change("logs/builder.log", /final\.open n=1/, "final.open n=2");
    const { issues } = await inspect();
    expect(issues).toMatchObject([
      { kind: "copy-differs", path: at("logs/builder.log"), found: how },
    ]);
    const repaired = await repairHome(cli(), session);
    expect(repaired.ok && repaired.value.after.issues).toEqual([]);
    // The edited text is kept, as whenever a file is restored.
    expect(editCopies(createHost().files, session.home)).toHaveLength(how === "edited" ? 1 : 0);
    rmSync(at("edits"), { recursive: true, force: true });
    expect(treeOf(session.home.directory)).toEqual(treeOf(snapshot));
  },
);

test("reports an edited TASKS.md, and leaves it to the next command that starts the builder", async () => {
  change("TASKS.md", /- \[x\]/, "- [ ]");
  const edited = textOf("TASKS.md");
  const { issues } = await inspect();
  expect(issues).toMatchObject([{ kind: "tasks-edited", path: at("TASKS.md") }]);
  await repairHome(cli(), session);
  expect(textOf("TASKS.md")).toBe(edited);
});

test("removes a line of CHANGES.md that no record backs, and keeps a person's", async () => {
  const made = '- 2026-11-20 12:04 UTC, builder, "One": No tabs [build:One:1]';
  append("CHANGES.md", `Mine.\n${made}\n`);
  const { issues } = await inspect();
  expect(issues).toMatchObject([{ kind: "line-extra", path: at("CHANGES.md"), line: 2 }]);
  await repairHome(cli(), session);
  expect(textOf("CHANGES.md")).toBe("Mine.\n");
});

test("finds a dangling `current` link, and points it to the newest session", async () => {
  const link = join(session.repository, ".wisp/current");
  rmSync(link);
  symlinkSync("sessions/nobody", link);
  expect((await inspect()).issues).toMatchObject([{ kind: "current-link", path: link }]);
  await repairHome(cli(), session);
  expect((await inspect()).issues).toEqual([]);
  expect(readFileSync(join(link, "session.json"))).toEqual(readFileSync(at("session.json")));
});

test("reports each recorded commit that is not on a rewritten branch", async () => {
  const before = head();
  session.git("update-ref", "refs/heads/wisp/demo", session.session.base);
  const rewritten = await inspect();
  session.git("update-ref", "-d", "refs/heads/wisp/demo");
  const deleted = await inspect();
  session.git("update-ref", "refs/heads/wisp/demo", before);
  expect(new Set(rewritten.issues.map(({ kind }) => kind))).toEqual(
    new Set(["commit-not-on-branch"]),
  );
  expect(deleted.issues.map(({ kind }) => kind)).toEqual(["branch-gone"]);
});

test("does not report unfinished files of a running role", async () => {
  append("logs/tester.log", `${TIME} unit.begin unit=test:Three:${head()}\n`);
  append("logs/tester.log", TIME);
  change("logs/tester.milestone", /Two\n/, "");
  const lease = await createHost().locks.takeLease(at("locks/tester.lock"));
  expect(lease.ok).toBe(true);
  const alive = await inspect();
  expect([...alive.live]).toEqual(["tester"]);
  expect(alive.issues).toEqual([]);
  const refused = await repairHome(cli(), session);
  expect(refused).toMatchObject({ ok: false, failure: { kind: "lease-held" } });
  expect(textOf("logs/tester.log").endsWith(TIME)).toBe(true);
  if (lease.ok) await lease.value.release();
});

test("reports the open unit of a role that is not running while the session continues", async () => {
  change("logs/builder.log", /[^\n]* done how=[^\n]*\n/, "");
  record("tester", `unit.begin unit=test:Three:${head()}`);
  const { issues } = await inspect();
  const interrupted = issues.find(({ kind }) => kind === "unit-interrupted");
  expect(interrupted).toMatchObject({ role: "tester", line: lastLine("logs/tester.log") });
});

test("a check changes nothing, not even the time of a file", async () => {
  truncateSync(at("logs/tester.log"), textOf("logs/tester.log").length - 3);
  const before = treeOf(session.home.directory);
  await inspect();
  expect(treeOf(session.home.directory)).toEqual(before);
});

/** Every file below a folder, by its relative path. */
function treeOf(directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? readFileSync(path, "latin1") : "(folder)";
      return [path.slice(directory.length + 1), content] as const;
    }),
  );
}

function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.filter((path) => before.get(path) !== after.get(path)).sort();
}
