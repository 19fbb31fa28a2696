import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { farHome, mirroredFiles } from "./far-files.ts";

const BRANCH = "wisp/hello";

/** Two milestones, each of which is built when its gate opens. */
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

async function startElsewhere(rig: ProcessSession) {
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--detach");
  expect(started).toMatchObject({ code: 0 });
  const far = join(farHome(rig.home("hello"), "hello"), "../../..");
  return (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: far, encoding: "utf8", env: rig.env }).trim();
}

/** A work tree of the person in which the session's branch is checked out. */
function checkOut(rig: ProcessSession) {
  const place = join(rig.root, "by-hand");
  rig.git("worktree", "add", "-q", place, BRANCH);
  return {
    git: (...args: readonly string[]) => rig.git("-C", place, ...args),
    commit: (file: string) => {
      writeFileSync(join(place, file), "by hand\n");
      rig.git("-C", place, "add", file);
      rig.git("-C", place, "commit", "-qm", `Write ${file} by hand`);
      return rig.git("rev-parse", BRANCH);
    },
    leave: () => rig.git("worktree", "remove", "--force", place),
  };
}

const subjects = (git: ProcessSession["git"]) =>
  git("log", "--format=%s", "--first-parent", BRANCH).split("\n");

test("what a person commits on the branch here is reviewed and built upon where the session runs", async () => {
  const { scenario, open, begun } = gated();
  await using rig = processSession({ scenario });
  const far = await startElsewhere(rig);
  open("One");
  await begun("Two");
  await eventually(() => expect(subjects(rig.git)[0]).toBe("Say One"));
  const hand = checkOut(rig);
  const first = hand.commit("own.txt");
  // It goes there though the branch is still checked out here.
  await eventually(() => expect(far("rev-parse", BRANCH)).toBe(first));
  const second = hand.commit("more.txt");
  await eventually(() => expect(far("rev-parse", BRANCH)).toBe(second));
  open("Two");
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
    signs: () => rig.read("logs/builder.log", "hello"),
  });
  await eventually(async () =>
    expect((await rig.wisp("status", "hello")).stdout).toContain(
      "the branch here is behind, because it is checked out",
    ),
  );
  expect(rig.git("rev-parse", BRANCH)).toBe(second);
  hand.leave();
  await eventually(() => expect(rig.git("rev-parse", BRANCH)).toBe(far("rev-parse", BRANCH)));
  expect(subjects(rig.git).slice(0, 4)).toEqual([
    "Say Two",
    "Write more.txt by hand",
    "Write own.txt by hand",
    "Say One",
  ]);
  expect(rig.read("logs/reviewer.log", "hello")).toContain(second);
  await eventually(async () =>
    expect((await rig.wisp("status", "hello")).stdout).not.toContain("the branch here"),
  );
  const home = rig.home("hello");
  await eventually(() =>
    expect(mirroredFiles(home)).toEqual(mirroredFiles(farHome(home, "hello"))),
  );
  expect(rig.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
});

test("if both have commits of their own, nothing moves, it is said, and a rebase is enough to go on", async () => {
  const { scenario, open, begun } = gated();
  await using rig = processSession({ scenario });
  const far = await startElsewhere(rig);
  await begun("One");
  await eventually(() => expect(rig.git("rev-parse", "refs/wisp/mirror/hello")).not.toBe(""));
  const hand = checkOut(rig);
  open("One");
  await begun("Two");
  await eventually(() =>
    expect(rig.git("rev-parse", "refs/wisp/mirror/hello")).toBe(far("rev-parse", BRANCH)),
  );
  const own = hand.commit("own.txt");
  const theirs = far("rev-parse", BRANCH);
  await eventually(async () =>
    expect((await rig.wisp("status", "hello")).stdout).toContain(
      "each have commits of their own: rebase yours onto refs/wisp/mirror/hello",
    ),
  );
  expect([rig.git("rev-parse", BRANCH), far("rev-parse", BRANCH)]).toEqual([own, theirs]);
  hand.git("rebase", "-q", "refs/wisp/mirror/hello");
  const rebased = rig.git("rev-parse", BRANCH);
  hand.leave();
  await eventually(() => expect(far("rev-parse", BRANCH)).toBe(rebased));
  open("Two");
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
    signs: () => rig.read("logs/builder.log", "hello"),
  });
  await eventually(() => expect(rig.git("rev-parse", BRANCH)).toBe(far("rev-parse", BRANCH)));
  expect(subjects(rig.git).slice(0, 3)).toEqual(["Say Two", "Write own.txt by hand", "Say One"]);
});

test("what was committed here right before a command goes there first, whatever the follower is at", async () => {
  const { scenario, open, begun } = gated();
  await using rig = processSession({ scenario });
  const far = await startElsewhere(rig);
  await begun("One");
  expect(await rig.wisp("stop", "hello")).toMatchObject({ code: 0 });
  for (const milestone of ["One", "Two"]) open(milestone);
  await eventually(() =>
    expect(rig.read("logs/supervisor.log", "hello")).toContain(" supervisor.end "),
  );
  await eventually(() => expect(rig.git("rev-parse", BRANCH)).toBe(far("rev-parse", BRANCH)));
  const line = rig.leftovers().find((one) => one.includes("wisp.js mirror hello"));
  const follower = Number(line?.split(" ")[0]);
  process.kill(follower, "SIGSTOP");
  const hand = checkOut(rig);
  const own = hand.commit("own.txt");
  hand.leave();
  const resumed = rig.wisp("resume", "hello", "--detach");
  await eventually(() => expect(far("rev-list", BRANCH).split("\n")).toContain(own));
  process.kill(follower, "SIGCONT");
  expect(await resumed).toMatchObject({ code: 0 });
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
    signs: () => rig.read("logs/builder.log", "hello"),
  });
  await eventually(() => expect(rig.git("rev-parse", BRANCH)).toBe(far("rev-parse", BRANCH)));
  expect(subjects(rig.git).slice(0, 3)).toEqual(["Say Two", "Write own.txt by hand", "Say One"]);
});
