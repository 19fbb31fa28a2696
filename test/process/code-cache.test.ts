import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { WISP } from "../rig/process-session.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/** A HOME with a cache of compiled code, filled by a first `wisp --help`. */
function filledCache() {
  const home = mkdtempSync(join(tmpdir(), "wisp-code-"));
  const env = ownEnvironment({ HOME: home });
  const help = (variables: Readonly<Record<string, string>> = {}) =>
    execFileSync(process.execPath, [WISP, "--help"], {
      env: { ...env, ...variables },
      encoding: "utf8",
    });
  const printed = help();
  const parent = join(home, ".local/state/wisp/.code");
  const [name = ""] = readdirSync(parent);
  const directory = join(parent, name);
  const files = () => readdirSync(directory).map((file) => join(directory, file));
  return {
    ...{ home, env, help, printed, parent, directory, files },
    [Symbol.dispose]: () => {
      rmSync(home, { recursive: true });
    },
  };
}

function isWhole(path: string): boolean {
  const bytes = readFileSync(path);
  const data = bytes.subarray(32);
  return bytes.length > 32 && digestFor(path, data).equals(bytes.subarray(0, 32));
}

/** The digest of a file's text and of its compiled form. */
function digestFor(path: string, data: Buffer): Buffer {
  const text = readFileSync(join(dirname(WISP), basename(path)), "utf8");
  return createHash("sha256").update(text).update(data).digest();
}

/** Changes whenever a file is written, even with the same content. */
function versions(paths: readonly string[]): readonly unknown[] {
  return paths.map((path) => [path, statSync(path).ino, statSync(path).mtimeMs]);
}

test("a second run of a command reads what the first compiled, and compiles nothing", () => {
  using cache = filledCache();
  const files = cache.files();
  expect(files.some((path) => /\/program-[^/]+\.js$/.test(path))).toBe(true);
  expect(files.every(isWhole)).toBe(true);
  const before = versions(files);
  expect(cache.help()).toBe(cache.printed);
  expect(versions(cache.files())).toEqual(before);
});

test("a start that people or a session wait for has a cache of its own, and all others share one", () => {
  using cache = filledCache();
  const caches = (...words: readonly string[]) => {
    spawnSync(process.execPath, [WISP, ...words], { cwd: cache.home, env: cache.env });
    return readdirSync(cache.parent).length;
  };
  expect(caches("no-such-command")).toBe(1);
  expect(caches("list")).toBe(1);
  expect(caches("agent", "no-such-role")).toBe(1);
  expect(caches("status")).toBe(2);
  expect(caches("status", "--json")).toBe(2);
  expect(caches("agent", "tester")).toBe(3);
});

test("only the user can write to the cache, or read it", () => {
  using cache = filledCache();
  expect(statSync(cache.directory).mode & 0o777).toBe(0o700);
  for (const path of cache.files()) expect(statSync(path).mode & 0o777).toBe(0o600);
});

// V8 itself ends the process with a signal for many of these.
test.each([
  ["a changed byte", (path: string) => writeFileSync(path, flipped(readFileSync(path)))],
  ["its second half missing", (path: string) => truncateSync(path, statSync(path).size / 2)],
  ["zeros at its end", (path: string) => writeFileSync(path, zeroed(readFileSync(path)))],
  ["no content", (path: string) => truncateSync(path, 0)],
  [
    "the content of another version",
    (path: string) => writeFileSync(path, sealed(path, "not V8's")),
  ],
])("a file of the cache with %s is compiled again and replaced", (_, damage) => {
  using cache = filledCache();
  for (const path of cache.files()) damage(path);
  const before = versions(cache.files());
  expect(cache.help()).toBe(cache.printed);
  expect(cache.files().every(isWhole)).toBe(true);
  const after = versions(cache.files());
  expect(after.filter((one, at) => JSON.stringify(one) === JSON.stringify(before[at]))).toEqual([]);
});

function flipped(bytes: Buffer): Buffer {
  const at = Math.floor(bytes.length / 3);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  return bytes;
}

function zeroed(bytes: Buffer): Buffer {
  return bytes.fill(0, bytes.length >> 1);
}

function sealed(path: string, content: string): Buffer {
  const data = Buffer.from(content);
  return Buffer.concat([digestFor(path, data), data]);
}

// V8 itself compares only the length of the text.
test("compiled code is not believed for another text of the same length", () => {
  using cache = filledCache();
  const directory = join(cache.home, "program");
  cpSync(dirname(WISP), directory, { recursive: true });
  const program = join(directory, basename(WISP));
  const help = () =>
    execFileSync(process.execPath, [program, "--help"], { env: cache.env, encoding: "utf8" });
  expect(help()).toMatch(/^Usage/);
  for (const name of readdirSync(directory).filter((name) => name.startsWith("program-"))) {
    const text = readFileSync(join(directory, name), "utf8");
    writeFileSync(join(directory, name), text.replaceAll("`Usage:`", "`Using:`"));
  }
  expect(help()).toMatch(/^Using/);
});

test("a process that is killed long after its start has kept what it compiled", async () => {
  using cache = filledCache();
  for (const path of cache.files()) rmSync(path);
  const server = spawn(process.execPath, [WISP, "mcp"], { env: cache.env, stdio: "pipe" });
  const exit = once(server, "exit");
  // A file has a longer name until it is whole.
  const kept = () => cache.files().filter((path) => path.endsWith(".js"));
  await eventually(() => expect(kept().some(isWhole)).toBe(true));
  server.kill("SIGKILL");
  expect(await exit).toEqual([null, "SIGKILL"]);
});

test("files that the program no longer has are removed from the cache at the next write", () => {
  using cache = filledCache();
  const [first = ""] = cache.files();
  rmSync(first);
  writeFileSync(join(cache.directory, "gone-12345678.js"), "of an earlier version");
  cache.help();
  expect(cache.files()).toContain(first);
  expect(cache.files().filter((path) => path.includes("gone-"))).toEqual([]);
});

test("a command works the same if nothing can be kept", () => {
  using cache = filledCache();
  rmSync(cache.parent, { recursive: true });
  writeFileSync(cache.parent, "a file in the place of the directory");
  expect(cache.help()).toBe(cache.printed);
  expect(readFileSync(cache.parent, "utf8")).toBe("a file in the place of the directory");
});

test("NODE_DISABLE_COMPILE_CACHE keeps nothing", () => {
  using cache = filledCache();
  rmSync(cache.parent, { recursive: true });
  expect(cache.help({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe(cache.printed);
  mkdirSync(cache.parent);
  expect(readdirSync(cache.parent)).toEqual([]);
});
