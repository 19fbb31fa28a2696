import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../src/settings/config/load-config.ts";
import { WispRig } from "./wisp-rig.ts";

/*
 * Commands that need no engine: init, list, tasks, --dry-run, and refused ones.
 */

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const FILES = {
  "agent.sh": "#!/bin/sh\nexit 0\n",
  ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
  "request.md": "## Milestone: One\n\n- [x] Say hello\n- [ ] [docs] Describe it\n",
};

let made = 0;

function repository(files: Readonly<Record<string, string>> = FILES): Promise<string> {
  made += 1;
  return rig.repository(`commands-${String(made)}`, files);
}

/** A repository with a session that has a plan but has never run. */
async function planned(): Promise<string> {
  const cwd = await repository();
  expect(await rig.run(["start", "request.md", "--no-up"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

test("init writes settings and their schema, and lists what it wrote", async () => {
  const cwd = await repository({ "a.txt": "a\n" });
  const dry = await rig.run(["init", "--dry-run"], { cwd });
  expect(dry.stdout).toBe("would write .wisp/config.yaml\nwould write .wisp/config.schema.json\n");
  expect(await readdir(cwd)).not.toContain(".wisp");
  const { code, stdout } = await rig.run(["init"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toBe(dry.stdout.replaceAll("would write", "wrote"));
  const wisp = join(cwd, ".wisp");
  expect((await readdir(wisp)).sort()).toEqual(["config.schema.json", "config.yaml"]);
  expect(await readFile(join(cwd, ".git", "info", "exclude"), "utf8")).toContain(
    ".wisp/sessions/\n",
  );
});

test("init --prompts also copies prompts and reviewers", async () => {
  const cwd = await repository({ "a.txt": "a\n" });
  expect(await rig.run(["init", "--prompts"], { cwd })).toMatchObject({ code: 0 });
  expect(await readdir(join(cwd, ".wisp", "templates"))).toContain("build.md");
  expect(await readdir(join(cwd, ".wisp", "reviewers"))).toContain("security.md");
});

test.each(["default", "minimal", "strict"])(
  "init --template %s fills in the engine and the tests that it finds, and names the schema beside it",
  async (template) => {
    const scripts = JSON.stringify({ scripts: { test: "node --test" } });
    const cwd = await repository({ "package.json": scripts, "bin/codex": "#!/bin/sh\nexit 0\n" });
    const env = { PATH: join(cwd, "bin") };
    expect(await rig.run(["init", "--template", template], { cwd, env })).toMatchObject({
      code: 0,
    });
    const text = await readFile(join(cwd, ".wisp", "config.yaml"), "utf8");
    const [editor] = text.split("\n");
    expect(editor).toBe("# yaml-language-server: $schema=./config.schema.json");
    const schema = await readFile(join(cwd, ".wisp", "config.schema.json"), "utf8");
    expect(schema).toBe(await readFile(rig.packaged("schemas", "config.schema.json"), "utf8"));
    expect(loadConfig(text)).toMatchObject({
      ok: true,
      value: { engine: "codex", verify: { run: [["npm", "test"]] } },
    });
    expect(text).toContain('\nverify: ["npm", "test"] # from package.json\n');
  },
);

test("init leaves to wisp what it does not find", async () => {
  const cwd = await repository({ "a.txt": "a\n" });
  expect(await rig.run(["init"], { cwd, env: { PATH: join(cwd, "none") } })).toMatchObject({
    code: 0,
  });
  const loaded = loadConfig(await readFile(join(cwd, ".wisp", "config.yaml"), "utf8"));
  expect(loaded).toMatchObject({ ok: true, value: { engine: "auto" } });
  expect(loaded).not.toHaveProperty("value.verify");
});

test("init renews a schema of another version, and nothing else", async () => {
  const cwd = await repository({
    ".wisp/config.yaml": "engine: codex\n",
    ".wisp/config.schema.json": "{}\n",
  });
  const { stdout } = await rig.run(["init"], { cwd });
  expect(stdout).toBe("wrote .wisp/config.schema.json\nkept .wisp/config.yaml\n");
  const again = await rig.run(["init"], { cwd });
  expect(again.stdout).toBe("kept .wisp/config.yaml\nkept .wisp/config.schema.json\n");
});

test("init never overwrites a file, and lists existing files apart from new ones", async () => {
  const cwd = await repository({ ".wisp/config.yaml": "engine: codex\n" });
  const { code, stdout } = await rig.run(["init", "--template", "strict", "--json"], { cwd });
  expect(code).toBe(0);
  const view: unknown = JSON.parse(stdout);
  expect(view).toMatchObject({
    schema: "wisp.init/1",
    template: "strict",
    dryRun: false,
    kept: [".wisp/config.yaml"],
  });
  expect(await readFile(join(cwd, ".wisp", "config.yaml"), "utf8")).toBe("engine: codex\n");
  const again = await rig.run(["init"], { cwd });
  expect(again.stdout).not.toContain("wrote");
});

test.each(["default", "minimal", "strict"])(
  "start accepts the settings of init --template %s",
  async (template) => {
    const { ".wisp/config.yaml": _none, ...files } = FILES;
    const cwd = await repository(files);
    expect(await rig.run(["init", "--template", template], { cwd })).toMatchObject({ code: 0 });
    const path = join(cwd, ".wisp", "config.yaml");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/^engine: .*$/mu, "engine: { command: [./agent.sh] }"));
    const started = await rig.run(["start", "request.md", "--dry-run"], { cwd });
    expect(started.stderr).toContain("Would create session request on branch wisp/request at ");
    expect(started.code).toBe(0);
  },
);

test("init with an unknown template is a usage error, also outside git", async () => {
  const cwd = await repository();
  const other = await rig.run(["init", "--template", "huge"], { cwd });
  expect(other.stderr).toContain("Allowed choices are default, minimal, strict");
  expect(other.code).toBe(2);
  expect(await rig.run(["init"], { cwd: rig.root })).toMatchObject({ code: 2 });
});

test("start --dry-run says what it would create, by the same decisions, and creates nothing", async () => {
  const cwd = await repository();
  const dry = await rig.run(["start", "request.md", "--dry-run"], { cwd });
  expect(dry.code).toBe(0);
  expect(dry.stderr).toContain("Read as a TASKS.md: 1 milestone, 2 tasks");
  expect(dry.stderr).toMatch(
    /\(\.wisp\/config\.yaml\) run these commands:\n +engine +\.\/agent\.sh\n/,
  );
  expect(dry.stderr).toContain("Nothing was created.");
  expect(await readdir(join(cwd, ".wisp"))).toEqual(["config.yaml"]);
  expect(await rig.git(cwd, "branch", "--list", "wisp/*")).toBe("");
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  const second = await rig.run(["start", "request.md", "--dry-run"], { cwd });
  expect(second.code).toBe(2);
  expect(second.stderr).toContain("wisp start request.md --again");
  const again = await rig.run(["start", "request.md", "--dry-run", "--again"], { cwd });
  expect(again.stderr).toContain("session request-2 on branch wisp/request-2");
  const taken = await rig.run(["start", "request.md", "--dry-run", "--branch", "main"], { cwd });
  expect(taken.code).toBe(2);
});

test("tasks shows the plan with its ticks, by session id or branch, as text and as a task list", async () => {
  const cwd = await planned();
  const { stdout } = await rig.run(["tasks", "wisp/request"], { cwd });
  expect(stdout).toBe(
    "One\n  [x] Say hello\n  [ ] [docs] Describe it\n\n0 of 1 milestones, 1 of 2 tasks\n",
  );
  const listed = await rig.run(["tasks", "request", "--json"], { cwd });
  expect(JSON.parse(listed.stdout)).toEqual([
    {
      category: "feature",
      description: "Say hello",
      steps: [],
      passes: true,
      milestone: "One",
    },
    { category: "docs", description: "Describe it", steps: [], passes: false, milestone: "One" },
  ]);
  expect(await rig.run(["tasks", "nobody"], { cwd })).toMatchObject({ code: 3 });
});

test("tasks prints an empty list for a session without a plan", async () => {
  const cwd = await repository({ ...FILES, "request.md": "# Prose\n\nDo it.\n" });
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  expect(await rig.run(["tasks", "--json"], { cwd })).toMatchObject({ code: 0, stdout: "[]\n" });
  expect((await rig.run(["tasks"], { cwd })).stderr).toContain("prose has no plan yet.");
});

test.each([
  [["up"], "Would start a supervisor for request"],
  [["resume"], "Would start a supervisor for request"],
  [["stop"], "Would stop request."],
])("%j --dry-run says what it would do and does nothing", async (words, said) => {
  const cwd = await planned();
  const home = join(cwd, ".wisp", "current", "logs");
  const human = await readFile(join(home, "human.log"), "utf8");
  const { code, stderr } = await rig.run([...words, "--dry-run"], { cwd });
  expect(stderr).toContain(said);
  expect(stderr).toContain("Nothing was done.");
  expect(code).toBe(0);
  expect(await readFile(join(home, "human.log"), "utf8")).toBe(human);
  expect(await readdir(home)).not.toContain("supervisor.log");
});

test("start --json says what it created, and with --dry-run what it would create", async () => {
  const cwd = await repository();
  const wanted = {
    schema: "wisp.start/1",
    session: "request",
    branch: "wisp/request",
    request: { kind: "tasks", milestones: 1, tasks: 2 },
    engines: { builder: "command" },
    isSupervised: false,
  };
  const dry = await rig.run(["start", "request.md", "--dry-run", "--json"], { cwd });
  const drawn: unknown = JSON.parse(dry.stdout);
  expect(drawn).toMatchObject({ ...wanted, isDryRun: true });
  expect(await readdir(join(cwd, ".wisp"))).not.toContain("sessions");
  const made = await rig.run(["start", "request.md", "--no-up", "--json"], { cwd });
  const view: unknown = JSON.parse(made.stdout);
  const home = join(cwd, ".wisp", "sessions", "request");
  expect(view).toMatchObject({ ...wanted, isDryRun: false, home });
  const missing = await rig.run(["start", "nothing.md", "--json"], { cwd });
  expect(missing.code).toBe(2);
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: "request-missing" } });
});

test("findings add and dismiss change nothing with --dry-run", async () => {
  const cwd = await planned();
  const path = join(cwd, ".wisp", "current", "logs", "human.log");
  const before = await readFile(path, "utf8");
  const add = ["findings", "add", "request.md:1", "Say more", "--json"];
  const dry = await rig.run([...add, "--dry-run"], { cwd });
  expect(dry.stderr).toContain("Nothing was done.");
  const view = { schema: "wisp.finding/1", isDryRun: true, isNew: true };
  expect(JSON.parse(dry.stdout)).toMatchObject({
    ...view,
    finding: { line: 1, brief: "Say more" },
  });
  const none = await rig.run(["findings", "dismiss", "COR-1", "--why", "x", "--dry-run"], { cwd });
  expect(none).toMatchObject({ code: 2 });
  expect(await readFile(path, "utf8")).toBe(before);
});

test("fsck --repair --dry-run and abandon --dry-run say what they would do and do nothing", async () => {
  const cwd = await planned();
  const home = join(cwd, ".wisp", "current");
  await writeFile(join(home, "logs", "human.log"), "torn", { flag: "a" });
  const dry = await rig.run(["fsck", "--repair", "--dry-run"], { cwd });
  expect(dry.stderr).toContain("1 issue can be repaired. Nothing was done.");
  expect(await readFile(join(home, "logs", "human.log"), "utf8")).toMatch(/torn$/);
  const gone = await rig.run(["abandon", "--dry-run", "--json"], { cwd });
  expect(JSON.parse(gone.stdout)).toMatchObject({
    schema: "wisp.abandon/1",
    isDryRun: true,
    kept: "refs/wisp/rescue/request/abandoned",
  });
  expect(await rig.git(cwd, "branch", "--list", "wisp/request")).toContain("wisp/request");
});

test("refuses what the session's state does not allow, and names what it allows", async () => {
  const cwd = await planned();
  const asked = await rig.run(["answer", "request", "Yes"], { cwd });
  expect(asked.stderr).toContain("request is new (START): it was created but never run.");
  expect(asked.code).toBe(1);
  const early = await rig.run(["done"], { cwd });
  expect(early.stderr).toContain("request is not complete: it was created but never run.");
  expect(early.code).toBe(5);
  await rig.run(["stop"], { cwd });
  const restarted = await rig.run(["restart", "builder"], { cwd });
  expect(restarted.code).toBe(1);
  expect(restarted.stderr).toContain(
    "wisp: request is stopped (STOPPED): a person stopped it. There is nothing to restart.",
  );
  expect(restarted.stderr).toContain("  wisp up request\n");
});

test("restart of a role that is not running says how to start it", async () => {
  const cwd = await planned();
  const { code, stderr } = await rig.run(["restart", "builder"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain("request has no supervisor, and its builder is not running.\n");
  expect(stderr).toContain("wisp up request");
});
