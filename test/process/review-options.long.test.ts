import { expect, test } from "vitest";
import type { CassetteStep } from "../../src/engines/replay/cassette-schema.ts";
import { checkSession } from "../rig/check-session.ts";
import {
  CASSETTE,
  cassetteOf,
  needsWork,
  on,
  oneTask,
  PASSED,
  put,
  replaySession,
  waitsFor,
} from "../rig/replay-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const STYLE = "---\nlevel: warning\n---\nFind what is plain.\n";
const WORDS = "---\nlevel: suggestion\n---\nFind wrong words.\n";

const NOT_NICE = { category: "Style", brief: "It is not nice" };
const FROM_STYLE = needsWork({ ...NOT_NICE, file: "style.js" });
const FROM_WORDS = needsWork({ ...NOT_NICE, file: "words.js" });

const BUILT = oneTask(
  "Write both",
  put("style.js", "const plain = 1;\n"),
  put("words.js", "const teh = 1;\n"),
);

/** A turn in which one reviewer alone reviews the milestone. */
function reviewsAlone(name: string, ...steps: readonly CassetteStep[]) {
  return on({ purpose: "review-milestone", prompt: `## ${name} (` }, ...steps);
}

/** One task; each of the session's two reviewers has one finding, which a fix closes. */
const NOTES = [
  ...BUILT,
  reviewsAlone("style", { print: FROM_STYLE }),
  reviewsAlone("words", { print: FROM_WORDS }),
  on({ purpose: "fix", prompt: "   - File: style.js:1" }, put("style.js", "const nice = 1;\n")),
  on({ purpose: "fix", prompt: "   - File: words.js:1" }, put("words.js", "const nice = 1;\n")),
];

/** One turn for all three reviewers. */
const TOGETHER = on(
  { purpose: "review-milestone", prompt: "You are 3 reviewers in turn." },
  { print: `[Review] correctness (blocking)\n\n${PASSED}` },
  { print: `[Review] style (warning)\n\n${FROM_STYLE}` },
  { print: `[Review] words (suggestion)\n\n${FROM_WORDS}` },
);

test("FR-013: with --strict warnings and suggestions are fixed, too, even by roles that are started by hand", async () => {
  await using session = replaySession({
    turns: [TOGETHER, ...NOTES],
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
  expect(heads).toEqual(
    new Set(["correctness blocking", "style warning", "words suggestion", "tester blocking"]),
  );
});

test("with --no-fix findings are not fixed, and the end names them", async () => {
  await using session = replaySession({
    turns: NOTES,
    reviewers: { style: STYLE.replace("warning", "blocking") },
  });
  const ended = await session.wisp("start", "request.md", "--no-fix");
  expect(ended).toMatchObject({ code: 5 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const [id] = history.reviewer.fold.open;
  expect(history.builder.fold.fixes.size).toBe(0);
  expect(lastEndOf(history.builder.fold)?.reason).toContain(
    `With --no-fix 1 finding is left to you: ${id ?? ""}.`,
  );
  expect(ended.stdout).toContain(id);
  expect(session.read("PROGRESS.txt")).not.toContain("[Review Fix");
});

test("NFR-002: a review that passes adds no turns beyond its own", async () => {
  await using session = replaySession({
    turns: BUILT,
    reviewers: { style: STYLE, words: WORDS },
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const turns = (role: string) =>
    [...session.read(`logs/${role}.log`).matchAll(/turn\.begin .*purpose=(\S+)/g)].map(
      ([, purpose]) => purpose,
    );
  // The review of the milestone covers its commit, and all three reviewers share it, because the change is small.
  expect(turns("reviewer")).toEqual(["review-milestone"]);
  expect(turns("builder")).toEqual(["build"]);
});

/** `style` has the finding at the commit already, and words it differently at the milestone. */
function repeating(brief: string) {
  const again = needsWork({ ...NOT_NICE, brief, file: "style.js" });
  return [
    ...BUILT,
    on({ purpose: "review-commit", prompt: "## style (" }, { print: FROM_STYLE }),
    reviewsAlone("style", { print: again }),
    reviewsAlone("words", waitsFor("logs/go"), { print: FROM_WORDS }),
  ];
}

test("a reviewer that is killed during parallel turns reports no finding twice, and leaves no process behind", async () => {
  await using session = replaySession({
    turns: repeating("It could be nicer"),
    config: "review: { batch: 1, perCommit: 0, parallel: 3 }\n",
    reviewers: { style: STYLE.replace("---\nF", "when: both\n---\nF"), words: WORDS },
  });
  const up = session.wisp("start", "request.md");
  const log = () => session.read("logs/reviewer.log");
  await session.until("two answers", () => {
    const begun = log().match(/turn\.begin .*purpose=review-milestone/g) ?? [];
    const ends = log().match(/turn\.end unit=review:One:\S+.* outcome=ended/g) ?? [];
    return begun.length === 3 && ends.length === 2;
  });
  session.write(CASSETTE, cassetteOf(repeating("It is still not nice")));
  const holder: unknown = JSON.parse(session.read("locks/reviewer.lock.json"));
  process.kill(pidOf(holder), "SIGKILL");
  await session.until("another process", () => (log().match(/role\.start/g) ?? []).length === 2);
  session.write(".wisp/current/logs/go", "go\n");
  expect(await up).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.reviewer.fold.items.size).toBe(2);
  expect(session.read("REVIEWS.md").match(/^OPEN /gm)).toHaveLength(2);
  // One block of the commit, one of the milestone, and none of the turn that was killed.
  const progress = session.read("PROGRESS.txt");
  expect(progress.match(/^\[Review\].* - style /gm)).toHaveLength(2);
  expect(progress.match(/^\[Review\].* - words /gm)).toHaveLength(1);
  expect(progress).toContain("It is still not nice");
  expect(progress).not.toContain("It could be nicer");
  expect(log().match(/unit\.recover unit=review:One/g)).toHaveLength(1);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
});

function pidOf(holder: unknown): number {
  if (typeof holder !== "object" || holder === null || !("pid" in holder)) return -1;
  return typeof holder.pid === "number" ? holder.pid : -1;
}

test("start names the line of an invalid reviewer's file, and creates nothing", async () => {
  await using session = replaySession({
    turns: NOTES,
    reviewers: { style: "---\nlevel: high\n---\nFind what is plain.\n" },
  });
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.stderr).toContain("style.md:2:8: level: expected one of blocking");
  expect(session.git("branch", "--list", "wisp/*")).toBe("");
});
