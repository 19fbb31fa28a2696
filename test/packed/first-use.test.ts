import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Newcomer } from "./newcomer.ts";

/*
 * What README promises to whoever has the package and nothing else. Each test begins with the tarball: what is
 * missing in it, or comes only from this repository, makes them fail.
 */

let newcomer: Newcomer;
beforeAll(async () => {
  newcomer = await Newcomer.create();
});
afterAll(() => newcomer[Symbol.asyncDispose]());

test("npx runs the demo in an empty folder with an empty home", async () => {
  const folder = newcomer.at("empty");
  expect(await readdir(newcomer.at("home"))).toEqual([]);
  // `npx wisp-build demo`, with the place of the tarball instead of the registry.
  const spec = `wisp-build@file:${newcomer.tarball}`;
  const said = await newcomer.must(folder, ["npx", "--yes", spec, "demo"]);
  expect(said).toContain("durations-of-several-parts is complete.");
  expect(said).toMatch(/The project's tests pass on the branch: (\d+) of \1\./u);
  expect(await readdir(folder)).toEqual([]);
});

test("the package has one program, and installs nothing else", async () => {
  const prefix = newcomer.at("prefix");
  const argv = ["install", "--global", "--prefix", prefix, newcomer.tarball];
  await newcomer.must(newcomer.at("home"), ["npm", ...argv]);
  expect(await readdir(join(prefix, "bin"))).toEqual(["wisp"]);
  expect(await readdir(join(prefix, "lib", "node_modules"))).toEqual(["wisp-build"]);
  expect(await readdir(join(prefix, "lib", "node_modules", "wisp-build"))).not.toContain(
    "node_modules",
  );
});

test("once installed, it turns a request into a branch that ships, as README says", async () => {
  const repository = newcomer.at("timesheet");
  const wisp = (...words: readonly string[]) => newcomer.must(repository, ["wisp", ...words]);
  const git = (...words: readonly string[]) => newcomer.must(repository, ["git", ...words]);
  const demo = newcomer.at("prefix", "lib", "node_modules", "wisp-build", "demo");
  await cp(join(demo, "project"), repository, { recursive: true });
  await cp(join(demo, "request.md"), join(repository, "request.md"));
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.com");

  expect(await wisp("init")).toContain("wrote .wisp/config.yaml\n");
  await cp(join(demo, "cassette.yaml"), join(repository, ".wisp", "cassette.yaml"));
  const config = join(repository, ".wisp", "config.yaml");
  const settings = await readFile(config, "utf8");
  await writeFile(config, settings.replace(/^engine: .*$/mu, "engine: replay"));
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Read durations");

  expect(await wisp("start", "request.md")).toContain("is complete.");
  expect(await wisp("status")).toMatch(/^durations-of-several-parts {2}DONE/mu);
  expect(await wisp("log")).toMatch(/ builder +\| /u);
  expect(await wisp("report")).toMatch(/^# durations-of-several-parts$/mu);
  await wisp("report", "--html", newcomer.at("report.html"));
  expect(await readFile(newcomer.at("report.html"), "utf8")).toMatch(/^<!doctype html>/iu);
  expect(await git("log", "--format=%s", "wisp/durations-of-several-parts")).toContain(
    "Read durations\n",
  );
  expect(await wisp("done", "--no-push", "--yes")).toContain("durations-of-several-parts");
  expect(await git("status", "--porcelain")).toBe("");
  expect(await git("rev-list", "--count", "main..wisp/durations-of-several-parts")).not.toBe("0\n");
});
