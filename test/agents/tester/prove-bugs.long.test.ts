import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import { testerMain } from "../../../src/agents/tester/main.ts";
import { present } from "../../../src/base/assert.ts";
import type { Sandbox } from "../../../src/base/ports/sandbox.ts";
import { put } from "../../rig/in-process-session.ts";
import { sessionRig, write, type SessionRig } from "../role-rig.ts";
import { found, PASSED } from "../turns.ts";
import { testing } from "./testing.ts";

/** Reports a bug with this command, in a milestone whose `src/a.js` says 1. */
async function claimed(rig: SessionRig, command: string | undefined, files = {}) {
  const role = await testing(rig, () => found("Bug", "src/a.js:1", command), { files });
  await role.perform();
  const [end] = role.recordsOf("test.end");
  return { ...role, end: present(end, "the unit has ended") };
}

test("a bug whose command fails is accepted, with its command and output", async () => {
  using rig = sessionRig();
  const { end, recordsOf } = await claimed(rig, "grep -c 2 src/a.js");
  expect(end.outcome).toBe("tested");
  expect(end.reason).toBeUndefined();
  expect(end.bugs).toMatchObject([
    { command: "grep -c 2 src/a.js", output: "0\n(it exited with 1)" },
  ]);
  expect(recordsOf("command.result")).toMatchObject([{ outcome: "failed", unit: end.unit }]);
  const bugs = readFileSync(rig.at.home.bugs, "utf8").split("\n");
  expect(bugs[0]).toMatch(/^OPEN BUG-/);
  expect(bugs.slice(1)).toEqual(["    $ grep -c 2 src/a.js", "    > 0 (it exited with 1)", ""]);
  const progress = readFileSync(rig.at.home.progress, "utf8");
  expect(progress).toContain("- tester (blocking)");
  expect(progress).toContain("- Command: grep -c 2 src/a.js\n   - Output: 0\n");
});

test("a bug whose command fails by chance is refused: it passes when it is repeated", async () => {
  using rig = sessionRig();
  const mark = join(rig.session.state, "ran-before");
  const script = `test -e ${mark} || { touch ${mark}; exit 1; }\n`;
  const { end, recordsOf } = await claimed(rig, "sh flaky.sh", { "flaky.sh": script });
  expect(end).toMatchObject({ outcome: "tested", bugs: [] });
  expect(end.reason).toContain("its command failed in one run and passed in another");
  expect(recordsOf("command.result")).toMatchObject([{ outcome: "passed", looks: 2 }]);
});

test("a bug whose command something else kills is refused, and not fixed", async () => {
  using rig = sessionRig();
  const { end, recordsOf } = await claimed(rig, "sh killed.sh", { "killed.sh": "kill -KILL $$\n" });
  expect(end).toMatchObject({ outcome: "tested", bugs: [] });
  expect(end.reason).toContain("it was ended by SIGKILL");
  expect(recordsOf("command.result")).toMatchObject([{ outcome: "unstarted", looks: 3 }]);
});

test.each([
  ["grep -c 1 src/a.js", "its command passes"],
  ["no-such-program-of-ours", "no-such-program-of-ours could not be started: ENOENT"],
  ["env no-such-program-of-ours", "it exited with 127: a program is missing"],
])("a bug whose command is `%s` is refused: %s", async (command, why) => {
  using rig = sessionRig();
  const { end, notes } = await claimed(rig, command);
  expect(end).toMatchObject({ outcome: "tested", bugs: [] });
  expect(end.reason).toContain("1 of 1 bugs refused");
  expect(end.reason).toContain(why);
  expect(notes()).toHaveLength(1);
  expect(notes()[0]).toContain(`refused a bug at src/a.js:1, ${why}`);
  expect(existsSync(rig.at.home.bugs)).toBe(false);
});

test.each([
  ["grep -qv 'line 1' nothere.txt", "its command names nothere.txt, which is neither in the tree"],
  ["node --test test/nothere.test.js", "its command names test/nothere.test.js"],
  ["sh ./nothere", "its command names nothere"],
  ["python3 -m pytest tests/test_a.py::test_b", "its command names tests/test_a.py"],
])(
  "a bug whose command `%s` names a missing file is asked for again, then refused",
  async (command, why) => {
    using rig = sessionRig();
    const { end, notes, asked } = await claimed(rig, command);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.prompt).toContain(why);
    expect(end).toMatchObject({ outcome: "tested", bugs: [] });
    expect(notes()[0]).toContain(why);
  },
);

test.each([
  // Patterns, names of tests, scripts and checks for existence do not name files that must exist.
  ["grep -q b/c.js src/a.js"],
  ["grep -q -e nothere.js src/a.js"],
  ["test -e nothere.txt"],
  ["sh -c 'cat nothere.txt'"],
  ["grep -q x --include=nothere src/a.js"],
])("a bug whose command is `%s` is accepted", async (command) => {
  using rig = sessionRig();
  const { end } = await claimed(rig, command);
  expect(end.bugs).toMatchObject([{ command }]);
});

test("a launcher's report of a missing program is not a bug", async () => {
  using rig = sessionRig();
  const role = await testing(rig, ({ cwd }) => {
    put(cwd, "test/Makefile", "check:\n\tno-such-program-of-ours\n");
    return found("Bug", "src/a.js:1", "make -C test check");
  });
  await role.perform();
  expect(role.recordsOf("test.end")[0]?.bugs).toEqual([]);
  expect(role.notes()[0]).toContain("a program that it starts is missing");
});

/** A sandbox that denies access to one path. */
const keepsFrom = (place: string): Sandbox => ({
  kind: "bubblewrap",
  confine: ({ command: { argv } }) => {
    const isProbe = argv[0] === "test" && argv[2] === place;
    const before = isProbe ? (["false"] as const) : [];
    return { ok: true, value: { before, env: {}, isKeeper: false } };
  },
});

test.each([
  ["/etc/hostname", "EACCES: permission denied, open '/etc/hostname'", 0],
  ["/etc/hostname", "EROFS: read-only file system, open '/etc/passwd'", 1],
  ["/etc/hostname", "cat: /etc/hostname: Permission denied", 0],
  ["/etc/hostname", "EACCES: not of this machine '/of-no-machine/at/all'", 1],
  ["/etc/hostname", "the value of /etc/hostname is wrong", 1],
])(
  "a bug counts unless the sandbox really denies its command %s: it printed %s",
  async (place, said, count) => {
    using rig = sessionRig();
    const command = `sh -c 'echo "$0"; exit 1' "${said}"`;
    const role = await testing(rig, () => found("Bug", "src/a.js:1", command));
    const context = { ...role.context, sandbox: keepsFrom(place) };
    await testerMain(context).perform(role.step, await rig.at.state());
    expect(role.recordsOf("test.end")[0]?.bugs).toHaveLength(count);
    if (count === 0) expect(role.notes()[0]).toContain(`the sandbox keeps it from ${place}`);
  },
);

test.each([
  [undefined, "there is no command"],
  ["grep 2 src/a.js | cat", "`|` makes a pipe"],
  ["node $TEST", "`$` stands for a variable"],
])("a bug with the command %s is asked for once more, then refused: %s", async (command, why) => {
  using rig = sessionRig();
  const { end, notes, asked, recordsOf } = await claimed(rig, command);
  expect(asked.map(({ attempt, ask }) => [attempt, ask])).toEqual([
    [1, 1],
    [1, 2],
  ]);
  expect(asked[1]?.prompt).toContain(why);
  expect(end).toMatchObject({ outcome: "tested", bugs: [] });
  expect(notes()[0]).toContain(why);
  expect(recordsOf("command.result")).toEqual([]);
});

test("commands that never end, or never stop printing, are killed and prove a bug", async () => {
  for (const [command, why] of [
    [`${process.execPath} -e 'setInterval(() => {}, 1000)'`, "it did not end within 1 s"],
    ["yes", "it printed without end"],
  ]) {
    using rig = sessionRig({
      session: { verifyTimeoutMs: why === "it printed without end" ? 60_000 : 300 },
    });
    const { end, context, recordsOf } = await claimed(rig, command);
    expect(end.bugs[0]?.output).toContain(why);
    const output = recordsOf("command.result")[0]?.output ?? "";
    const path = join(context.home.turns, `${output}.out`);
    expect(readFileSync(path).length).toBeLessThanOrEqual(8 * 1024 * 1024);
  }
});

test("a command sees only variables named for commands, is marked as the role's, and leaves nothing in the clone", async () => {
  using rig = sessionRig();
  const script = [
    'fs.writeFileSync("left.txt", "");',
    'child.execFileSync("git", ["commit", "-qm", "Mine", "--allow-empty"]);',
    "const { DATABASE_URL, PROJECT_SETTING, WISP_RUN_ID } = process.env;",
    "console.log(JSON.stringify({ DATABASE_URL, PROJECT_SETTING, WISP_RUN_ID })); process.exit(1);",
  ].join(" ");
  const requires = 'const fs = require("node:fs"); const child = require("node:child_process");';
  const command = `${process.execPath} -e '${requires} ${script}'`;
  const env = { DATABASE_URL: "secret", PROJECT_SETTING: "on" };
  const session = { commands: { env: ["PROJECT_*"] } };
  const role = await testing(rig, () => found("Bug", "src/a.js:1", command), { env, session });
  await role.perform();
  const output = role.recordsOf("test.end")[0]?.bugs[0]?.output ?? "";
  expect(output).not.toContain("secret");
  expect(output).toContain('"PROJECT_SETTING":"on"');
  expect(output).toMatch(/#tester=\d"/);
  const clone = await role.context.clone();
  expect(await clone.head()).toEqual({ ok: true, value: role.end });
  expect(existsSync(join(clone.directory, "left.txt"))).toBe(false);
});

test("the command runs with the turn's tests, and these are published", async () => {
  using rig = sessionRig();
  const role = await testing(rig, ({ cwd }) => {
    put(cwd, "test/a.test.js", "process.exit(1)\n");
    return found("Bug", "src/a.js:1", `${process.execPath} test/a.test.js`);
  });
  await role.perform();
  expect(role.recordsOf("test.end")[0]?.bugs).toHaveLength(1);
  expect(role.branch()).toEqual(["test: cover One"]);
});

test("after work outside the test paths is refused, a command that needs it runs without it", async () => {
  using rig = sessionRig();
  const role = await testing(rig, ({ cwd }) => {
    put(cwd, "src/show.js", "process.exit(1)\n");
    return found("Bug", "src/a.js:1", "test ! -e src/show.js");
  });
  await role.perform();
  expect(role.recordsOf("test.end")[0]).toMatchObject({ bugs: [], commits: [] });
  expect(role.notes().join("\n")).toContain("its command passes");
});

test("a test that was red at the base is not a milestone's bug, and the prompt names it", async () => {
  const verify = [["verify-of-ours"]];
  using rig = sessionRig({ session: { verify } });
  const role = await testing(rig, () =>
    found(
      "Bug",
      "src/a.js:1",
      `${process.execPath} -e 'console.log("not ok 1 - old and red"); process.exit(1)'`,
    ),
  );
  const clone = await role.context.clone();
  const tree = await clone.treeOf(rig.session.base);
  write(rig.at, {
    builder: [
      {
        kind: "verify.result",
        time: "2026-11-20T12:00:00.000Z",
        at: rig.session.base,
        tree: tree.ok ? tree.value : "",
        command: commandKey(verify),
        outcome: "failed",
        failing: ["old and red"],
      },
    ],
  });
  await role.perform();
  expect(role.asked[0]?.prompt).toContain("red before the work began");
  expect(role.asked[0]?.prompt).toContain("- old and red");
  expect(role.recordsOf("test.end")[0]?.bugs).toEqual([]);
  expect(role.notes()[0]).toContain("it was red before the session began: old and red");
});

test("after a restart, a command that ran for the same unit does not run again", async () => {
  using rig = sessionRig();
  const count = `fs.appendFileSync(require("node:path").resolve("../../..") + ".runs", "x"); process.exit(1)`;
  const command = `${process.execPath} -e 'const fs = require("node:fs"); ${count}'`;
  const role = await testing(rig, () => found("Bug", "src/a.js:1", command));
  const { journal } = role.context;
  const dying: typeof role.context = {
    ...role.context,
    journal: {
      ...journal,
      append: (...records) => {
        if (records.some(({ kind }) => kind === "test.end")) throw new Error("killed");
        journal.append(...records);
      },
    },
  };
  const state = await rig.at.state();
  await expect(testerMain(dying).perform(role.step, state)).rejects.toThrow("killed");
  const main = testerMain(role.context);
  await main.perform({ kind: "recover", unit: role.unit }, await rig.at.state());
  await main.perform(role.step, await rig.at.state());
  expect(role.recordsOf("test.end")[0]?.bugs).toHaveLength(1);
  expect(readFileSync(`${rig.session.state}.runs`, "utf8")).toBe("xxx");
});

test("a process that is asked to stop while a command runs leaves the unit open", async () => {
  using rig = sessionRig();
  const hangs = `${process.execPath} -e 'require("node:fs").writeFileSync(require("node:path").resolve("../../..") + ".hangs", ""); setInterval(() => {}, 1000)'`;
  const role = await testing(rig, () => found("Bug", "src/a.js:1", hangs));
  const performing = role.perform();
  while (!existsSync(`${rig.session.state}.hangs`)) await new Promise(setImmediate);
  rig.stop.abort();
  await performing;
  expect(role.recordsOf("test.end")).toEqual([]);
  expect(role.recordsOf("command.result")).toEqual([]);
});

test("a pass without bugs runs no commands", async () => {
  using rig = sessionRig();
  const role = await testing(rig, () => PASSED);
  await role.perform();
  expect(role.recordsOf("command.result")).toEqual([]);
  const entries = readFileSync(rig.at.home.progress, "utf8").split(/^(?=\[)/mu);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatch(/^\[Review\] .* - tester /u);
});

test("a test that names the clone by its absolute path is refused once, and the next prompt says how to write it", async () => {
  using rig = sessionRig();
  const role = await testing(rig, ({ cwd, attempt }) => {
    const folder = attempt === 1 ? cwd : ".";
    put(cwd, "test/a.sh", `grep -q 2 ${folder}/src/a.js\n`);
    return found("Bug", "src/a.js:1", "sh test/a.sh");
  });
  await role.perform();
  expect(role.asked).toHaveLength(2);
  const clone = await role.context.clone();
  expect(role.notes()[0]).toContain(`test/a.sh names ${clone.directory}`);
  expect(role.asked[1]?.prompt).toContain("write paths relative to the root of the repository");
  expect(role.recordsOf("test.end")[0]).toMatchObject({
    outcome: "tested",
    bugs: [{ command: "sh test/a.sh" }],
  });
  expect(role.branch()).toEqual(["test: cover One"]);
});

test.each([
  ["node /tmp/rr.js", "which is neither in the repository nor a part of the system"],
  ["node --test /tmp/rr.test.js", "which is neither in the repository nor a part of the system"],
  ["python3 /tmp/rr.py", "which is neither in the repository nor a part of the system"],
  ["cat /nonexistent", "which is neither in the repository nor a part of the system"],
  ["cat /etc/of-no-machine", "it names /etc/of-no-machine, which does not exist"],
  ["grep -q x nothere.txt", "its command names nothere.txt"],
  ["sh ../../rr.sh", "its command names ../../rr.sh"],
])(
  "a bug whose command `%s` names what is not there is asked for again, then refused",
  async (command, why) => {
    using rig = sessionRig();
    const { end, notes, asked, recordsOf } = await claimed(rig, command);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.prompt).toContain(why);
    expect(end).toMatchObject({ outcome: "tested", bugs: [] });
    expect(notes()[0]).toContain(why);
    expect(recordsOf("command.result").every(({ outcome }) => outcome !== "passed")).toBe(true);
  },
);

test("a path below the clone to a file that is not there shows no bug", async () => {
  using rig = sessionRig();
  const role = await testing(rig, ({ cwd }) => found("Bug", "src/a.js:1", `node ${cwd}/gone`));
  await role.perform();
  expect(role.asked[1]?.prompt).toContain("its command names gone, which is neither in the tree");
  expect(role.recordsOf("test.end")[0]?.bugs).toEqual([]);
});
