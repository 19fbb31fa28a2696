import { expect, test } from "vitest";
import { unpointedEffectsIn } from "./failpoint-facts.ts";
import { sourceFiles, textOf } from "./repository.ts";

/** The mechanism itself; an open that creates nothing; programs that only answer a query; a cache. */
const ALLOWED: readonly string[] = [
  "src/git/repository/known-objects.ts: execFileSync",
  "src/host/probe/look-for-secrets.ts: spawnSync",
  "src/host/processes/pid-namespace.ts: execFile",
  "src/host/processes/process-identity.ts: execFileSync",
  "src/host/system/arm-failpoints.ts: appendFileSync",
  "src/host/system/code-cache.ts: fs.rmSync",
  "src/host/system/code-cache.ts: fs.mkdirSync",
  "src/host/system/code-cache.ts: fs.writeFileSync",
  "src/host/system/code-cache.ts: fs.renameSync",
  "src/host/system/effects.ts: fs.openSync",
];

test("every effect on the world is between its two failpoints", () => {
  const judged = sourceFiles().filter((path) => /^src\/(?:host|git)\//.test(path));
  expect(judged.length).toBeGreaterThan(40);
  const found = judged.flatMap((path) =>
    unpointedEffectsIn(textOf(path)).map((place) => ({
      place: `${path}:${place}`,
      allowed: `${path}: ${place.replace(/^\d+: /, "")}`,
    })),
  );
  const bare = found.filter(({ allowed }) => !ALLOWED.includes(allowed));
  expect(bare.map(({ place }) => place)).toEqual([]);
  expect(found.map(({ allowed }) => allowed)).toEqual(ALLOWED);
});

const POINTED = `
import { renameSync } from "node:fs";
import { execFile } from "node:child_process";
function move(from: string, to: string) {
  failpoint("rename.before");
  renameSync(from, to);
  failpoint("rename.after");
}
function git(args: string[]) {
  const point = "git." + args[0];
  return new Promise((resolve) => {
    failpoint(\`\${point}.before\`);
    execFile("git", args, () => {
      failpoint(\`\${point}.after\`);
      resolve();
    });
    failpoint(\`\${point}.started\`);
  });
}`;

test("accepts an effect between its two failpoints", () => {
  expect(unpointedEffectsIn(POINTED)).toEqual([]);
});

test.each([
  ["no point before it", POINTED.replace('failpoint("rename.before");', ""), ["6: renameSync"]],
  ["no point after it", POINTED.replace('failpoint("rename.after");', ""), ["6: renameSync"]],
  ["the name of another point", POINTED.replace("rename.after", "link.after"), ["6: renameSync"]],
  [
    "a point that is not always passed",
    POINTED.replace('failpoint("rename.after")', 'if (to) failpoint("rename.after")'),
    ["6: renameSync"],
  ],
  [
    "a second effect between the points of the first",
    POINTED.replace("renameSync(from, to);", "renameSync(from, to);\n  renameSync(to, from);"),
    ["6: renameSync", "7: renameSync"],
  ],
  [
    "a point in another function",
    POINTED.replace(
      'failpoint("rename.after");',
      "}\nfunction other() {\n" + 'failpoint("rename.after");',
    ),
    ["6: renameSync"],
  ],
  [
    "no point after an answer",
    POINTED.replace("${point}.after", "${point}.ended"),
    ["13: execFile"],
  ],
  ["no points at all", 'import { rmSync } from "node:fs";\nrmSync("x");', ["2: rmSync"]],
  [
    "an effect that is passed on as a value",
    'import { rmSync } from "node:fs";\nexport const remove = rmSync;',
    ["2: rmSync"],
  ],
  [
    "another name for the effect",
    'import { rmSync as look } from "node:fs";\nlook("x");',
    ["2: look"],
  ],
  ["the whole module", 'import * as fs from "node:fs";\nfs.rmSync("x");', ["2: fs.rmSync"]],
  ["the module as a value", 'import fs from "node:fs";\nuse(fs);', ["2: fs"]],
  [
    "a dynamic import",
    'async function run() {\n  const { execa } = await import("execa");\n  await execa("x");\n}',
    ["3: execa"],
  ],
  [
    "an open that may make a file",
    'import { openSync } from "node:fs";\nopenSync("x", "a");',
    ["2: openSync"],
  ],
  [
    "a command of simple-git",
    'async function ask(git: Git) {\n  await git.raw(["push"]);\n}',
    ["2: raw"],
  ],
])("finds %s", (_what, text, found) => {
  expect(unpointedEffectsIn(text)).toEqual(found);
});

test("read-only calls need no failpoints", () => {
  const text = `
import { closeSync, openSync, readSync, type Stats } from "node:fs";
import type { Options } from "execa";
const fd = openSync("x", constants.O_RDONLY | constants.O_DIRECTORY);
closeSync(fd);`;
  expect(unpointedEffectsIn(text)).toEqual([]);
});
