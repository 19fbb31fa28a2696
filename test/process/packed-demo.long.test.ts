import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { repositoryRoot, textOf } from "../tidy/repository.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const Manifest = z.object({ version: z.string() });

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Limit for the size of all installed files. */
const INSTALLED_BYTES_MAX = 5_000_000;

let folder = "";

/** Runs a program in an empty folder, with an empty HOME, so that the package manager's cache is empty. */
function run(program: string, ...args: readonly string[]): Promise<Ended> {
  const HOME = join(folder, "home");
  const env = ownEnvironment({ HOME, NO_COLOR: "1" });
  const cwd = join(folder, "user");
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env, maxBuffer: 1e8 },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, output: `${stdout}\n${stderr}` });
      },
    );
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wisp-"));
  await mkdir(join(folder, "home"));
  await mkdir(join(folder, "user"));
  // The build exists already, and packing must not replace it while other tests use it.
  const packed = await run("npm", "pack", "--ignore-scripts", repositoryRoot);
  expect(packed).toMatchObject({ code: 0 });
  const tarball = /^wisp-build-.*\.tgz$/m.exec(packed.output)?.[0] ?? "";
  const options = ["--offline", "--no-audit", "--no-fund"];
  const installed = await run("npm", "install", ...options, tarball);
  expect(installed).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("the package can be installed and run without the network or another package", async () => {
  const modules = join(folder, "user/node_modules");
  const paths = await readdir(modules, { recursive: true });
  const packages = (await readdir(modules)).filter((name) => !name.startsWith("."));
  expect(packages).toEqual(["wisp-build"]);
  expect(paths.filter((path) => path.endsWith("/node_modules"))).toEqual([]);
  const sizes = await Promise.all(
    paths.map(async (path) => (await stat(join(modules, path))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(INSTALLED_BYTES_MAX);
  const { version } = Manifest.parse(JSON.parse(textOf("package.json")));
  const { code, output } = await run("npx", "--offline", "wisp", "--version");
  expect({ code, said: output.trim() }).toEqual({ code: 0, said: version });
});

test("npx wisp demo completes with only the package installed", async () => {
  const ended = await run("npx", "wisp", "demo", "--dir", join(folder, "demo"));
  expect(ended).toMatchObject({ code: 0 });
  const { output } = ended;
  expect(output).toContain("is complete.");
  expect(output).toMatch(/findings {4}1 fixed/);
  expect(output).toMatch(/bugs {8}1 fixed/);
});

test("the demo fails if an edit of its cassette is broken, because only the model's part is recorded", async () => {
  const cassette = join(folder, "user/node_modules/wisp-build/demo/cassette.yaml");
  const text = await readFile(cassette, "utf8");
  const broken = text.replaceAll("export function", "exprot function");
  expect(broken).not.toBe(text);
  await writeFile(cassette, broken);
  const { code } = await run("npx", "wisp", "demo", "--dir", join(folder, "broken"));
  expect(code).not.toBe(0);
});
