import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { farHome, mirroredFiles } from "./far-files.ts";

/** The first milestone is built when its gate opens, and by then the session has been stopped. */
function gated() {
  const gates = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(gates, { recursive: true }));
  const scenario = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    writeFileSync("GATES/begun-" + t.milestone, "");
    while (!existsSync("GATES/" + t.milestone)) await setTimeout(20);
    t.put(t.milestone + ".txt", "hello\n");
    t.commit("Say " + t.milestone);
    t.tick();
  },
`;
  return {
    scenario: scenario.replaceAll("GATES", gates),
    open: (milestone: string) => writeFileSync(join(gates, milestone), ""),
    begun: (milestone: string) =>
      eventually(() => expect(existsSync(join(gates, `begun-${milestone}`))).toBe(true)),
  };
}

/** A session elsewhere that a person stopped after its first milestone. */
async function stoppedElsewhere(rig: ProcessSession, { open, begun }: ReturnType<typeof gated>) {
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--detach");
  expect(started).toMatchObject({ code: 0 });
  await begun("One");
  const early = await rig.wisp("edit", "hello");
  expect(early).toMatchObject({ code: 6 });
  expect(early.stderr).toContain("wisp stop hello");
  expect(await rig.wisp("stop", "hello")).toMatchObject({ code: 0 });
  open("One");
  for (const milestone of ["Two", "Three"]) open(milestone);
  await eventually(() => expect(rig.read("logs/builder.log", "hello")).toContain(" role.end "));
  await eventually(async () =>
    expect((await rig.wisp("status", "hello")).stdout).toContain("stopped"),
  );
  const home = rig.home("hello");
  await eventually(() =>
    expect(mirroredFiles(home)).toEqual(mirroredFiles(farHome(home, "hello"))),
  );
  return { home, far: farHome(home, "hello") };
}

/** Has the person's editor do what a line of shell says to the file `$1`. */
function editWith(rig: ProcessSession, line: string): void {
  const editor = join(rig.root, "editor.sh");
  writeFileSync(editor, `#!/bin/sh\n${line}\n`);
  chmodSync(editor, 0o755);
  rig.env["EDITOR"] = editor;
}

const THREE = String.raw`printf '\n## Milestone: Three\n\n- [ ] Wave\n' >> "$1"`;

function edits(home: string): number {
  const human = readFileSync(join(home, "logs/human.log"), "utf8");
  return [...human.matchAll(/ edit /gu)].length;
}

/** The texts that are kept here; what was sent there is in `given`. */
const keptTexts = (rig: ProcessSession) =>
  readdirSync(rig.root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\/edited\/kept-tasks-[^/]*\.md$/u.test(name))
    .map((name) => readFileSync(join(rig.root, name), "utf8"));

test("a plan that is edited here is followed where the session runs, and is recorded once", async () => {
  const gates = gated();
  await using rig = processSession({ scenario: gates.scenario });
  const { home, far } = await stoppedElsewhere(rig, gates);
  const untouched = mirroredFiles(far);

  editWith(rig, "true");
  const same = await rig.wisp("edit", "hello");
  expect(same).toMatchObject({ code: 0 });
  expect(same.stderr).toContain("The plan is as it was");
  editWith(rig, 'echo "no plan" > "$1"');
  const wrong = await rig.wisp("edit", "hello");
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("Your text is kept in");
  expect(keptTexts(rig)).toEqual(["no plan\n"]);
  expect(mirroredFiles(far)).toEqual(untouched);

  editWith(rig, `cp "${join(home, "TASKS.md")}" "$1"; ${THREE}`);
  const edited = await rig.wisp("edit", "hello");
  expect(edited).toMatchObject({ code: 0 });
  expect(edited.stderr).toContain("The editor begins with your text");
  expect(edited.stderr).toContain("TASKS.md was edited: 3 milestones");
  expect(keptTexts(rig)).toEqual([]);
  expect([edits(far), edits(home)]).toEqual([1, 1]);
  expect(await rig.wisp("up", "hello", "--plain")).toMatchObject({ code: 0 });
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"));
  await eventually(() => expect(rig.read("TASKS.md", "hello")).toContain("- [x] Wave\n"));
  expect(rig.git("log", "--format=%s", "wisp/hello")).toContain("Say Three");
  expect(edits(far)).toBe(1);
});

test("an edit of a plan that has changed there meanwhile is refused, and the text is kept", async () => {
  const gates = gated();
  await using rig = processSession({ scenario: gates.scenario });
  const { far } = await stoppedElsewhere(rig, gates);
  // While the person types, somebody else makes another text the plan, there.
  const other = join(rig.root, "other.md");
  writeFileSync(
    other,
    `${readFileSync(join(far, "TASKS.md"), "utf8")}\n## Milestone: Other\n\n- [ ] Nod\n`,
  );
  const wisp = `"${process.execPath}" "${join(import.meta.dirname, "../../dist/wisp.js")}"`;
  editWith(rig, `${wisp} tasks hello --adopt "${other}" || exit 1\n${THREE}`);
  const refused = await rig.wisp("edit", "hello");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("has changed since that text was begun");
  expect(refused.stderr).toContain("Your text is kept in");
  expect(keptTexts(rig).join("")).toContain("- [ ] Wave\n");
  expect(readFileSync(join(far, "TASKS.md"), "utf8")).toBe(readFileSync(other, "utf8"));
  expect(edits(far)).toBe(1);
});

test("what a person writes into the mirror's TASKS.md has no effect, is named, and is where wisp edit begins", async () => {
  const gates = gated();
  await using rig = processSession({ scenario: gates.scenario });
  const { home, far } = await stoppedElsewhere(rig, gates);
  const by = join(home, "TASKS.md");
  writeFileSync(by, `${readFileSync(by, "utf8")}\n## Milestone: Three\n\n- [ ] Wave\n`);
  const status = await rig.wisp("status", "hello");
  expect(status.stdout).toContain("TASKS.md here is only a mirror");
  expect(status.stdout).toContain("wisp edit hello");
  expect(readFileSync(join(far, "TASKS.md"), "utf8")).not.toContain("Wave");
  editWith(rig, String.raw`printf -- '- [ ] Bow\n' >> "$1"`);
  expect(await rig.wisp("edit", "hello")).toMatchObject({ code: 0 });
  const there = readFileSync(join(far, "TASKS.md"), "utf8");
  expect(there).toContain("- [ ] Wave\n- [ ] Bow\n");
  await eventually(() => expect(readFileSync(by, "utf8")).toBe(there));
});

test("an edit whose command is killed where the session runs is recorded there once", async () => {
  const gates = gated();
  await using rig = processSession({ scenario: gates.scenario });
  const { home, far } = await stoppedElsewhere(rig, gates);
  editWith(rig, THREE);
  let killed = 0;
  let isOver = false;
  const editing = rig.wisp("edit", "hello").finally(() => (isOver = true));
  await eventually(() => {
    const running = rig
      .leftovers()
      .filter((line) => /^\d+ \S*node \S*wisp\.js tasks hello --adopt/u.test(line));
    for (const line of running) kill(Number(line.split(" ")[0]));
    killed += running.length;
    expect(isOver || killed >= 3).toBe(true);
  });
  expect(await editing).toMatchObject({ code: 0 });
  expect(killed).toBeGreaterThan(0);
  expect(keptTexts(rig)).toEqual([]);
  expect([edits(far), edits(home)]).toEqual([1, 1]);
  expect(readFileSync(join(far, "TASKS.md"), "utf8")).toContain("- [ ] Wave\n");
});

/** Kills a process with the script around it, which would note its end. */
function kill(pid: number): void {
  try {
    const [, , group] =
      /\) (\S) \d+ (\d+) /u.exec(readFileSync(`/proc/${String(pid)}/stat`, "utf8")) ?? [];
    process.kill(-Number(group ?? pid), "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
