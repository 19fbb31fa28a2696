import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const ID = "a-request";
const BRANCH = `wisp/${ID}`;
const PLAN =
  "### RI-001: Say it louder\n\n**Description:** It says too little; make it say more.\n\n" +
  "**Acceptance Criteria:**\n\n- [ ] It is loud\n";

/** A session whose revision says hello once more. */
const SCENARIO = `
  plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"),
  build(t) {
    const isItem = t.milestone.startsWith("RI-");
    t.put("hello.txt", (isItem ? t.read("hello.txt") : "") + "hello\\n");
    t.commit(isItem ? "[Revision] Say it again" : "Say hello");
    t.tick();
  },
  revise(t) {
    t.print("<revision-plan>\\n" + ${JSON.stringify(PLAN)} + "</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },
`;

/** Adds a person's commit to the session's branch, which is checked out nowhere. */
function commitByHand(session: ProcessSession, file: string): string {
  const place = join(session.root, `by-hand-${file}`);
  session.git("worktree", "add", "-q", place, BRANCH);
  session.git("-C", place, "config", "user.name", "Ada");
  session.write(`../by-hand-${file}/${file}`, "by hand\n");
  session.git("-C", place, "add", file);
  session.git("-C", place, "commit", "-qm", `Write ${file} by hand`);
  session.git("worktree", "remove", "--force", place);
  return session.git("rev-parse", BRANCH);
}

/** The commits that the reviewers of these sessions have reviewed, according to their checkpoints. */
function reviewed(session: ProcessSession, ...ids: readonly string[]): readonly string[] {
  return ids.flatMap((id) => {
    const { base } = SessionJson.parse(JSON.parse(session.read("session.json", id)));
    const checkpoints = session.read("logs/reviewer.checkpoint", id).trim().split("\n");
    const last = (checkpoints.at(-1) ?? "").match(/[0-9a-f]{40}/u)?.[0] ?? base;
    return session.git("rev-list", `${base}..${last}`).split("\n");
  });
}

async function statusOf(session: ProcessSession, id: string): Promise<unknown> {
  return JSON.parse((await session.wisp("status", id, "--json")).stdout);
}

test.each([
  ["wisp revise", ["revise", ID, "--problem", "It is too quiet", "--yes"]],
  ["wisp review", ["review", ID, "--request-revision", "It is too quiet", "--no-start"]],
])(
  "a revision by `%s` reviews a person's commit that was added after the end, and the session can be shipped",
  async (_, words) => {
    await using session = processSession({ scenario: SCENARIO });
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    const end = session.git("rev-parse", BRANCH);
    const own = commitByHand(session, "own.txt");
    expect(await statusOf(session, ID)).toMatchObject({
      laterCommits: 1,
      next: [`wisp resume ${ID}`],
    });

    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
    const revision = `${ID}/revision-1`;
    expect(await session.wisp("up", revision)).toMatchObject({ code: 0 });
    const { base, parent } = SessionJson.parse(JSON.parse(session.read("session.json", revision)));
    expect({ base, began: parent?.began }).toEqual({ base: end, began: own });
    expect(session.git("rev-parse", `refs/wisp/snapshot/${ID}/1`)).toBe(own);
    expect(reviewed(session, revision)).toContain(own);
    expect(checkSession(session.home(revision)).broken).toBeUndefined();
    expect(await statusOf(session, ID)).toMatchObject({
      laterCommits: 0,
      reviewed: { commits: 3, of: 3 },
    });
    expect(await session.wisp("review", "--approve")).toMatchObject({ code: 0 });
    expect(await session.wisp("done", ID, "--no-push")).toMatchObject({ code: 0 });
  },
);

test("a person's commits after a revision must be reviewed before approval and done, as `status`, `review`, `done` and `list` agree", async () => {
  await using session = processSession({ scenario: SCENARIO });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const request = ["review", ID, "--request-revision", "It is too quiet", "--no-start"];
  expect(await session.wisp(...request)).toMatchObject({ code: 0 });
  const revision = `${ID}/revision-1`;
  expect(await session.wisp("up", revision)).toMatchObject({ code: 0 });
  const end = session.git("rev-parse", BRANCH);
  const own = commitByHand(session, "own.txt");
  const says = `1 commit after ${end.slice(0, 10)} is not reviewed`;
  for (const words of [["--approve"], ["--approve", "--dry-run"]]) {
    const refused = await session.wisp("review", ...words);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain(says);
    expect(refused.stderr).toContain(`\n  wisp resume ${revision}`);
  }
  expect(session.read("logs/human.log", ID)).not.toContain(" approve");
  const looked = await session.wisp("review", "--stat");
  expect(looked.stdout).toContain(says);
  expect(looked.stdout).not.toContain("--approve");
  expect(/next: (.*)/u.exec(looked.stdout)?.[1]).toBe(`wisp resume ${revision}`);
  const shown = await session.wisp("status", revision);
  expect(shown.stdout).toContain(`up to ${end.slice(0, 10)} every milestone is built`);
  expect(shown.stdout).toContain(`${says}: wisp resume ${revision}`);
  expect((await session.wisp("list")).stdout).toContain("1 commit not reviewed");
  for (const id of [ID, revision]) {
    expect(await statusOf(session, id)).toMatchObject({
      laterCommits: 1,
      next: [`wisp resume ${revision}`],
    });
  }
  const early = await session.wisp("done", ID, "--no-push");
  expect(early.code).toBe(5);
  expect(early.stderr).toContain(`${says}.`);
  expect(early.stderr).toContain(`wisp resume ${revision}`);
  // Whichever session is named, the one that reviews the commits is resumed.
  const resumed = await session.wisp("resume", ID);
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.stderr).toContain(revision);
  expect(reviewed(session, revision)).toContain(own);
  expect(await session.wisp("review", "--approve")).toMatchObject({ code: 0 });
  expect(await session.wisp("done", ID, "--no-push")).toMatchObject({ code: 0 });
});

test("a person's commit is reviewed before the session is shipped, even if the revision that would have reviewed it was abandoned", async () => {
  await using session = processSession({ scenario: SCENARIO });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const own = commitByHand(session, "own.txt");
  const request = ["review", ID, "--request-revision", "It is too quiet", "--no-start"];
  expect(await session.wisp(...request)).toMatchObject({ code: 0 });
  const revision = `${ID}/revision-1`;
  expect(await session.wisp("abandon", revision, "--yes")).toMatchObject({ code: 0 });
  const given = await session.wisp("status", ID);
  expect(given.stdout).toContain(`wisp resume ${ID}`);
  expect(await session.wisp("resume", ID)).toMatchObject({ code: 0 });
  expect(reviewed(session, ID)).toContain(own);
  expect(await session.wisp("done", ID, "--no-push")).toMatchObject({ code: 0 });
  expect(readFileSync(join(session.home(ID), "logs", "reviewer.log"), "utf8")).toContain(own);
});
