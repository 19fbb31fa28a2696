import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findLeftovers, removeLeftover } from "../../src/host/files/leftovers.ts";
import { askProgram } from "../../src/host/processes/ask-program.ts";
import { isWritable, probeDisk } from "../../src/host/probe/probe-disk.ts";
import { probeInotify } from "../../src/host/probe/probe-inotify.ts";
import { carriersOf } from "../../src/host/probe/probe-leftovers.ts";
import { sealTail } from "../../src/host/files/seal-tail.ts";
import { eventually } from "../rig/patience.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const HOUR_MS = 3_600_000;
const options = { cwd: tmpdir(), env: ownEnvironment(), timeoutMs: 20_000 };

test("a command's output on both streams and its exit code are returned", async () => {
  const probe = await askProgram(["sh", "-c", "echo out; echo err >&2; exit 3"], options);
  expect(probe).toMatchObject({ kind: "exited", exitCode: 3 });
  expect(probe).toHaveProperty("output", expect.stringContaining("out\n"));
  expect(probe).toHaveProperty("output", expect.stringContaining("err\n"));
});

test("a missing command is reported as absent", async () => {
  expect(await askProgram(["wisp-has-no-such-program"], options)).toEqual({
    kind: "absent",
    errno: "ENOENT",
  });
});

test("a command that does not answer is ended with all that it started", async () => {
  const marker = `${directory}#probe`;
  const probe = await askProgram(["sh", "-c", "sleep 60 & sleep 60"], {
    ...options,
    env: { ...options.env, WISP_RUN_ID: marker },
    timeoutMs: 200,
  });
  expect(probe).toEqual({ kind: "timed-out" });
  await eventually(() => expect(carriersOf([marker])).toEqual([]));
});

test("a command that leaves a child with its output is not waited for", async () => {
  const probe = await askProgram(["sh", "-c", "sleep 60 & echo done"], options);
  expect(probe).toMatchObject({ kind: "exited", output: "done\n" });
});

test("a process that left the group and holds the output is not waited for", async () => {
  const marker = `${directory}#escaped`;
  const answer = await askProgram(["sh", "-c", "setsid sleep 600 & echo done"], {
    ...options,
    env: { ...options.env, WISP_RUN_ID: marker },
    timeoutMs: 600_000,
  });
  expect(answer).toMatchObject({ kind: "exited", exitCode: 0, stdout: "done\n" });
  for (const pid of carriersOf([marker])) process.kill(pid, "SIGKILL");
});

test("a program gets its input, even if it does not read it", async () => {
  const stdin = "line\n".repeat(100_000);
  const counted = await askProgram(["wc", "-l"], { ...options, stdin });
  expect(counted).toMatchObject({ kind: "exited", exitCode: 0 });
  expect(counted).toHaveProperty("stdout", expect.stringMatching(/^ *100000\n$/u));
  expect(await askProgram(["true"], { ...options, stdin })).toMatchObject({ exitCode: 0 });
});

test("a program that prints without end is ended", async () => {
  const answer = await askProgram(["yes"], { ...options, timeoutMs: 600_000 });
  expect(answer).toMatchObject({ kind: "exited", exitCode: 1 });
});

test("a program that cannot be asked is absent, whatever the reason", async () => {
  const nowhere = { ...options, cwd: join(directory, "none") };
  expect(await askProgram(["true"], nowhere)).toEqual({ kind: "absent", errno: "ENOTDIR" });
  expect(await askProgram(["a\0b"], options)).toEqual({ kind: "absent", errno: "EINVAL" });
  const file = join(directory, "file");
  writeFileSync(file, "");
  expect(await askProgram([file], options)).toEqual({ kind: "absent", errno: "EACCES" });
});

test("a fragment is sealed once, and a whole file is left alone", () => {
  const path = join(directory, "log");
  writeFileSync(path, "whole\nfrag");
  expect([sealTail(path).ok, sealTail(path).ok]).toEqual([true, true]);
  expect(readFileSync(path, "utf8")).toBe("whole\nfrag |torn\n");
  expect(sealTail(join(directory, "none"))).toMatchObject({ ok: false });
});

test("removes only leftovers: files that are old and have such a name", () => {
  const then = Date.now() / 1_000 - HOUR_MS / 1_000;
  const make = (name: string, isOld: boolean, isFolder = false) => {
    const path = join(directory, name);
    if (isFolder) mkdirSync(path);
    else writeFileSync(path, "");
    if (isOld) utimesSync(path, then, then);
  };
  make(".TASKS.md.0123456789ab.tmp", true);
  make(".TASKS.md.ba9876543210.tmp", false);
  make("human.log.lock", true, true);
  make("PROGRESS.txt.lock", false, true);
  make("builder.lock", true);
  make("notes.tmp", true);
  make(".new-01234567-89ab-cdef-0123-456789abcdef", true, true);
  const found = findLeftovers([directory, join(directory, "none")], Date.now());
  expect(found.map(({ path }) => path.slice(directory.length + 1)).sort()).toEqual([
    ".TASKS.md.0123456789ab.tmp",
    ".new-01234567-89ab-cdef-0123-456789abcdef",
    "human.log.lock",
  ]);
  for (const leftover of found) expect(removeLeftover(leftover)).toMatchObject({ ok: true });
  expect(findLeftovers([directory], Date.now())).toEqual([]);
});

test("the disk of a missing folder is that of the folder above", () => {
  const below = join(directory, "not", "yet");
  expect(probeDisk(below)?.device).toBe(probeDisk(directory)?.device);
  expect(probeDisk(directory)?.freeBytes).toBeGreaterThan(0);
  expect(isWritable(below)).toBe(true);
});

test.runIf(process.platform === "linux")("file events have a limit, and less is in use", () => {
  const inotify = probeInotify();
  expect(inotify?.instancesMax).toBeGreaterThanOrEqual(inotify?.instancesUsed ?? Infinity);
  expect(inotify?.watchesMax).toBeGreaterThan(0);
});
