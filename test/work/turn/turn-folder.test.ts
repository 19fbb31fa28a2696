import { FileFailure } from "../../../src/base/ports/files.ts";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runTurn } from "../../../src/work/turn/run-turn.ts";
import { changedFile, rangeFiles } from "../../../src/work/turn/turn-files.ts";
import {
  folderWords,
  createTurnFolder,
  pathIn,
  sweepFolders,
  turnFolder,
} from "../../../src/work/turn/turn-folder.ts";
import { RANGE_DIFF_BYTES_MAX } from "../../../src/base/limits.ts";
import { fail, ok } from "../../../src/base/result.ts";
import { createHost } from "../../../src/host/host.ts";
import { sha } from "../../rig/records.ts";
import { fakeClone } from "../../agents/fake-clone.ts";
import { memoryRole } from "../../agents/memory-role.ts";
import { said } from "../../agents/turns.ts";

const host = createHost();
let state = "";

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "wisp-"));
});

afterEach(() => {
  rmSync(state, { recursive: true });
});

const REQUEST = { name: "request.md", bytes: Buffer.from("Make a.\n"), says: "the request" };

function folderOf(lane?: number) {
  return turnFolder({ session: { state }, role: "reviewer", lane }, [REQUEST]);
}

test("turns of one role at the same time have folders of their own", () => {
  const directories = [0, 1, 2].map((lane) => folderOf(lane).directory);
  expect(directories).toEqual(
    ["turn", "turn-1", "turn-2"].map((name) => `${state}/reviewer/${name}`),
  );
});

test("the prompt names each file by its path and omits absent ones", () => {
  const folder = folderOf();
  expect(pathIn(folder, "request.md")).toBe(join(state, "reviewer/turn/request.md"));
  expect(pathIn(folder, "range.diff")).toBe("");
  expect(folderWords(folder).split("\n").at(-1)).toBe(
    `- \`${join(state, "reviewer/turn/request.md")}\`: the request`,
  );
});

test("removes what an earlier turn left in the folder, including unreadable folders and links to elsewhere", () => {
  const folder = folderOf();
  mkdirSync(join(folder.directory, "shut", "deep"), { recursive: true });
  chmodSync(join(folder.directory, "shut"), 0o500);
  writeFileSync(join(state, "mine"), "mine");
  symlinkSync(join(state, "mine"), join(folder.directory, "request.md"));
  createTurnFolder(host, folder);
  expect(readdirSync(folder.directory)).toEqual(["request.md"]);
  expect(readFileSync(join(folder.directory, "request.md"), "utf8")).toBe("Make a.\n");
  expect(readFileSync(join(state, "mine"), "utf8")).toBe("mine");
});

test("a link at the path of the folder is replaced, and its target stays", () => {
  const folder = folderOf();
  mkdirSync(join(state, "reviewer"));
  mkdirSync(join(state, "elsewhere"));
  writeFileSync(join(state, "elsewhere", "mine"), "mine");
  symlinkSync(join(state, "elsewhere"), folder.directory);
  createTurnFolder(host, folder);
  expect(readdirSync(folder.directory)).toEqual(["request.md"]);
  expect(readdirSync(join(state, "elsewhere"))).toEqual(["mine"]);
});

test("a starting role removes everything that killed turns left, and nothing else", () => {
  const strays = ["turn", "turn-2", "tmp", "tmp-1"];
  const kept = ["clone", "clone-1", "sandbox", "tasks", "turns", "tmp-clone", "before-turn.json"];
  for (const name of [...strays, ...kept]) {
    mkdirSync(join(state, "reviewer", name, "x"), { recursive: true });
  }
  sweepFolders(host, { session: { state }, role: "reviewer" });
  expect(readdirSync(join(state, "reviewer")).sort()).toEqual(kept.sort());
  sweepFolders(host, { session: { state }, role: "tester" });
});

test("a role starts even if a folder cannot be removed", () => {
  mkdirSync(join(state, "reviewer", "tmp", "of-a-container"), { recursive: true });
  const failure = FileFailure({ operation: "remove", path: "tmp", errno: "EACCES" });
  const directories = { removeTree: () => fail(failure) };
  sweepFolders({ files: host.files, directories }, { session: { state }, role: "reviewer" });
  expect(readdirSync(join(state, "reviewer"))).toEqual(["tmp"]);
});

test("the files exist while the engine runs and are removed when the turn is recorded", async () => {
  const seen: unknown[] = [];
  const { context, ports } = memoryRole("builder", (request) => {
    const path = join(request.folder ?? "", "request.md");
    seen.push([request.folder, request.range, ports.files.textOf(path)]);
    return said("");
  });
  const folder = turnFolder(context, [REQUEST]);
  await runTurn(context, {
    ...{ purpose: "build", unit: "build:API:1", attempt: 1, ask: 1 },
    ...{ prompt: "Build it", folder, cwd: "/clone", milestone: "API" },
  });
  expect(seen).toEqual([[folder.directory, undefined, "Make a.\n"]]);
  expect(ports.files.stat(pathIn(folder, "request.md"))).toBeUndefined();
});

test("a range is its diff and the names of its files, each on one line", async () => {
  const changed = [
    { status: "added", path: "a.js" },
    { status: "deleted", path: "two\nlines" },
  ] as const;
  const clone = fakeClone("/clone", {
    diff: async () => ok({ text: "+a\n", isWhole: true }),
    changedPaths: async () => ok(changed),
  });
  const [diff, names] = await rangeFiles(clone, { start: sha(1), end: sha(2) });
  expect(diff).toMatchObject({
    name: "range.diff",
    bytes: Buffer.from("+a\n"),
    says: "what the range changes, as a diff",
  });
  expect(Buffer.from(names?.bytes ?? []).toString()).toBe("added a.js\ndeleted two lines\n");
  expect(changedFile([]).bytes).toEqual(Buffer.from("\n"));
});

test("the file of a diff that is too large has its beginning, and its description says so", async () => {
  const asked: number[] = [];
  const clone = fakeClone("/clone", {
    diff: async (_start, _end, bytesMax) => {
      asked.push(bytesMax);
      return ok({ text: "+a\n", isWhole: false });
    },
  });
  const [diff] = await rangeFiles(clone, { start: sha(1), end: sha(2) });
  expect(asked).toEqual([RANGE_DIFF_BYTES_MAX]);
  expect(diff?.says).toBe(
    "the beginning of what the range changes; " +
      `\`git diff --no-ext-diff ${sha(1)} ${sha(2)}\` prints the whole`,
  );
});
