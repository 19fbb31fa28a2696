import { join } from "node:path";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** The planner turns each line that the diff adds into a task; the builder builds every task. */
function scenario(firstTurn: string): string {
  return String.raw`
    plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n- [ ] b\n\n## Milestone: Two\n\n- [ ] c\n"),
    replan(t) {
      const path = /(\/\S+request\.diff)/.exec(t.prompt)?.[1];
      if (path === undefined) return;
      const added = t.read(path).split("\n").filter((line) => /^\+[^+]/.test(line));
      const tasks = added.map((line) => "- [ ] update a: " + line.slice(1)).join("\n");
      const file = /\x60(\/\S+TASKS\.md)\x60/.exec(t.prompt)[1];
      t.plan(t.read(file).trimEnd() + "\n\n## Milestone: Three\n\n" + tasks + "\n");
    },
    async build(t) {
      if (t.milestone === "One" && t.attempt === 1) {
        t.put("a.txt", "a\n");
        t.commit("Do a");
        t.tick(1);
        ${firstTurn}
        return;
      }
      t.put(t.milestone + ".txt", "built\n");
      t.commit("Build " + t.milestone);
      t.tick();
    },`;
}

const REVISED = "# A request\n\nDo the thing.\n\nAnd greet in French.\n";

function milestones(session: ProcessSession): readonly string[] {
  const lines = session.read("logs/milestones.log").trimEnd().split("\n");
  return lines.map((line) => line.split("|")[0] ?? "");
}

test("update reopens a complete session: finished milestones stay, and the change gets tasks", async () => {
  await using session = processSession({ scenario: scenario("") });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const before = session.read("TASKS.md");
  const same = await session.wisp("update", "request.md", "--no-up");
  expect(same).toMatchObject({ code: 0 });
  expect(same.stderr).toContain("is unchanged");
  session.write("request.md", REVISED);
  const preview = await session.wisp("update", "request.md", "--dry-run");
  expect(preview.stdout).toContain("+And greet in French.");
  expect(session.read("logs/human.log")).toBe("");

  const updated = await session.wisp("update", "request.md", "--branch", "wisp/a-request");
  expect(updated).toMatchObject({ code: 0 });
  expect(milestones(session)).toEqual(["One", "Two", "Three"]);
  expect(session.read("TASKS.md").startsWith(before.trimEnd())).toBe(true);
  expect(session.read("TASKS.md")).toContain("- [x] update a: And greet in French.");
  expect(session.read("request.md")).toBe(REVISED);
  expect(session.read("requests/0.md")).toBe("# A request\n\nDo the thing.\n");
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
});

test("the milestone that is being built is finished before an update is planned", async () => {
  const waits = `await t.until(() => t.logHas("human.log", " update "));`;
  await using session = processSession({ scenario: scenario(waits) });
  const child = session.spawn("start", "request.md");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await session.until("the first turn", () =>
    session.read("logs/builder.log").includes(" turn.begin "),
  );
  session.write("request.md", REVISED);
  expect(await session.wisp("update", "request.md", "--no-up")).toMatchObject({ code: 0 });
  expect(await ended).toBe(0);
  expect(milestones(session)).toEqual(["One", "Two", "Three"]);
  const prompt = readFileSync(join(session.home(), "requests", "0.md"), "utf8");
  expect(prompt).toBe("# A request\n\nDo the thing.\n");
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  // It was begun under the first plan, and is unchanged.
  const [one] = history.builder.fold.milestones;
  expect(one).toMatchObject({ name: "One" });
  expect(history.human.fold.updates).toBe(1);
});
