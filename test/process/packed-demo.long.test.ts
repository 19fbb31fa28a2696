import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../tidy/repository.ts";

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

let folder = "";

/** Runs a program in the empty folder, with an empty HOME and the package manager's own settings. */
function run(program: string, ...args: readonly string[]): Promise<Ended> {
  const { PATH, npm_config_cache, npm_config_registry } = process.env;
  const env = {
    PATH,
    npm_config_cache,
    npm_config_registry,
    HOME: join(folder, "home"),
    NO_COLOR: "1",
  };
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
  // The build is there already; packing must not make it again under the other tests.
  const packed = await run("npm", "pack", "--ignore-scripts", repositoryRoot);
  expect(packed).toMatchObject({ code: 0 });
  const tarball = /^wisp-build-.*\.tgz$/m.exec(packed.output)?.[0] ?? "";
  const installed = await run("npm", "install", "--no-audit", "--no-fund", tarball);
  expect(installed).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("npx wisp demo ends complete where only the package is installed", async () => {
  const ended = await run("npx", "wisp", "demo", "--dir", join(folder, "demo"));
  expect(ended).toMatchObject({ code: 0 });
  const { output } = ended;
  expect(output).toContain("is complete.");
  expect(output).toMatch(/findings {4}1 fixed/);
  expect(output).toMatch(/bugs {8}1 fixed/);
});

test("a cassette whose edit is broken makes the demo fail: only the model's part is recorded", async () => {
  const cassette = join(folder, "user/node_modules/wisp-build/demo/cassette.yaml");
  const text = await readFile(cassette, "utf8");
  const broken = text.replaceAll("export function", "exprot function");
  expect(broken).not.toBe(text);
  await writeFile(cassette, broken);
  const { code } = await run("npx", "wisp", "demo", "--dir", join(folder, "broken"));
  expect(code).not.toBe(0);
});
