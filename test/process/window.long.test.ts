import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

test("the builder continues after a drain window that timed out, and a late finding is fixed later", async () => {
  await using session = processSession({
    config: "drain: { reviewer: 1s, tester: 1s, planner: 1s }\n",
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n\n## Milestone: Two\n\n- [ ] b\n"),
      build(t) {
        t.put(t.milestone + ".txt", "wrong\n");
        t.commit("Build " + t.milestone);
        t.tick();
      },
      async "review-milestone"(t) {
        if (t.milestone !== "One") return t.passed();
        await t.until(() => t.logHas("builder.log", "cause=timeout waiting=reviewer"));
        t.needsWork("Correctness", "One.txt", "It is wrong");
      },
      fix: (t) => t.put("One.txt", "right\n"),`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const kinds = history.builder.records.flatMap((record) =>
    record.kind === "drain.close" ? [`${record.cause} fix=${String(record.fix.length)}`] : [],
  );
  expect(kinds[0]).toBe("timeout fix=0");
  // How long a later window stays open depends on the machine: the finding is fixed after one of them.
  expect(kinds.slice(1).some((kind) => kind.endsWith(" fix=1"))).toBe(true);
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("show", `${branch}:One.txt`)).toBe("right");
});

test("no commit is lost when builder and tester publish at the same time, and history stays linear", async () => {
  await using session = processSession({
    config: "drain: { reviewer: 30s, tester: 500ms, planner: 30s }\n",
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n\n## Milestone: Two\n\n- [ ] b\n\n## Milestone: Three\n\n- [ ] c\n"),
      async build(t) {
        t.put(t.milestone + ".txt", "built\n");
        t.commit("Build " + t.milestone);
        t.tick();
        // Both turns end together: each waits until the other one runs.
        if (t.milestone === "Two") await t.until(() => t.logHas("tester.log", "turn.begin unit=test:One"));
      },
      async test(t) {
        t.put("test/" + t.milestone + ".txt", "tested\n");
        if (t.milestone === "One") await t.until(() => t.logHas("builder.log", "turn.begin unit=build:Two"));
        t.passed();
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("log", "--merges", "--format=%H", branch)).toBe("");
  const files = session.git("ls-tree", "-r", "--name-only", branch).split("\n");
  for (const name of ["One", "Two", "Three"]) {
    expect(files).toContain(`${name}.txt`);
    expect(files).toContain(`test/${name}.txt`);
  }
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
});

test("publishing waits for a branch that a person has checked out, and never works around it", async () => {
  await using session = processSession({
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n"),
      build(t) {
        t.put("one.txt", "1\n");
        t.commit("First");
        t.tick();
      },`,
  });
  await session.wisp("start", "request.md", "--no-up");
  const branch = session.git("for-each-ref", "--format=%(refname:short)", "refs/heads/wisp");
  session.git("checkout", "-q", branch);
  const up = session.wisp("up");
  await session.until("the wait", () => session.read("logs/builder.log").includes("unit.wait"));
  expect(session.git("log", "--format=%s", branch, "^main")).toBe("");
  session.git("checkout", "-q", "main");
  expect(await up).toMatchObject({ code: 0 });
  expect(session.git("log", "--format=%s", branch, "^main")).toBe("First");
});

test("a branch that a person rewrote ends the session with exit code 5 and the command that restores it", async () => {
  await using session = processSession({
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n"),
      build(t) {
        t.put("one.txt", "1\n");
        t.commit("First");
        t.tick();
      },
      async test(t) {
        await t.until(() => t.has("../../../never") || t.logHas("milestones.log", "One|"));
        t.passed();
      },
      async "review-milestone"(t) {
        const branch = t.git("symbolic-ref", "--short", "HEAD");
        await t.until(() => t.logHas("human.log", "kind-that-never-comes") || t.logHas("go", "go"));
        t.passed();
      },`,
  });
  const up = session.wisp("start", "request.md");
  await session.until("the milestone", () => session.read("logs/milestones.log").includes("One|"));
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  session.git("update-ref", branch, session.git("rev-parse", "main"));
  session.write(".wisp/current/logs/go", "go\n");
  const ended = await up;
  expect(ended).toMatchObject({ code: 5 });
  expect(ended.stdout + ended.stderr).toMatch(/git .*(update-ref|branch)/);
});
