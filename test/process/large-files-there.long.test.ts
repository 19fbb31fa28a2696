import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentIn, HAS_LFS, pointerTo } from "../git/lfs/lfs-rig.ts";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

const BRANCH = "wisp/a-request";
const ONE = "samples one ".repeat(20_000);
const TWO = "samples two ".repeat(20_000);
/** Nobody touches this one. */
const STILL = "still ".repeat(1_000);

/** Reads files under Git LFS, as tests do. */
const CHECK = `
const { readFileSync } = require("node:fs");
const read = (name) => readFileSync(name, "utf8");
if (read("still.bin") !== ${JSON.stringify(STILL)}) throw new Error("still.bin is " + read("still.bin"));
if (read("data.bin") !== read("word.txt").repeat(20_000)) throw new Error("data.bin is " + read("data.bin").slice(0, 50));
`;

/**
 * The builder changes a file, then reverts that with its own git, then leaves a change uncommitted. Everybody reads it
 * in a clone of their own.
 */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: Two\n\n- [ ] Take two\n\n## Milestone: One\n\n- [ ] Back to one\n\n## Milestone: Left\n\n- [ ] Leave it\n"),
  build(t) {
    const isThere = t.read("data.bin") === t.read("word.txt").repeat(20_000);
    if (!isThere || t.git("status", "--porcelain") !== "") return 1;
    if (t.milestone === "Two") {
      t.put("data.bin", "samples two ".repeat(20_000));
      t.put("word.txt", "samples two ");
      t.commit("Take two");
    } else if (t.milestone === "One") t.git("revert", "--no-edit", t.git("log", "-1", "--format=%H", "--", "data.bin"));
    else t.put("left.txt", "left\n");
    t.tick();
  },
  "review-milestone"(t) {
    if (t.read("data.bin") !== t.read("word.txt").repeat(20_000)) return 1;
    t.print("The content is " + t.read("word.txt"));
    t.allPass();
  },
`;

/** A session whose person has git-lfs, and whose repository has these files under it. */
function withContents(sandbox: string, files: Readonly<Record<string, string>>): ProcessSession {
  const session = processSession({
    scenario: SCENARIO,
    sandbox,
    config: "verify: [[node, check.cjs]]\n",
    files: {
      ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
      "check.cjs": CHECK,
      "word.txt": "samples one ",
    },
  });
  session.git("lfs", "install", "--skip-repo");
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(session.repository, name), text);
  }
  session.git("add", "-A");
  session.git("commit", "-qm", "Add the samples");
  return session;
}

const pointerAt = (session: ProcessSession, at: string) =>
  `${session.git("show", `${at}:data.bin`)}\n`;

describe.skipIf(!HAS_LFS)("content under Git LFS that the base has (needs git-lfs)", () => {
  describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
    test.skipIf(!isThere)(
      "is there for tests, engines and reviewers: as it was, changed, and reverted; and is never left over",
      async () => {
        await using session = withContents(sandbox, { "data.bin": ONE, "still.bin": STILL });
        const started = await session.wisp("start", "request.md");
        expect({ ...started, log: session.read("logs/builder.log") }).toMatchObject({ code: 0 });
        expect(started.stderr).not.toContain("Git LFS");
        const log = session.read("logs/builder.log");
        const base = session.git("rev-parse", "main");
        expect(log).toMatch(new RegExp(` verify\\.result at=${base} .*outcome=passed`, "u"));
        expect(log).not.toContain("outcome=red");
        const changes = session.git("log", "--format=%H", `main..${BRANCH}`, "--", "data.bin");
        const [back = "", two = "", ...more] = changes.split("\n");
        expect(more).toEqual([]);
        expect(pointerAt(session, two)).toBe(pointerTo(TWO).pointer);
        expect(pointerAt(session, back)).toBe(pointerTo(ONE).pointer);
        expect(session.git("log", `main..${BRANCH}`, "--", "still.bin")).toBe("");
        expect(session.git("show", `${BRANCH}:left.txt`)).toBe("left");
        const said = session.read("logs/reviewer.log");
        expect(said.match(/ outcome=passed/gu)?.length).toBeGreaterThanOrEqual(2);
        expect(checkSession(session.home()).broken).toBeUndefined();
        expect(await homeIssues(session.home())).toEqual([]);
      },
    );
  });

  test("is named at the start if the repository lacks it, and nothing else is", async () => {
    const files = { "data.bin": ONE, "still.bin": STILL, "lost.bin": TWO };
    await using session = withContents("none", files);
    // What git finds changed in the checkout, git-lfs would store again.
    rmSync(join(session.repository, "lost.bin"));
    rmSync(contentIn(join(session.repository, ".git", "lfs"), pointerTo(TWO).sha256));
    const started = await session.wisp("start", "request.md");
    expect({ ...started }).toMatchObject({ code: 0 });
    expect(started.stderr).toContain("pointers of Git LFS in place of files: lost.bin.");
    expect(started.stderr).toContain("fetch it here with `git lfs pull`");
    expect(session.git("log", `main..${BRANCH}`, "--", "lost.bin")).toBe("");
  });
});
