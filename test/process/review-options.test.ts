import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";

const STYLE = "---\nlevel: warning\n---\nFind what is plain.\n";
const WORDS = "---\nlevel: suggestion\n---\nFind wrong words.\n";

/** One task; the two reviewers of the session find one thing each, and it is mended when it is asked for. */
const NOTES = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Write both\n"),
  build(t) {
    t.put("style.js", "const plain = 1;\n");
    t.put("words.js", "const teh = 1;\n");
    t.commit("Write both");
    t.tick();
  },
  "review-milestone"(t) {
    const levels = { correctness: "blocking", style: "warning", words: "suggestion" };
    for (const name of t.reviewers) {
      if (t.reviewers.length > 1) t.head(name, levels[name]);
      if (name === "correctness") t.passed();
      else t.finds([["Style", name + ".js", "It is not nice"]]);
      t.print("");
    }
  },
  fix(t) {
    const file = /^File: ([a-z]+\.js):1$/m.exec(t.prompt)[1];
    t.put(file, "const nice = 1;\n");
  },`;

test("FR-013: with --strict warnings and suggestions are fixed, too, also by a role started alone", async () => {
  await using session = processSession({
    scenario: NOTES,
    config: "review: { batch: 3 }\n",
    reviewers: { style: STYLE, words: WORDS },
  });
  await session.wisp("start", "request.md", "--strict", "--no-up");
  const roles = ["planner", "builder", "reviewer", "tester"];
  const ended = await Promise.all(roles.map((role) => session.wisp("agent", role)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const [style, words] = [...history.reviewer.fold.items.values()];
  expect([style?.level, words?.level]).toEqual(["warning", "suggestion"]);
  expect(history.builder.fold.fixes.size).toBe(2);
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("log", "--format=%s", branch, "^main").split("\n").sort()).toEqual([
    "Write both",
    `fix(review): style - ${style?.id ?? ""} - It is not nice`,
    `fix(review): words - ${words?.id ?? ""} - It is not nice`,
  ]);
  // All three shared one turn.
  const reviews = session.read("logs/reviewer.log").match(/turn\.begin .*review-milestone/g);
  expect(reviews).toHaveLength(1);
  const blocks = session.read("PROGRESS.txt").matchAll(/^\[Review\] .* - (\w+) \((\w+)\)$/gm);
  const heads = new Set([...blocks].map(([, name, level]) => `${name ?? ""} ${level ?? ""}`));
  expect(heads).toEqual(new Set(["correctness blocking", "style warning", "words suggestion"]));
}, 120_000);

test("with --no-fix findings are only reported: nothing is fixed, and the end names them", async () => {
  await using session = processSession({
    scenario: NOTES,
    reviewers: { style: STYLE.replace("warning", "blocking") },
  });
  const ended = await session.wisp("start", "request.md", "--no-fix");
  expect(ended).toMatchObject({ code: 5 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const [id] = history.reviewer.fold.open;
  expect(history.builder.fold.fixes.size).toBe(0);
  expect(history.builder.fold.done?.reason).toBe(`found, and not to be fixed: ${id ?? ""}`);
  expect(ended.stdout).toContain(id);
  expect(session.read("PROGRESS.txt")).not.toContain("[Review Fix");
}, 120_000);

test("NFR-002: a review that passes costs its own turns and nothing else", async () => {
  await using session = processSession({
    scenario: NOTES.replace('name === "correctness"', "name"),
    reviewers: { style: STYLE, words: WORDS },
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const turns = (role: string) =>
    [...session.read(`logs/${role}.log`).matchAll(/turn\.begin .*purpose=(\S+)/g)].map(
      ([, purpose]) => purpose,
    );
  expect(turns("reviewer").sort()).toEqual([
    "review-commit",
    "review-milestone",
    "review-milestone",
    "review-milestone",
  ]);
  expect(turns("builder")).toEqual(["build"]);
}, 120_000);

test("a reviewer killed with -9 in the midst of several turns finds nothing twice, and leaves nobody", async () => {
  await using session = processSession({
    scenario: NOTES.replace(
      '"review-milestone"(t) {',
      String.raw`async "review-milestone"(t) {
    if (t.reviewers[0] === "words") await t.until(() => t.logHas("go", "go"));`,
    ),
    config: "review: { parallel: 3, floor: warning }\n",
    reviewers: { style: STYLE, words: WORDS },
  });
  const up = session.wisp("start", "request.md");
  const log = () => session.read("logs/reviewer.log");
  await session.until("two answers", () => {
    const begun = log().match(/turn\.begin .*purpose=review-milestone/g) ?? [];
    const ends = log().match(/turn\.end unit=review:One:\S+.* outcome=ended/g) ?? [];
    return begun.length === 3 && ends.length === 2;
  });
  const holder: unknown = JSON.parse(session.read("locks/reviewer.lock.json"));
  process.kill(pidOf(holder), "SIGKILL");
  await session.until("another process", () => (log().match(/role\.start/g) ?? []).length === 2);
  session.write(".wisp/current/logs/go", "go\n");
  expect(await up).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.reviewer.fold.items.size).toBe(2);
  expect(session.read("REVIEWS.md").match(/^OPEN /gm)).toHaveLength(2);
  expect(session.read("PROGRESS.txt").match(/^\[Review\].* - (?:style|words) /gm)).toHaveLength(2);
  expect(log().match(/unit\.recover unit=review:One/g)).toHaveLength(1);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
}, 120_000);

function pidOf(holder: unknown): number {
  if (typeof holder !== "object" || holder === null || !("pid" in holder)) return -1;
  return typeof holder.pid === "number" ? holder.pid : -1;
}

test("a reviewer's file that cannot be used is told at start, with its line; nothing is made", async () => {
  await using session = processSession({
    scenario: NOTES,
    reviewers: { style: "---\nlevel: high\n---\nFind what is plain.\n" },
  });
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.stderr).toContain("style.md:2:8: level: expected one of blocking");
  expect(session.git("branch", "--list", "wisp/*")).toBe("");
}, 60_000);
