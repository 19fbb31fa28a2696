import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { runExample } from "../rig/run-example.ts";
import { idle } from "../rig/walk-session.ts";

/*
 * One session that was stopped in its last milestone. For each kind of issue that `wisp fsck` cannot repair, the
 * commands that it names as next steps are run literally, and the session completes.
 */

const ID = "task";
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n\n## Milestone: Three\n\n- [ ] Say bye\n"),
  replan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n\n## Milestone: Three\n\n- [ ] Say bye\n"),
  async build(t) {
    if (t.milestone === "Three") await t.until(() => t.has(process.env.HOME + "/go"));
    t.put(t.milestone + ".txt", "hello\n");
    t.commit("Build " + t.milestone);
    t.tick();
  },
`;

let session: ProcessSession;
let home: string;
let kept: string;

const at = (path: string) => join(home, path);
const states = () => join(session.root, "empty-home", ".local", "state");
const wisps = () => join(session.repository, ".wisp");
const go = () => join(session.root, "empty-home", "go");
const hasLine = (log: string, line: RegExp) => line.test(session.read(`logs/${log}.log`, ID));

beforeAll(async () => {
  session = processSession({ scenario: SCENARIO });
  session.spawn("start", "request.md", "--branch", `wisp/${ID}`, "--yes");
  await session.until("the last milestone", () =>
    hasLine("builder", /turn\.begin unit=build:Three/u),
  );
  await session.until("what is tested", () => hasLine("tester", /test\.end unit=test:Two/u));
  expect(await session.wisp("stop", ID)).toMatchObject({ code: 0 });
  await idle(session);
  home = realpathSync(session.home(ID));
  kept = join(session.root, "kept");
  mkdirSync(kept);
  for (const [name, from] of places()) copy(from, join(kept, name));
  writeFileSync(join(kept, "head"), session.git("rev-parse", `wisp/${ID}`));
});
afterAll(() => session[Symbol.asyncDispose]());

beforeEach(async () => {
  await idle(session);
  for (const [name, to] of places()) {
    rmSync(to, { recursive: true, force: true });
    copy(join(kept, name), to);
  }
  session.git("update-ref", `refs/heads/wisp/${ID}`, readFileSync(join(kept, "head"), "utf8"));
  writeFileSync(go(), "");
});

const places = () => [["wisp", wisps()] as const, ["state", states()] as const];

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Without a copy, wisp believes the damaged file. */
function dropCopies(): void {
  const paths = readdirSync(states(), { recursive: true, encoding: "utf8" });
  const copies = paths.filter((path) => /\/kept$/u.test(path));
  for (const path of copies) rmSync(join(states(), path), { recursive: true, force: true });
}

function change(path: string, from: RegExp, to: string): void {
  const text = readFileSync(at(path), "utf8");
  expect(text).toMatch(from);
  writeFileSync(at(path), text.replace(from, to));
  dropCopies();
}

function append(path: string, text: string): void {
  appendFileSync(at(path), text);
  dropCopies();
}

/** Appends a line of a log a second time. */
function repeat(log: string, line: RegExp): void {
  append(log, line.exec(readFileSync(at(log), "utf8"))?.[0] ?? "");
}

const TIME = "2026-11-20T12:00:00.000Z";
const OTHER = "ab".repeat(20);
const main = () => session.git("rev-parse", "main");
const setBranch = (to: string) => {
  session.git("update-ref", `refs/heads/wisp/${ID}`, to);
};

interface Damage {
  readonly kind: string;
  readonly where: string;
  readonly plant: () => void;
  /** The next steps remove the issue; otherwise it stays, and the session completes all the same. */
  readonly isGone?: true;
  /** The next steps abandon the session. */
  readonly isClosed?: true;
}

const BUILDER = "logs/builder.log";
const TESTER = "logs/tester.log";

const DAMAGES: readonly Damage[] = [
  { kind: "bad-line", where: "a role's log", plant: () => append(TESTER, "garbage\n") },
  {
    kind: "bad-line",
    where: "human.log",
    plant: () => append("logs/human.log", `${TIME} shout\n`),
  },
  {
    kind: "bad-line",
    where: "a projection",
    plant: () => append("logs/milestones.log", "half a line\n"),
    isGone: true,
  },
  {
    kind: "unit-without-begin",
    where: TESTER,
    plant: () => change(TESTER, / unit\.begin unit=test:One[^\n]*/u, " note text=gone"),
  },
  {
    kind: "unit-ended-twice",
    where: TESTER,
    plant: () => repeat(TESTER, /[^\n]*test\.end[^\n]*\n/u),
  },
  {
    kind: "unit-left",
    where: BUILDER,
    plant: () => change(BUILDER, / build\.end [^\n]*m=One[^\n]*/u, " note text=gone"),
  },
  {
    kind: "range-broken",
    where: BUILDER,
    plant: () => change(BUILDER, /(name\\":\\"Two\\",\\"start\\":\\")[0-9a-f]{40}/u, `$1${main()}`),
  },
  {
    kind: "milestone-twice",
    where: BUILDER,
    plant: () => repeat(BUILDER, /[^\n]*build\.end[^\n]*m=Two[^\n]*\n/u),
  },
  {
    kind: "milestone-not-planned",
    where: BUILDER,
    plant: () => change(BUILDER, /name\\":\\"Two\\",\\"start/u, 'name\\":\\"Four\\",\\"start'),
  },
  {
    kind: "refers-to-nothing",
    where: BUILDER,
    plant: () => change(BUILDER, /plan\.adopt seq=0/u, "plan.adopt seq=7"),
  },
  {
    kind: "plan-differs",
    where: BUILDER,
    plant: () => change(BUILDER, /(plan\.adopt [^\n]*)Say thanks/u, "$1Say little"),
  },
  {
    kind: "commit-missing",
    where: "every clone",
    plant: () => change("logs/reviewer.log", /checkpoint=[0-9a-f]{40}/u, `checkpoint=${OTHER}`),
  },
  {
    kind: "commit-not-on-branch",
    where: "a branch that was rewritten",
    plant: () => setBranch("main"),
    isGone: true,
  },
  {
    kind: "branch-gone",
    where: "a branch that was deleted",
    plant: () => {
      session.git("update-ref", "-d", `refs/heads/wisp/${ID}`);
    },
    isGone: true,
  },
  {
    kind: "request-missing",
    where: "request.md",
    plant: () => {
      rmSync(at("request.md"));
      dropCopies();
    },
    isGone: true,
  },
  {
    kind: "tasks-edited",
    where: "TASKS.md",
    plant: () => append("TASKS.md", "\n## Milestone: Five\n\n- [ ] More\n"),
    isGone: true,
  },
  {
    kind: "id-differs",
    where: "the name of the home",
    plant: () => renameSync(home, join(home, "..", "renamed")),
    isGone: true,
  },
  {
    kind: "log-lost",
    where: BUILDER,
    plant: () => {
      rmSync(at(BUILDER));
      dropCopies();
    },
    isClosed: true,
  },
];

const Found = z.object({
  issues: z.array(z.object({ kind: z.string(), step: z.string(), next: z.array(z.string()) })),
});

async function issueOf(kind: string) {
  const { stdout } = await session.wisp("fsck", ID, "--json");
  const { issues } = Found.parse(JSON.parse(stdout));
  return issues.find((issue) => issue.kind === kind);
}

test.each(DAMAGES)("the next steps that `fsck` names for $kind ($where) work", async (damage) => {
  damage.plant();
  const { step, next = [] } = (await issueOf(damage.kind)) ?? {};
  expect(step).toMatch(/\.$/u);
  expect(next).not.toEqual([]);
  for (const command of next) {
    // A person fills in the file, and confirms.
    const own = command.replace("<request.md>", "request.md");
    const typed = damage.isClosed === true ? `${own} --yes` : own;
    const { code, stdout, stderr } = await runExample(session, typed);
    expect({
      typed,
      code,
      stdout: code === 0 ? "" : stdout,
      stderr: code === 0 ? "" : stderr,
    }).toEqual({ typed, code: 0, stdout: "", stderr: "" });
  }
  if (damage.isGone) expect(await issueOf(damage.kind)).toBeUndefined();
  if (damage.isClosed) {
    expect(session.git("show", `refs/wisp/rescue/${ID}/abandoned:One.txt`)).toBe("hello");
    return;
  }
  // After that the session continues as usual.
  expect((await session.wisp("up", ID)).code).toBe(0);
  expect((await session.wisp("status", ID)).stdout).toContain("DONE (complete");
});

test("`fsck` names the command that fetches a missing commit from the clone that has it", async () => {
  const missing = "a commit of the builder's clone";
  const clone = join(
    states(),
    readdirSync(states(), { recursive: true, encoding: "utf8" }).find((path) =>
      path.endsWith("builder/clone"),
    ) ?? "",
  );
  const tree = session.git("-C", clone, "rev-parse", "HEAD^{tree}");
  const sha = session.git("-C", clone, "commit-tree", tree, "-m", missing);
  change("logs/reviewer.log", /checkpoint=[0-9a-f]{40}/u, `checkpoint=${sha}`);
  const { next = [] } = (await issueOf("commit-missing")) ?? {};
  const [fetch = ""] = next;
  expect(fetch).toContain(clone);
  expect(await runExample(session, fetch)).toMatchObject({ code: 0 });
  expect(await issueOf("commit-missing")).toBeUndefined();
});
