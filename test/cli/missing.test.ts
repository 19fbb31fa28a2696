import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { MACHINE_PATH } from "../rig/own-environment.ts";
import { WispRig, writeTree } from "./wisp-rig.ts";

/*
 * What `init`, `start`, `up` and `doctor` say of a project whose commit lacks something that its checkout has, before any
 * turn is paid for.
 */

const Missing = z.object({
  missing: z.array(
    z.object({ kind: z.string(), what: z.string(), where: z.string(), remedy: z.string() }),
  ),
});
const Checks = z.object({
  isFit: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      what: z.string(),
      fix: z.string().optional(),
    }),
  ),
});

const ENGINE = "#!/bin/sh\ncase $WISP_PURPOSE in *) exit 1;; esac\n";
const LACKING = {
  "package.json":
    '{"type":"module","scripts":{"test":"mocha"},"devDependencies":{"mocha":"^12.0.0"}}\n',
  ".gitignore": ".env\n.wisp/config.schema.json\n",
  ".env.example": "KEY=1\n",
  "src/key.js": 'import "dotenv/config";\n',
  "request.md": "# Keys\n\n## Milestone: One\n\n- [ ] add a key\n",
};
const WHOLE = {
  ...LACKING,
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "src/key.js": "export const key = 1;\n",
};
const MANIFEST =
  "the manifest package.json names mocha, but there is no lock file, so nothing is installed before verify";
const IGNORED = "git ignores .env, so wisp's copies lack it, but src/key.js:1 needs it";
const COPY = "If verify needs it, name `setup: [cp, .env.example, .env]` in .wisp/config.yaml.";

let rig: WispRig;
const env = () => ({ PATH: `${join(rig.root, "bin")}:${MACHINE_PATH}` });
beforeAll(async () => {
  rig = await WispRig.create();
  await writeTree(join(rig.root, "bin"), { agent: ENGINE });
});
afterAll(() => rig[Symbol.asyncDispose]());

let made = 0;
/** A repository with one commit, and an ignored file beside it. */
async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const settings = { ".wisp/config.yaml": "engine: { command: [agent] }\nsandbox: none\n" };
  const cwd = await rig.repository(`missing-${String((made += 1))}`, { ...files, ...settings });
  await writeFile(join(cwd, ".env"), "KEY=secret\n");
  return cwd;
}

test("init names what is missing and how to mend it, in lines and for programs; nothing in a whole project", async () => {
  const cwd = await projectOf(LACKING);
  const { stderr, code } = await rig.run(["init", "--dry-run"], { cwd, env: env() });
  expect(code).toBe(0);
  expect(stderr).toContain(
    `wisp: ${MANIFEST}. Commit package-lock.json, or name \`setup: [npm, install]\` in .wisp/config.yaml.\n`,
  );
  expect(stderr).toContain(`wisp: ${IGNORED}. ${COPY}\n`);
  expect(stderr).not.toContain("secret");
  const printed = await rig.run(["init", "--json"], { cwd, env: env() });
  expect(Missing.parse(JSON.parse(printed.stdout)).missing.map(({ kind }) => kind)).toEqual([
    "manifest",
    "ignored",
  ]);
  const whole = await projectOf(WHOLE);
  const silent = await rig.run(["init", "--json"], { cwd: whole, env: env() });
  expect(Missing.parse(JSON.parse(silent.stdout)).missing).toEqual([]);
});

test("init in a repository without a commit says nothing of it", async () => {
  const cwd = join(rig.root, "unborn");
  await mkdir(cwd);
  await rig.git(cwd, "init", "--quiet");
  expect(await rig.run(["init"], { cwd, env: env() })).toMatchObject({ code: 0 });
});

test("start says it before any turn, and starts all the same", async () => {
  const cwd = await projectOf(LACKING);
  const preview = await rig.run(["start", "request.md", "--dry-run", "--json"], {
    cwd,
    env: env(),
  });
  expect(Missing.parse(JSON.parse(preview.stdout)).missing).toMatchObject([
    { kind: "manifest", what: MANIFEST, where: "package.json" },
    { kind: "ignored", what: IGNORED, where: ".env", remedy: COPY },
  ]);
  const made = await rig.run(["start", "request.md", "--no-up", "--yes"], { cwd, env: env() });
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).toContain(`wisp: ${MANIFEST}`);
  expect(made.stderr).toContain(`wisp: ${IGNORED}`);
});

test("start says nothing of a whole project", async () => {
  const cwd = await projectOf(WHOLE);
  const { stderr, code } = await rig.run(["start", "request.md", "--no-up", "--yes"], {
    cwd,
    env: env(),
  });
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/lock file|git ignores|build/u);
});

test("doctor has a check for each, which does not make the repository unfit, and one that says that all is there", async () => {
  const cwd = await projectOf(LACKING);
  const of = async (at: string) =>
    Checks.parse(JSON.parse((await rig.run(["doctor", "--json"], { cwd: at, env: env() })).stdout));
  const { isFit, checks } = await of(cwd);
  expect(isFit).toBe(true);
  expect(checks.filter(({ name }) => name.startsWith("missing"))).toMatchObject([
    { name: "missing.manifest", status: "warn", what: MANIFEST },
    { name: "missing.ignored", status: "warn", what: IGNORED, fix: COPY },
  ]);
  await rm(join(cwd, ".env"));
  await appendFile(join(cwd, ".wisp", "config.yaml"), "setup: [npm, install]\n");
  expect((await of(cwd)).checks).toContainEqual(
    expect.objectContaining({ name: "missing", status: "ok" }),
  );
});
