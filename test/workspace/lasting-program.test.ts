import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isProgramFile } from "../../src/base/program-digest.ts";
import { createHost } from "../../src/host/host.ts";
import { unusedPrograms } from "../../src/workspace/disk/unused-programs.ts";
import { lastingArgv, lastingPackage } from "../../src/workspace/lasting-program.ts";
import { codeOf, installProgram, replaceProgram } from "../rig/installed-program.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/** An installed program, and a HOME without a copy of it. */
function installation() {
  const root = mkdtempSync(join(tmpdir(), "wisp-lasting-"));
  const entry = installProgram(join(root, "installed"));
  const world = {
    ...{
      host: createHost(),
      env: ownEnvironment({ HOME: root, XDG_STATE_HOME: join(root, "state") }),
    },
    ...{ entry, nodePath: "node", program: { code: codeOf(entry), nodeVersion: "v20" } },
  };
  const copies = join(root, "state/wisp/.programs");
  return {
    ...{ root, entry, world, copies, copy: join(copies, world.program.code) },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isProgramFile).sort();
}

test("what lives long runs from a whole private copy, which a replaced installation leaves alone", () => {
  using installed = installation();
  const { world, copies, copy, entry } = installed;
  expect(lastingArgv(world, "supervise", "a")).toEqual([
    "node",
    join(copy, "dist/wisp.js"),
    "supervise",
    "a",
  ]);
  expect(filesIn(copy)).toEqual(filesIn(dirname(dirname(entry))));
  expect(statSync(copies).mode & 0o777).toBe(0o700);
  const text = readFileSync(join(copy, "dist/wisp.js"), "utf8");
  replaceProgram(entry);
  expect(codeOf(entry)).not.toBe(world.program.code);
  // The process that runs is still the old one.
  expect(lastingPackage(world)).toBe(copy);
  expect(readFileSync(join(copy, "dist/wisp.js"), "utf8")).toBe(text);
  const newer = { ...world, program: { ...world.program, code: codeOf(entry) } };
  expect(readdirSync(copies)).toEqual([world.program.code]);
  expect(lastingPackage(newer)).toBe(join(copies, newer.program.code));
  // It runs from there itself.
  const own = { ...newer, entry: join(lastingPackage(newer), "dist/wisp.js") };
  expect(lastingPackage(own)).toBe(join(copies, newer.program.code));
});

test("a program of which an installation has replaced a part is not copied, and says so", () => {
  using installed = installation();
  const { world, copies, entry } = installed;
  const [chunk = ""] = readdirSync(dirname(entry)).filter((name) => name.startsWith("role-"));
  rmSync(join(dirname(entry), chunk));
  expect(() => lastingPackage(world)).toThrow(/program-replaced/u);
  expect(readdirSync(copies)).toEqual([]);
  rmSync(dirname(entry), { recursive: true });
  expect(() => lastingPackage(world)).toThrow(/program-replaced/u);
  expect(readdirSync(copies)).toEqual([]);
});

test("copies are unused if they are of another version, a day old, and nothing runs from them", async () => {
  using installed = installation();
  const { world, copies } = installed;
  const clock = { ...world.host.clock, nowMs: () => Date.now() + 2 * 24 * 60 * 60_000 };
  const host = { ...createHost(), clock };
  expect(unusedPrograms({ ...world, host }, [])).toEqual([]);
  lastingPackage(world);
  for (const name of ["old", "running"]) mkdirSync(join(copies, name, "dist"), { recursive: true });
  const script = join(copies, "running", "dist", "wisp.js");
  writeFileSync(script, "process.stdin.resume(); console.log(1);");
  const running = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  await once(running.stdout, "data");
  expect(unusedPrograms(world, [])).toEqual([]);
  expect(unusedPrograms({ ...world, host }, [])).toEqual([join(copies, "old")]);
  running.stdin.end();
  await once(running, "exit");
  const left = ["old", "running"].map((name) => join(copies, name));
  expect(unusedPrograms({ ...world, host }, [])).toEqual(left);
});

test("a copy that lost text with the machine's power is made again, and a whole one is compared once", () => {
  using installed = installation();
  const { world, copy } = installed;
  lastingPackage(world);
  const torn = join(copy, "templates/plan.md");
  writeFileSync(torn, "");
  // Nothing is lost while the machine runs, so nothing is compared.
  expect(lastingPackage(world)).toBe(copy);
  expect(readFileSync(torn, "utf8")).toBe("");
  const { files } = world.host;
  let isBeforeStart = true;
  const stat = (path: string) => {
    const found = files.stat(path);
    return found && isBeforeStart ? { ...found, changedMs: 0 } : found;
  };
  const read: string[] = [];
  const counted = { ...files, stat, read: (path: string) => (read.push(path), files.read(path)) };
  const host = { ...createHost(), files: counted };
  const later = { ...world, host };
  expect(lastingPackage(later)).toBe(copy);
  expect(readFileSync(torn, "utf8")).not.toBe("");
  isBeforeStart = false;
  read.length = 0;
  expect(lastingPackage(later)).toBe(copy);
  expect(read).toEqual([]);
  expect(existsSync(torn)).toBe(true);
});
