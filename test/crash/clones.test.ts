import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Rolldown } from "tsdown";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { parsePackedRefs } from "../../src/git/refs/packed-refs.ts";
import { isTemporaryName } from "../../src/host/files/write-atomically.ts";
import { commit, createRig, BRANCH, read, refs, value, write, type Rig } from "../git/rig.ts";
import { contentIn, pointerTo, stored } from "../git/lfs/lfs-rig.ts";
import { PLANTED_MISTAKES } from "../planted/mistakes.ts";
import { markedProcesses } from "../rig/marked-processes.ts";
import { eventually } from "../rig/patience.ts";
import { planting } from "../rig/planting.ts";
import { savedCopy } from "../rig/saved-copy.ts";
import { drawn, isUsedUp, missesMax } from "../rig/share.ts";
import { clonePlaces, type ClonePlaces } from "./clone-place.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/*
 * A session's roles make, use and remove clones by paths that the small sessions of the other suites seldom take:
 * with objects in a store, object by object, without a fetch. Here a process that does one such thing is killed at
 * each of its failpoints. What it started goes on for a moment, as it would on any machine; the next process begins
 * at once.
 */

let folder = "";
let program = "";

beforeAll(async () => {
  const input = join(import.meta.dirname, "clone-program.ts");
  const planted = PLANTED_MISTAKES.filter(
    ({ mistake }) => mistake === process.env["WISP_TEST_PLANTED"],
  );
  const plugins = planted.map(({ edits }) => planting(edits));
  const bundle = await Rolldown.rolldown({ input, platform: "node", plugins });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  folder = mkdtempSync(join(tmpdir(), "wisp-"));
  program = join(folder, "clone-program.mjs");
  writeFileSync(program, output[0].code);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Something that a process does with a role's clone, and may be killed at. */
interface Scenario {
  readonly act: string;
  readonly role: string;
  /** What is there before. */
  readonly prepare: (rig: Rig, places: ClonePlaces) => Promise<unknown>;
  /** What must hold after a kill, and when the next process has done the rest. */
  readonly check: (rig: Rig, places: ClonePlaces) => Promise<unknown>;
}

interface Ran {
  readonly isKilled: boolean;
  readonly points: readonly string[];
  readonly stderr: string;
}

function run(rig: Rig, { act, role }: Scenario, failpoint?: string): Ran {
  const log = join(rig.root, "points");
  rmSync(log, { force: true });
  const env = ownEnvironment({
    HOME: join(rig.root, "home"),
    WISP_FAILPOINT_LOG: log,
    ...(failpoint === undefined ? {} : { WISP_FAILPOINT: failpoint }),
  });
  const args = [program, act, rig.root, BRANCH, role];
  const { signal, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  const points = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
  return { isKilled: signal === "SIGKILL", points, stderr };
}

/** Each pass of a failpoint, as `name:n`. */
function passesOf(points: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return points.map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${name}:${String(counts.get(name))}`;
  });
}

/** Waits for what a killed process started. */
async function untilQuiet(rig: Rig): Promise<void> {
  const home = `HOME=${join(rig.root, "home")}`;
  await eventually(() => {
    expect(markedProcesses((variable) => variable === home)).toEqual([]);
  });
}

/** Runs a scenario killed at each of its points in turn, and checks what the next process finds. */
async function killedAtEveryPoint(scenario: Scenario, part: number): Promise<void> {
  using rig = createRig();
  const places = clonePlaces(rig.root, BRANCH);
  await scenario.prepare(rig, places);
  using copy = savedCopy(rig.root);
  const whole = run(rig, scenario);
  expect(whole).toMatchObject({ isKilled: false, stderr: "" });
  await scenario.check(rig, places);
  const passes = passesOf(whole.points);
  const counts = { tried: 0, killed: 0 };
  for (const pass of drawn(passes, scenario.act)) {
    if (isUsedUp(part) && counts.killed > 0) break;
    copy.restore();
    const { isKilled } = run(rig, scenario, pass);
    counts.tried += 1;
    counts.killed += Number(isKilled);
    try {
      await scenario.check(rig, places);
    } catch (error) {
      throw new Error(`killed at ${pass}`, { cause: error });
    } finally {
      await untilQuiet(rig);
    }
  }
  console.log(
    `${scenario.act}: killed at ${counts.killed} of ${counts.tried}, of ${passes.length}`,
  );
  expect(counts.killed).toBeGreaterThan(0);
  expect(counts.tried - counts.killed).toBeLessThanOrEqual(missesMax(counts.tried));
}

/** A packed and a loose commit, on the session's branch. */
function fillHub(rig: Rig): void {
  rig.git(["tag", "-a", "-m", "the first", "v1", "main"]);
  rig.git(["repack", "-q", "-a", "-d"]);
  commitInHub(rig, "loose.txt");
}

function commitInHub(rig: Rig, name: string): void {
  rig.git(["checkout", "--quiet", BRANCH]);
  write(join(rig.hub.directory, "sub", name), `${name}\n`);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", name]);
  rig.git(["checkout", "--quiet", "main"]);
}

function alternatesOf({ directory }: Clone): string {
  return join(directory, ".git", "objects", "info", "alternates");
}

/** A role's clone has all that the branch has, and nothing of an earlier attempt to make it is left. */
async function expectWhole(rig: Rig, places: ClonePlaces, hasOwn = false): Promise<Clone> {
  const clone = value(await places.open("tester", hasOwn));
  const head = (await places.hub.head(BRANCH)) ?? "";
  expect(value(await clone.syncTo())).toBe(head);
  rig.git(["fsck", "--strict", "--no-progress", "--no-dangling"], clone.directory);
  const frozen = read(join(rig.root, "state", "first", "refs", "packed-refs"), "latin1");
  const given = parsePackedRefs(frozen).refs.map(({ name }) => name);
  expect(given).toEqual(expect.arrayContaining([...refs(rig, "refs/tags")]));
  expect(refs(rig, "refs", clone.directory)).toEqual(expect.arrayContaining(given));
  expect(rig.git(["status", "--porcelain"], clone.directory)).toBe("");
  const beside = readdirSync(join(places.directoryOf("tester"), ".."));
  // What is being removed goes with the next removal, temporary files with the role's next start, and the folder in
  // which a killed process's git still writes with the next clone.
  const isLeft = (name: string) => /\.gone$|^clone\.making-/u.test(name) || isTemporaryName(name);
  const ofSubmodules = existsSync(join(clone.directory, ".gitmodules")) ? ["clone.submodules"] : [];
  const expected = ["clone", "clone.config", ...ofSubmodules];
  expect(beside.filter((name) => !isLeft(name))).toEqual(expected);
  expect(existsSync(alternatesOf(clone))).toBe(!hasOwn);
  if (hasOwn) return clone;
  expect(read(alternatesOf(clone))).toBe(`${join(places.store.directory, "shared")}\n`);
  const stores = readdirSync(join(rig.root, "state")).filter((name) => name.startsWith(".objects"));
  expect(stores.filter((name) => !name.includes(".lock"))).toEqual([".objects"]);
  return clone;
}

/** The branch is where it was or where it was to be, and whole; then the clone can go on. */
async function expectPublished(rig: Rig, places: ClonePlaces, made: string): Promise<void> {
  const before = rig.git(["rev-parse", "main"]).trim();
  const head = await places.hub.head(BRANCH);
  expect([before, made]).toContain(head);
  rig.git(["rev-list", "--objects", head ?? ""]);
  const clone = value(await places.open("builder"));
  expect(value(await clone.repair())).toEqual({ rescue: undefined });
  await untilQuiet(rig);
  value(await clone.publish(made));
  expect(await places.hub.head(BRANCH)).toBe(made);
  rig.git(["fsck", "--strict", "--no-progress", "--no-dangling"]);
  expect(rig.git(["status", "--porcelain"])).toBe("");
  expect(refs(rig, "refs/heads")).toEqual(["refs/heads/main", `refs/heads/${BRANCH}`]);
  expect(refs(rig, "refs/wisp")).toEqual([]);
}

test("a clone is whole wherever a process was killed that filled the store and made it", async () => {
  await killedAtEveryPoint(
    {
      act: "open",
      role: "tester",
      prepare: async (rig) => fillHub(rig),
      check: (rig, places) => expectWhole(rig, places),
    },
    0.25,
  );
});

test("a clone is whole wherever a process was killed that added a commit to the store and made it", async () => {
  await killedAtEveryPoint(
    {
      act: "open",
      role: "tester",
      prepare: async (rig, places) => {
        fillHub(rig);
        value(await places.open("builder"));
        commitInHub(rig, "later.txt");
      },
      check: (rig, places) => expectWhole(rig, places),
    },
    0.45,
  );
});

test("a clone with copies of its own is whole wherever a process was killed that made it", async () => {
  await killedAtEveryPoint(
    {
      act: "open-own",
      role: "tester",
      prepare: async (rig) => fillHub(rig),
      check: (rig, places) => expectWhole(rig, places, true),
    },
    0.6,
  );
});

test("a clone is whole again wherever a process was killed that removed it, and no part of it is kept as broken", async () => {
  await killedAtEveryPoint(
    {
      act: "remove",
      role: "tester",
      prepare: async (_rig, places) => value(await places.open("tester")),
      check: (rig, places) => expectWhole(rig, places),
    },
    0.7,
  );
});

test("the store is whole again wherever a process was killed that removed it", async () => {
  await killedAtEveryPoint(
    {
      act: "remove-store",
      role: "tester",
      prepare: async (rig, places) => {
        fillHub(rig);
        value(await places.open("tester"));
        rmSync(places.directoryOf("tester"), { recursive: true });
        rmSync(`${places.directoryOf("tester")}.config`);
      },
      check: (rig, places) => expectWhole(rig, places),
    },
    0.75,
  );
});

test("the branch is whole wherever a process was killed that published to it", async () => {
  let made = "";
  await killedAtEveryPoint(
    {
      act: "publish",
      role: "builder",
      prepare: async (_rig, places) => {
        const clone = value(await places.open("builder"));
        await commit(clone, "a.txt");
        made = await commit(clone, "b.txt");
      },
      check: (rig, places) => expectPublished(rig, places, made),
    },
    0.85,
  );
});

/** Content of a new file under Git LFS: in the person's store before the branch moves, and nothing beside it. */
async function expectContent(rig: Rig, places: ClonePlaces, made: string): Promise<void> {
  const { sha256, pointer } = pointerTo(CONTENT);
  const store = join(rig.hub.directory, ".git", "lfs");
  const isPublished = (await places.hub.head(BRANCH)) === made;
  if (isPublished) expect(stored(store, { sha256, pointer })).toBe(CONTENT);
  await expectPublished(rig, places, made);
  expect(stored(store, { sha256, pointer })).toBe(CONTENT);
  expect(readdirSync(dirname(contentIn(store, sha256)))).toEqual([sha256]);
  const counted = new Set(read(`${places.directoryOf("builder")}.lfs`).split("\n"));
  expect([...counted]).toEqual([`${sha256} ${String(CONTENT.length)}`, ""]);
}

const CONTENT = "large ".repeat(1_000_000);

test("content under Git LFS is in the person's store wherever a process was killed that published a pointer to it", async () => {
  let made = "";
  await killedAtEveryPoint(
    {
      act: "publish",
      role: "builder",
      prepare: async (_rig, places) => {
        const clone = value(await places.open("builder"));
        const { sha256, pointer } = pointerTo(CONTENT);
        write(contentIn(join(clone.directory, ".git", "lfs"), sha256), CONTENT);
        write(join(clone.directory, ".gitattributes"), "*.bin filter=lfs -text\n");
        made = await commit(clone, "new.bin", pointer);
      },
      check: (rig, places) => expectContent(rig, places, made),
    },
    0.93,
  );
});

test("a commit that is in a clone has all that it contains wherever a process was killed that copied it", async () => {
  await killedAtEveryPoint(
    {
      act: "bring",
      role: "tester",
      prepare: async (rig, places) => {
        value(await places.open("tester"));
        commitInHub(rig, "one.txt");
        commitInHub(rig, "two.txt");
      },
      check: async (rig, places) => {
        const commits = rig
          .git(["rev-list", `main..${BRANCH}`])
          .trim()
          .split("\n");
        const directory = places.directoryOf("tester");
        const isThere = (oid: string) =>
          existsSync(join(directory, ".git", "objects", oid.slice(0, 2), oid.slice(2)));
        for (const oid of commits.filter(isThere)) {
          rig.git(["rev-list", "--objects", oid], directory);
        }
        await expectWhole(rig, places);
      },
    },
    0.96,
  );
});

const LIB_FILE = "vendor/lib/a.txt";

/** Points the submodule `vendor/lib` of the branch to a new commit, whose files have this text. */
function moveSubmodule(rig: Rig, text: string): void {
  const library = join(rig.root, "library");
  const isNew = !existsSync(library);
  if (isNew) rig.git(["init", "--quiet", library], rig.root);
  for (const name of ["a.txt", "b.txt"]) write(join(library, name), text);
  rig.git(["add", "--all"], library);
  rig.git(["commit", "--quiet", "-m", text], library);
  rig.git(["checkout", "--quiet", BRANCH]);
  const fetched = ["-c", "protocol.file.allow=always"];
  if (isNew) rig.git([...fetched, "submodule", "--quiet", "add", library, "vendor/lib"]);
  else rig.git([...fetched, "-C", "vendor/lib", "pull", "--quiet"]);
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", text]);
}

test("a submodule has the files of its commit wherever a process was killed that filled it, and nothing of it counts as changed", async () => {
  await killedAtEveryPoint(
    {
      act: "bring",
      role: "tester",
      prepare: async (rig, places) => {
        moveSubmodule(rig, "one\n");
        value(await places.open("tester"));
        moveSubmodule(rig, "two\n");
      },
      check: async (rig, places) => {
        const clone = await expectWhole(rig, places);
        for (const name of [LIB_FILE, "vendor/lib/b.txt"])
          expect(read(join(clone.directory, name))).toBe("two\n");
        const base = rig.git(["rev-parse", "main"]).trim();
        expect(value(await clone.saveBeside(base)).held).toEqual([]);
      },
    },
    1,
  );
});
