import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { WispRig } from "./wisp-rig.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const CONFIG = "engine: { command: [./agent.sh] }\nverify: [sh, -c, 'npm test; id']\n";
const FILES = {
  "agent.sh": "#!/bin/sh\nexit 0\n",
  "request.md": "# Say hello\n",
};
const LISTED =
  "The settings of this repository (.wisp/config.yaml) run these commands:\n" +
  "  engine  ./agent.sh\n" +
  "  verify  sh -c 'npm test; id'\n";

let count = 0;
function repository(config = CONFIG): Promise<string> {
  count += 1;
  const files = { ...FILES, ".wisp/config.yaml": config };
  return rig.repository(`repository-${String(count)}`, files);
}

function start(cwd: string, ...words: readonly string[]) {
  return rig.run(["start", "request.md", "--no-up", "--again", ...words], { cwd });
}

/** The same, with these user settings. */
async function startAs(settings: string, cwd: string, ...words: readonly string[]) {
  const directory = join(rig.root, `config-${String(count)}`);
  await mkdir(join(directory, "wisp"), { recursive: true });
  await writeFile(join(directory, "wisp/config.yaml"), settings);
  const env = { XDG_CONFIG_HOME: directory };
  return rig.run(["start", "request.md", "--no-up", "--again", ...words], { cwd, env });
}

test("without a terminal, lists the commands of a repository's settings once and runs them", async () => {
  const cwd = await repository();
  const first = await start(cwd);
  expect(first.code).toBe(0);
  expect(first.stderr).toContain(LISTED);
  const again = await start(cwd);
  expect(again.code).toBe(0);
  expect(again.stderr).not.toContain("run these commands:");
});

test("lists the commands again when they change, but not when other settings change", async () => {
  const cwd = await repository();
  await start(cwd);
  await writeFile(join(cwd, ".wisp/config.yaml"), `${CONFIG}fixRounds: 2\n`);
  expect((await start(cwd)).stderr).not.toContain("run these commands:");
  await writeFile(join(cwd, ".wisp/config.yaml"), `${CONFIG}notify: [curl, evil.example]\n`);
  const changed = await start(cwd, "--json");
  expect(changed.stderr).toContain("  notify  curl evil.example\n");
  expect(JSON.parse(changed.stdout)).toMatchObject({ schema: "wisp.start/1" });
});

test("remembers the listed commands outside the repository, and lists them again for a copy of it", async () => {
  const cwd = await repository();
  await start(cwd);
  const session: unknown = JSON.parse(
    await readFile(join(cwd, ".wisp/current/session.json"), "utf8"),
  );
  const { state } = SessionJson.parse(session);
  const remembered = join(state, "../.commands.json");
  expect(await readFile(remembered, "utf8")).toContain('"how":"listed"');
  await writeFile(remembered, "garbage");
  expect((await start(cwd)).stderr).toContain(LISTED);
  await rm(remembered);
  expect((await start(cwd)).stderr).toContain(LISTED);
});

test("with `trust: ask` in the person's settings, refuses without a terminal unless --yes is given", async () => {
  const cwd = await repository();
  // Commands that were listed with other user settings do not count as confirmed.
  await start(cwd);
  const refused = await startAs("trust: ask\n", cwd);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain(LISTED);
  expect(refused.stderr).toContain(
    "The commands in this repository's settings have not been approved",
  );
  expect(refused.stderr).toContain("wisp start request.md --yes");
  expect(await rig.git(cwd, "for-each-ref", "--format=%(refname:short)", "refs/heads/wisp")).toBe(
    "wisp/say-hello",
  );
  expect((await startAs("trust: ask\n", cwd, "--yes")).code).toBe(0);
  const agreed = await startAs("trust: ask\n", cwd);
  expect(agreed.code).toBe(0);
  expect(agreed.stderr).not.toContain("run these commands:");
});

test("lists and asks nothing if the settings name no command", async () => {
  const cwd = await repository("fixRounds: 2\n");
  const agent = join(rig.root, "bin");
  await mkdir(agent, { recursive: true });
  await symlink(join(cwd, "agent.sh"), join(agent, "codex")).catch(() => undefined);
  const env = { PATH: `${agent}:${MACHINE_PATH}` };
  const directory = join(rig.root, "asks");
  await mkdir(join(directory, "wisp"), { recursive: true });
  await writeFile(join(directory, "wisp/config.yaml"), "trust: ask\n");
  const words = ["start", "request.md", "--no-up", "--again"];
  const made = await rig.run(words, { cwd, env: { ...env, XDG_CONFIG_HOME: directory } });
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).not.toContain("run these commands:");
});

test("refuses to start with invalid user settings, and names their file", async () => {
  const cwd = await repository();
  const wrong = await startAs("trust: aks\n", cwd);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("wisp/config.yaml:1:8: trust: expected one of list, ask");
  const own = await repository(`${CONFIG}trust: list\n`);
  expect((await start(own)).stderr).toContain("trust: expected it in your own settings");
});
