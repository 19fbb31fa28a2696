import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { homeDamaged } from "../../src/workspace/cause-in-home.ts";
import {
  homeShape,
  lostLogs,
  oddEntries,
  shapeIssues,
  shorterThanCopy,
} from "../../src/workspace/home/home-shape.ts";
import { restoreHome } from "../../src/workspace/home/restore-home.ts";
import type { FoundSession } from "../../src/workspace/sessions.ts";
import { copyPath, sessionCopyPath } from "../../src/fs-protocol/home/copy-path.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { createHost } from "../../src/host/host.ts";
import { keptFiles, writeAll } from "../rig/kept-home.ts";
import { arbitraryDamages, type Damage, damageWords, doDamage } from "../rig/damage.ts";

/*
 * A stored home with a copy of every file that has one, damaged at random and restored.
 */

const RUNS = 25;
const seed = Number(process.env["WISP_TEST_SEED"] ?? 1);
const ROLES = ["planner", "builder", "reviewer", "tester", "supervisor"] as const;

let root: string;
let found: FoundSession;
let kept: string;
const host = createHost();

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "wisp-"));
  const places = { root, node: process.execPath, agent: "agent.mjs" };
  const files = keptFiles("v1-halfway", "home", places);
  const read = SessionJson.parse(JSON.parse(files.get("session.json") ?? ""));
  const session = { ...read, state: join(root, "state") };
  const home = homeAt(join(root, "repository", ".wisp", "sessions", session.id));
  found = { home, session };
  writeAll(home.directory, files);
  for (const path of [home.logs, home.turns, home.plans, home.locks]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(home.sessionJson, JSON.stringify(session));
  const copies: [string, string][] = [
    ...ROLES.map((role): [string, string] => [
      join(home.logs, `${role}.log`),
      copyPath(session, `${role}Log`),
    ]),
    [home.humanLog, copyPath(session, "humanLog")],
    [home.request, copyPath(session, "request")],
    [home.sessionJson, sessionCopyPath(session)],
  ];
  for (const [from, to] of copies) {
    mkdirSync(join(to, ".."), { recursive: true });
    writeFileSync(to, host.files.stat(from) === undefined ? "" : readFileSync(from));
  }
  kept = join(root, "kept");
  cpSync(home.directory, join(kept, "home"), { recursive: true });
  cpSync(session.state, join(kept, "state"), { recursive: true });
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

function restore(): void {
  rmSync(found.home.directory, { recursive: true, force: true });
  rmSync(found.session.state, { recursive: true, force: true });
  cpSync(join(kept, "home"), found.home.directory, { recursive: true });
  cpSync(join(kept, "state"), found.session.state, { recursive: true });
}

const issues = () => shapeIssues(found, homeShape(host.files, found, new Set()));

test("fsck finds whatever damage a start refuses or restores, and repairs all of it", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryDamages, async (damages) => {
      restore();
      for (const damage of damages) doDamage(found.home.directory, root, damage);
      const words = damageWords(damages);
      const isFound = issues().length > 0;
      const isRefused = homeDamaged(found) !== undefined || shorterThanCopy(found).length > 0;
      if (isRefused) expect([words, isFound]).toEqual([words, true]);
      await restoreHome(host, found);
      expect([words, issues()]).toEqual([words, []]);
      expect(oddEntries(found)).toEqual([]);
      expect(shorterThanCopy(found)).toEqual([]);
      expect(lostLogs(found)).toEqual([]);
      for (const role of ROLES) {
        const log = join(found.home.logs, `${role}.log`);
        const copy = readFileSync(copyPath(found.session, `${role}Log`), "utf8");
        expect(copy === "" ? copy : readFileSync(log, "utf8")).toBe(copy);
      }
    }),
    { numRuns: RUNS, seed },
  );
});

describe("fsck knows the folder of the state: each of wisp's own paths there", () => {
  const PLAN = `${"a".repeat(64)}.md`;
  const paths: Readonly<Record<string, Damage["how"]>> = {
    ...{ "session.json": "directory", "recording.json": "link", "far.json": "pipe" },
    ...{ "spans-0123.json": "directory", plans: "file", [`plans/${PLAN}`]: "directory" },
    ...{ prompts: "link", "prompts/templates/build.md": "directory", edited: "file", kept: "pipe" },
    ...{ builder: "file", "builder/kept": "link", "builder/kept/folds.snapshot": "directory" },
    ...{ "builder/tasks": "file", "builder/tasks/TASKS.md": "directory" },
    ...{ "tester/before-turn.json": "directory", "tester/clone.config": "pipe" },
    ...{ "builder/clone-2.lfs": "link" },
  };
  test.each(Object.entries(paths))("%s, with a %s in its place", async (path, how) => {
    restore();
    const at = join(found.session.state, path);
    mkdirSync(dirname(at), { recursive: true });
    doDamage(found.session.state, root, { path, how });
    const named = issues().filter((issue) => issue.kind === "odd-entry" && issue.path === at);
    expect(named).toHaveLength(1);
    expect(homeDamaged(found)).toBeDefined();
    const moved = await restoreHome(host, found);
    expect(moved).toEqual([{ from: at, to: `${at}.aside-1` }]);
    expect(issues()).toEqual([]);
  });

  test("what wisp makes again is left alone, and so is what a person adds", () => {
    restore();
    for (const name of [
      "builder/clone",
      "builder/sandbox/tmp",
      "verify/builder",
      "notes",
      "kept/mine",
    ]) {
      mkdirSync(join(found.session.state, name), { recursive: true });
    }
    writeFileSync(join(found.session.state, "builder/clone.lock"), "");
    expect(issues().filter(({ path }) => !path.endsWith(".lock"))).toEqual([]);
  });
});

test("an undamaged home is in order", () => {
  restore();
  expect(issues()).toEqual([]);
  expect(homeDamaged(found)).toBeUndefined();
});
