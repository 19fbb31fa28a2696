import { execFileSync, spawnSync } from "node:child_process";
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
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { farHome, farRoot, mirroredFiles } from "./far-files.ts";
import { ONE_TASK } from "./scenarios.ts";

test("a question of a session that runs elsewhere is answered from here, and once", async () => {
  const scenario = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (!t.prompt.includes("The answer: ")) return t.say({ status: "NEEDS_INPUT", question: "Which colour?" });
    t.put("answer.txt", "blue\n");
    t.commit("Say the colour");
    t.tick();
  },
`;
  await using rig = processSession({ scenario });
  rig.write("colour.md", "# Colour\n\nSay the colour.\n");
  expect(await rig.wisp("start", "colour.md", "--on", "local", "--yes", "--detach")).toMatchObject({
    code: 0,
  });
  await eventually(async () =>
    expect((await rig.wisp("status", "colour")).stdout).toContain("Which colour?"),
  );
  const answered = await rig.wisp("answer", "colour", "blue");
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stderr).toContain("Answered");
  const again = await rig.wisp("answer", "colour", "red");
  expect(again.code).not.toBe(0);
  const home = rig.home("colour");
  await eventually(() => expect(rig.read("logs/builder.done", "colour")).toContain("complete|"));
  const human = readFileSync(join(home, "logs/human.log"), "utf8");
  expect(human.match(/ answer /gu)).toHaveLength(1);
  await eventually(() =>
    expect(mirroredFiles(home)).toEqual(mirroredFiles(farHome(home, "colour"))),
  );
});

test("commands that differ from a session's elsewhere are those of the checkout here, and are sent with the answer", async () => {
  const check = `
if (process.env.NEEDED) process.exit(0);
console.error("no " + "variable");
process.exit(1);
`;
  await using rig = processSession({ scenario: ONE_TASK, files: { "check.cjs": check } });
  const common = rig.git("show", "HEAD:.wisp/config.yaml");
  const settings = (lines: string) => {
    rig.write(".wisp/config.yaml", `${common}\nverify: [[node, check.cjs]]\n${lines}`);
  };
  settings("");
  rig.git("commit", "-qam", "Verify");
  Object.assign(rig.env, { NEEDED: "here" });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const words = ["start", "hello.md", "--on", "local", "--yes", "--detach"];
  expect(await rig.wisp(...words)).toMatchObject({ code: 0 });
  await eventually(async () =>
    expect((await rig.wisp("status", "hello")).stdout).toContain("red before any work"),
  );
  settings("commands: { env: [NEEDED] }\n");
  const refused = await rig.wisp("answer", "hello", "again");
  expect(refused).toMatchObject({ code: 4 });
  expect(refused.stderr).toContain("+ commands.env: NEEDED");
  const answered = await rig.wisp("answer", "hello", "again", "--settings");
  expect({ code: answered.code, said: answered.stderr }).toMatchObject({ code: 0 });
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"));
  expect(rig.read("logs/human.log", "hello")).toMatch(/ answer .* settings=.*NEEDED/u);
  expect(rig.read("logs/builder.log", "hello")).toContain("outcome=judged");
});

test("a finished session that ran elsewhere is revised, approved and shipped from here, and leaves nothing there", async () => {
  const scenario = ONE_TASK.replace(
    '"hello\\n"',
    't.prompt.includes("capitals") ? "HELLO\\n" : "hello\\n"',
  );
  await using rig = processSession({ scenario });
  const remote = join(rig.root, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  rig.git("remote", "add", "origin", remote);
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp(
    "start",
    "hello.md",
    "--on",
    "local",

    "--yes",
    "--plain",
  );
  expect(started).toMatchObject({ code: 0 });
  const home = rig.home("hello");
  const root = farRoot(home);
  const revised = await rig.wisp(
    ...["review", "hello", "--request-revision", "Say it in capitals.", "--plain"],
  );
  expect(revised).toMatchObject({ code: 0 });
  expect(existsSync(join(home, "revision-1", "session.json"))).toBe(true);
  expect(await rig.wisp("review", "hello", "--approve")).toMatchObject({ code: 0, stderr: "" });
  const done = await rig.wisp("done", "hello", "--yes", "--no-pr");
  expect(done).toMatchObject({ code: 0 });
  const shipped = execFileSync("git", ["rev-parse", "wisp/hello"], { cwd: remote });
  expect(shipped.toString().trim()).toBe(rig.git("rev-parse", "wisp/hello"));
  expect(existsSync(root)).toBe(false);
  const human = readFileSync(join(home, "logs/human.log"), "utf8");
  expect(human.match(/ done /gu)).toHaveLength(1);
  expect((await rig.wisp("status", "hello")).stdout).toContain("shipped");
});

test("what is given up elsewhere is kept here, and leaves nothing there or of it here", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  // What a send that was killed long ago left, and one that may be at work.
  const name = basename(rig.repository);
  const hash = createHash("sha256").update(rig.repository).digest("hex").slice(0, 8);
  const home = String(rig.env["HOME"]);
  const bundles = join(home, ".local/state/wisp", `${name}-${hash}`, ".bundles");
  mkdirSync(bundles, { recursive: true });
  const now = `${String(Date.now())}-x.bundle`;
  for (const file of ["1000-x.bundle", now]) writeFileSync(join(bundles, file), "");
  const started = await rig.wisp(
    "start",
    "hello.md",
    "--on",
    "local",

    "--yes",
    "--plain",
  );
  expect(started).toMatchObject({ code: 0 });
  const root = farRoot(rig.home("hello"));
  const head = rig.git("rev-parse", "wisp/hello");
  expect(await rig.wisp("abandon", "hello", "--yes")).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
  expect(rig.git("rev-parse", "refs/wisp/rescue/hello/abandoned")).toBe(head);
  expect(rig.git("for-each-ref", "refs/wisp/mirror")).toBe("");
  expect(readdirSync(bundles)).toEqual([now]);
});

test("the settings of a repository name where its sessions run, by a name that only the person's own settings explain", async () => {
  await using rig = processSession({ scenario: ONE_TASK, config: "executor: box\n" });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const unknown = await rig.wisp("start", "hello.md", "--yes", "--detach");
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.stderr).toContain("There is no executor 'box'");
  expect(await rig.wisp("start", "hello.md", "--dry-run")).toMatchObject({ code: 0 });

  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  const own = join(rig.root, "own");
  // An executor of the person's own: a folder of this machine.
  writeFileSync(
    own,
    `#!/bin/sh
case "$1" in
  create) mkdir -p "${rig.root}/places/$WISP_PLACE_KEY"; printf '{"id":"%s","root":"%s"}\\n' "$WISP_PLACE_KEY" "${rig.root}/places/$WISP_PLACE_KEY" ;;
  exec) shift 3; exec "$@" ;;
  destroy) rm -rf "$WISP_PLACE_ROOT" ;;
esac
`,
    { mode: 0o755 },
  );
  const words = ["create", "exec", "destroy"].map((word) => `${word}: [${own}, ${word}]`);
  const box = `executors:\n  box: { kind: command, ${words.join(", ")}, env: [WISP_TEST_WORD] }\n`;
  writeFileSync(join(settings, "config.yaml"), box);
  rig.env["WISP_TEST_WORD"] = "a secret word";
  const started = await rig.wisp("start", "hello.md", "--yes", "--plain");
  expect(started).toMatchObject({ code: 0 });
  expect(started.stderr).toContain("on box");
  const secrets = join(farRoot(rig.home("hello")), "secrets.json");
  expect(statSync(secrets).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(secrets, "utf8"))).toEqual({ WISP_TEST_WORD: "a secret word" });
  const inFiles = spawnSync("grep", ["-rlF", "a secret word", rig.root], { encoding: "utf8" });
  expect(inFiles.stdout.trim()).toBe(secrets);
});

test("a start on a machine that does not exist leaves nothing, and the name free", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  for (const on of ["ssh:no-such-host.invalid", "ssh:-oProxyCommand=true"]) {
    const refused = await rig.wisp("start", "hello.md", "--on", on, "--yes", "--detach");
    expect(refused).toMatchObject({ code: 1 });
    expect(existsSync(rig.home("hello"))).toBe(false);
  }
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--plain");
  expect(started).toMatchObject({ code: 0 });
  expect(started.stderr).toContain("Session hello on branch wisp/hello,");
});

test("a session goes on at its place though its supervisor was killed and nobody follows it", async () => {
  const gates = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(gates, { recursive: true }));
  const scenario = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    writeFileSync("GATES/begun", "");
    while (!existsSync("GATES/go")) await setTimeout(20);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;
  await using rig = processSession({ scenario: scenario.replaceAll("GATES", gates) });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--detach");
  expect(started).toMatchObject({ code: 0 });
  await eventually(() => expect(existsSync(join(gates, "begun"))).toBe(true));
  const pidsOf = (words: string) =>
    rig
      .leftovers()
      .filter((line) => line.includes(`wisp.js ${words} hello`))
      .map((line) => Number(line.split(" ")[0]));
  const [follower, supervisor] = [pidsOf("mirror"), pidsOf("supervise")];
  expect([follower.length, supervisor.length]).toEqual([1, 1]);
  for (const pid of [...follower, ...supervisor]) process.kill(pid, "SIGKILL");
  writeFileSync(join(gates, "go"), "");
  const done = join(farHome(rig.home("hello"), "hello"), "logs/builder.done");
  await eventually(() => expect(readFileSync(done, "utf8")).toContain("complete|"));
  expect(pidsOf("mirror")).toEqual([]);
});

test("a mirror that is removed stays removed, and its follower ends", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--plain");
  expect(started).toMatchObject({ code: 0 });
  const followers = () => rig.leftovers().filter((line) => line.includes("wisp.js mirror hello"));
  expect(followers()).toHaveLength(1);
  rmSync(rig.home("hello"), { recursive: true });
  await eventually(() => expect(followers()).toEqual([]));
  expect(existsSync(rig.home("hello"))).toBe(false);
});
