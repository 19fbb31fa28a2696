import { spawn, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { NODE_VERSION_MIN } from "../../src/actions/doctor/doctor-machine.ts";
import { repositoryRoot } from "../tidy/repository.ts";
import { WispRig, writeTree } from "./wisp-rig.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

const View = z.object({
  schema: z.literal("wisp.doctor/1"),
  isFit: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["ok", "warn", "fail", "skip"]),
      what: z.string(),
      fix: z.string().optional(),
    }),
  ),
});

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

let count = 0;

/** Runs doctor with these programs first on PATH, or as the only ones; its checks by name. */
async function doctor(
  programs: Readonly<Record<string, string>>,
  { cwd = rig.root, isAlone = false }: { cwd?: string; isAlone?: boolean } = {},
) {
  const bin = join(rig.root, `bin-${String((count += 1))}`);
  await writeTree(bin, programs);
  const path = isAlone ? bin : `${bin}:${MACHINE_PATH}`;
  const { code, stdout } = await rig.run(["doctor", "--json"], { cwd, env: { PATH: path } });
  const { isFit, checks } = View.parse(JSON.parse(stdout));
  const byName = new Map(checks.map((check) => [check.name, check]));
  return { code, isFit, checks, of: (name: string) => byName.get(name) };
}

test("the required version of Node is that of package.json", async () => {
  const manifest: unknown = JSON.parse(await readFile(`${repositoryRoot}/package.json`, "utf8"));
  expect(manifest).toMatchObject({ engines: { node: `>=${NODE_VERSION_MIN}` } });
});

test("outside a repository, checks only the machine, with one line for each check", async () => {
  const { code, stdout, stderr } = await rig.run(["doctor"], { cwd: rig.root });
  expect(stderr).toBe("");
  expect(stdout).toContain(`ok    node ${process.versions.node}\n`);
  expect(stdout).toContain("skip  not in a git repository: the checks of one were skipped\n");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.filter((line) => !/^(ok|warn|fail|skip) +\S/.test(line))).toEqual([]);
  expect(code).toBe(lines.some((line) => line.startsWith("fail")) ? 1 : 0);
});

test("reports each engine's version, or that it hangs or fails; none of this makes doctor fail", async () => {
  const { of, isFit, code } = await doctor({
    claude: "#!/bin/sh\necho '2.1.197 (Claude Code)'\n",
    codex: "#!/bin/sh\nexec sleep 60\n",
    gemini: "#!/bin/sh\nprintf 'no \\033[31mkey\\n' >&2\nexit 3\n",
  });
  expect(of("engine.claude")).toMatchObject({
    status: "ok",
    what: "found claude: 2.1.197 (Claude Code)",
  });
  expect(of("engine.codex")).toMatchObject({
    status: "warn",
    what: "codex is installed, but did not print its version within 5 s",
  });
  expect(of("engine.gemini")).toMatchObject({
    status: "warn",
    what: "gemini is installed, but printed its version with exit code 3: no key",
  });
  expect(of("engine.opencode")).toBeUndefined();
  expect({ isFit, code }).toEqual({ isFit: true, code: 0 });
});

test("says for each role what its engine may do without asking", async () => {
  const cwd = await rig.repository("permissions", {
    "agent.sh": "#!/bin/sh\nexit 0\n",
    ".wisp/config.yaml": [
      "engine: claude",
      "engines: [claude, codex]",
      "roles:",
      "  builder: { args: [--effort, high] }",
      "  tester: { engine: { command: [./agent.sh] } }",
      "",
    ].join("\n"),
  });
  const cli = "#!/bin/sh\necho 1.2.3\n";
  const { of } = await doctor({ claude: cli, codex: cli }, { cwd });
  const codex = "codex: its sandbox workspace-write, with .git writable and the network on";
  expect(of("permissions.planner")?.what).toBe(
    `the planner may, by its engine: claude: permission mode acceptEdits, and the tool Bash; else ${codex}`,
  );
  expect(of("permissions.builder")?.what).toContain(
    "and the tool Bash, and what --effort high grants",
  );
  expect(of("permissions.reviewer")?.what).toContain(
    "claude: the tool Bash, and no tool that edits",
  );
  expect(of("permissions.tester")?.what).toContain("command: whatever the program grants itself");
});

test("fails if git is too old or missing, and says what to do", async () => {
  const [old, none] = await Promise.all([
    doctor({ git: "#!/bin/sh\necho git version 2.29.3\n" }),
    doctor({}, { isAlone: true }),
  ]);
  expect(old.of("git")).toMatchObject({ status: "fail" });
  expect(old.of("git")?.fix).toMatch(/\bgit\b/);
  expect(old.code).toBe(1);
  expect(none.of("git")).toMatchObject({ status: "fail", what: "git cannot be started" });
  expect(none.of("repository")).toBeUndefined();
  expect(none.of("flock")?.status).toBe("ok");
  expect({ isFit: none.isFit, code: none.code }).toEqual({ isFit: false, code: 1 });
});

test("accepts bubblewrap only if it can really start, and says if it has no loopback to give", async () => {
  const noLoopback = `case "$*" in *--unshare-net*) echo "bwrap: loopback: Failed RTM_NEWADDR" >&2; exit 1;; esac`;
  const [works, alone, refused] = await Promise.all([
    doctor({ bwrap: "#!/bin/sh\nexit 0\n" }),
    doctor({ bwrap: `#!/bin/sh\n${noLoopback}\n` }),
    doctor({ bwrap: "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n" }),
  ]);
  expect(works.of("bubblewrap")).toMatchObject({ status: "ok" });
  expect(alone.of("bubblewrap")).toMatchObject({ status: "warn" });
  expect(alone.of("bubblewrap")?.what).toContain(
    "cannot give verify a loopback of its own (bwrap: loopback: Failed RTM_NEWADDR)",
  );
  expect(refused.of("bubblewrap")).toMatchObject({ status: "warn" });
  expect(refused.of("bubblewrap")?.what).toContain("does not work (bwrap: No permissions)");
});

test("checks a repository's settings, disk and sessions", async () => {
  const cwd = await rig.repository("fit", {
    "agent.sh": "#!/bin/sh\nexit 0\n",
    ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
    "request.md": "# Say hello\n",
  });
  expect(await rig.run(["start", "request.md", "--no-up"], { cwd })).toMatchObject({ code: 0 });
  const { of, code } = await doctor({}, { cwd });
  expect(of("settings")).toMatchObject({ status: "ok" });
  expect(of("identity")).toMatchObject({ status: "ok", what: "commits are made as Ada" });
  expect(of("disk.the-repository")?.status).toBe("ok");
  expect(of("writable.clones")?.status).toBe("ok");
  expect(of("session.say-hello")).toMatchObject({
    status: "warn",
    what: "say-hello has work left, but is not running",
    fix: "wisp up say-hello",
  });
  expect(code).toBe(0);
  const runId = `${join(cwd, ".wisp/sessions/say-hello")}#builder`;
  const engine = spawn("sleep", ["60"], {
    stdio: "ignore",
    env: { ...process.env, WISP_RUN_ID: runId },
  });
  const left = await doctor({}, { cwd });
  engine.kill();
  expect(left.of("session.say-hello")).toMatchObject({
    status: "warn",
    fix: `kill ${String(engine.pid)}`,
  });
  await writeFile(join(cwd, ".wisp/config.yaml"), "engine: { command: [./missing.sh] }\n");
  const broken = await doctor({}, { cwd });
  expect(broken.of("settings")).toMatchObject({ status: "fail" });
  expect(broken.code).toBe(1);
});

test("fails in a repository that wisp cannot work in", async () => {
  const cwd = join(rig.root, "bare");
  await mkdir(cwd);
  await rig.git(cwd, "init", "--quiet", "--bare");
  const { of, code } = await doctor({}, { cwd });
  expect(of("repository")).toMatchObject({ status: "fail" });
  expect(code).toBe(1);
});

test.skipIf(!canUnshare())(
  "where the kernel refuses user namespaces, names the setting and the command that allows them",
  async () => {
    const argv = [rig.packaged("dist", "wisp.js"), "doctor", "--json"];
    const refuse = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"';
    const words = ["-Ur", "sh", "-c", refuse, process.execPath, ...argv];
    const { stdout } = spawnSync("unshare", words, { cwd: rig.root, encoding: "utf8" });
    const { checks } = View.parse(JSON.parse(stdout));
    const namespaces = checks.find(({ name }) => name === "namespaces");
    expect(namespaces).toMatchObject({
      status: "warn",
      what: "unprivileged user namespaces are refused (user.max_user_namespaces = 0)",
      fix: "sysctl user.max_user_namespaces=10000",
    });
  },
);

function canUnshare(): boolean {
  const asked = ["-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces"];
  return spawnSync("unshare", asked, { stdio: "ignore" }).status === 0;
}
