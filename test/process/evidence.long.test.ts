import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";

const PLAN = `plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n- [ ] Say goodbye\\n"),`;

test("a milestone that was half built is continued at once, without another plan", async () => {
  await using session = processSession({
    scenario: String.raw`${PLAN}
      build(t) {
        t.put("step" + t.attempt + ".txt", "done\n");
        t.commit("Step " + t.attempt);
        t.tick(1);
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const ends = history.builder.records.filter(({ kind }) => kind === "build.end");
  expect(ends).toMatchObject([{ outcome: "partial" }, { outcome: "milestone" }]);
  expect(history.planner.fold.answers.map(({ staged }) => staged !== undefined)).toEqual([
    true,
    false,
  ]);
});

test("a session ends stuck with exit code 5 and an explanation after three attempts without a new tick", async () => {
  await using session = processSession({
    scenario: String.raw`${PLAN} build: () => undefined,`,
  });
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 5 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.builder.fold.stalls.get("One")).toHaveLength(3);
  expect(session.read("logs/builder.done")).toMatch(/^stuck\|0\|[0-9a-f]{40}\|no progress on/m);
  expect(ended.stdout + ended.stderr).toContain("no progress");
});

test("boxes ticked without any commit are unticked and recorded as a refused claim", async () => {
  await using session = processSession({
    scenario: String.raw`${PLAN}
      build(t) {
        if (t.attempt > 1) {
          t.put("hello.txt", "hello\n");
          t.commit("Say both");
        }
        t.tick();
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const ends = history.builder.records.filter(({ kind }) => kind === "build.end");
  expect(ends).toMatchObject([{ outcome: "noprogress", ticks: [] }, { outcome: "milestone" }]);
  expect(session.read("logs/builder.log")).toContain("refused claim: 2 task(s) ticked");
});

test("empty commits with ticked boxes do not complete a session: it exits with 5 and says what is missing", async () => {
  await using session = processSession({
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n\n## Milestone: Two\n\n- [ ] b\n"),
      build(t) {
        t.git("commit", "-q", "--allow-empty", "-m", "First");
        t.git("commit", "-q", "--allow-empty", "-m", "Second");
        t.tick(1, "One");
        t.tick(1, "Two");
      },`,
  });
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 5 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.builder.fold.milestones).toEqual([]);
  expect(ended.stdout + ended.stderr).toContain("no file differs from what it was");
});

test("a milestone that was built together with the previous one is completed by its own turn without a commit", async () => {
  await using session = processSession({
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n\n## Milestone: Two\n\n- [ ] b\n"),
      build(t) {
        if (t.milestone === "One") {
          t.put("both.txt", "a and b\n");
          t.commit("Do both");
        }
        t.tick(1, t.milestone);
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.builder.fold.milestones.map(({ name }) => name)).toEqual(["One", "Two"]);
});

test("a milestone whose verify is worse than the base's gets another attempt with verify's output in the prompt", async () => {
  await using session = processSession({
    config: `verify: [["sh", "-c", "if test -e broken; then echo the-verify-output; exit 1; fi"]]\n`,
    scenario: String.raw`${PLAN}
      build(t) {
        if (t.attempt === 1) t.put("broken", "yes\n");
        else t.git("rm", "-q", "broken");
        if (t.attempt === 2) t.put("told.txt", String(t.prompt.includes("the-verify-output")));
        t.commit("Attempt " + t.attempt);
        t.tick();
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const ends = history.builder.records.filter(({ kind }) => kind === "build.end");
  expect(ends).toMatchObject([{ outcome: "unverified", ticks: [] }, { outcome: "milestone" }]);
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("show", `${branch}:told.txt`)).toBe("true");
});

test("milestones finished in one turn are split at the HEAD that was seen when each was ticked", async () => {
  await using session = processSession({
    scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n\n## Milestone: Two\n\n- [ ] b\n\n## Milestone: Three\n\n- [ ] c\n"),
      async build(t) {
        t.put("one.txt", "1\n");
        t.commit("First");
        t.tick(1, "One");
        // Real turns take minutes between two boxes; this one waits to be seen.
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        t.put("two.txt", "2\n");
        t.commit("Second");
        t.tick(1, "Two");
        t.tick(1, "Three");
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  const [first = "", second = ""] = session
    .git("log", "--reverse", "--format=%H", branch, "^main")
    .split("\n");
  expect(history.builder.fold.milestones.map(({ name, end }) => [name, end])).toEqual([
    ["One", first],
    ["Two", second],
    ["Three", second],
  ]);
  const reviewed = history.reviewer.fold.answered;
  expect([...reviewed].sort()).toEqual(["One", "Three", "Two"]);
});

test("a turn that crashes loses nothing that it committed", async () => {
  await using session = processSession({
    scenario: String.raw`${PLAN}
      build(t) {
        if (t.attempt === 1) {
          t.put("hello.txt", "hello\n");
          t.commit("Say hello");
          t.tick(1);
          t.put("half.txt", "half done\n");
          return 9;
        }
        t.put("goodbye.txt", "goodbye\n");
        t.commit("Say goodbye");
        t.tick();
      },`,
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(
    session.git("ls-tree", "--name-only", branch, "hello.txt", "goodbye.txt", "half.txt"),
  ).toBe("goodbye.txt\nhello.txt");
  const rescue = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
  expect(session.git("show", `${rescue}:half.txt`)).toBe("half done");
});

test("a session whose engine asks a person exits with 4, names the command to answer with, and continues after the answer", async () => {
  await using session = processSession({
    scenario: String.raw`${PLAN}
      build(t) {
        if (!t.prompt.includes("Use tabs")) {
          t.say({ status: "NEEDS_INPUT", question: "Tabs or spaces?" });
          return;
        }
        t.put("hello.txt", "hello\n");
        t.commit("Say hello");
        t.tick();
      },`,
  });
  const asked = await session.wisp("start", "request.md");
  expect(asked).toMatchObject({ code: 4 });
  expect(asked.stdout + asked.stderr).toContain("Tabs or spaces?");
  expect(asked.stdout + asked.stderr).toContain("wisp answer");
  expect(await session.wisp("answer", "a-request", "Use tabs")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(checkSession(session.home()).broken).toBeUndefined();
});
