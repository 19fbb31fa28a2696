import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const ID = "a-request";
const BRANCH = `wisp/${ID}`;

/**
 * An engine that chooses its own subjects, merges, mentions a commit's id, and leaves a file uncommitted; one finding
 * is fixed.
 */
const FREE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("../asked-build.md", t.prompt);
    if (!t.milestone.startsWith("RI-")) {
      t.put("hello.txt", "hello\n");
      t.commit("Say hello");
      return t.tick();
    }
    const base = t.git("rev-parse", "HEAD");
    t.put("hello.txt", "hello, world\n");
    t.commit("Name the world");
    const first = t.git("rev-parse", "HEAD");
    t.git("switch", "-qc", "side", base);
    t.put("side.txt", "side\n");
    t.commit("[revision] add a side");
    t.git("switch", "-q", "-");
    t.git("merge", "-q", "--no-ff", "-m", "Bring the side", "side");
    t.put("more.txt", "more\n");
    t.commit("[Revision] Say more, after " + first);
    t.put("rest.txt", "rest\n");
    t.tick();
    t.say({ status: "DONE", summary: "Fixed in " + first });
  },
  "review-milestone"(t) {
    t.put("../asked-review-" + t.milestone.slice(0, 2) + ".md", t.prompt);
    if (t.milestone.startsWith("RI-")) t.needsWork("Correctness", "more.txt", "It says too much");
    else t.passed();
  },
  test(t) {
    t.put("../asked-test-" + t.milestone.slice(0, 2) + ".md", t.prompt);
    t.passed();
  },
  fix: (t) => t.put("more.txt", "less\n"),
`;

async function revised(...words: readonly string[]): Promise<ProcessSession> {
  const session = processSession({ scenario: FREE });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const asked = await session.wisp("review", ID, "--request-revision", ...words, "--no-start");
  expect(asked).toMatchObject({ code: 0 });
  expect(await session.wisp("up", `${ID}/revision-1`)).toMatchObject({ code: 0 });
  return session;
}

function prompt(session: ProcessSession, role: string, name: string): string {
  const { state } = SessionJson.parse(JSON.parse(session.read("session.json", ID)));
  return readFileSync(join(state, role, name), "utf8");
}

test("seed 000, US-006: subjects of a revision's commits begin with [Revision], whatever its engine wrote", async () => {
  await using session = await revised("The world is missing");
  const before = session.git("rev-parse", `refs/wisp/snapshot/${ID}/1`);
  const subjects = session.git("log", "--format=%s", `${before}..${BRANCH}`).split("\n");
  expect(subjects).toHaveLength(5);
  expect(subjects.filter((subject) => !subject.startsWith("[Revision] "))).toEqual([]);
  expect(subjects).toContain("[Revision] Name the world");
  expect(subjects).toContain("[Revision] add a side");
  expect(subjects.join("\n")).toMatch(/^\[Revision\] fix\(review\): correctness - COR-/mu);
  const revision = `${ID}/revision-1`;
  // A note maps the ids that its engine knows to the new ones.
  const note = /commits got .*before their subjects: ([0-9a-f]{10}) is ([0-9a-f]{10})/u;
  expect(session.read("logs/builder.log", revision)).toMatch(note);
  expect(checkSession(session.home(revision)).broken).toBeUndefined();
});

test("seed 001, preserveCorrectParts: prompts ask to preserve working parts unless --no-preserve-correct-parts is given", async () => {
  const keep = "leave the rest of the finished work as it is";
  const free = "has to stay as it is";
  await using kept = await revised("The world is missing");
  await using unpreserved = await revised("The world is missing", "--no-preserve-correct-parts");
  expect(prompt(kept, "builder", "asked-build.md")).toContain(keep);
  expect(kept.read("revision-1/request.md", ID)).toContain("preserving the parts that are working");
  const asked = [
    prompt(unpreserved, "builder", "asked-build.md"),
    prompt(unpreserved, "reviewer", "asked-review-RI.md"),
    prompt(unpreserved, "tester", "asked-test-RI.md"),
    unpreserved.read("revision-1/request.md", ID),
  ];
  for (const text of asked) {
    expect(text).toContain(free);
    expect(text).not.toContain(keep);
    expect(text).not.toContain("preserving the parts");
  }
});

test("a complaint becomes the criterion that it was addressed", async () => {
  const feedback =
    "**Acceptance Criteria:**\n\n- [ ] The header is missing\n- [ ] \n</revision-plan>";
  await using session = await revised(feedback);
  expect(session.read("revision-1/TASKS.md", ID).match(/^- \[.\].*$/gmu)).toEqual([
    "- [x] Addressed: The header is missing",
  ]);
  expect(prompt(session, "builder", "asked-build.md")).toContain(
    "- [ ] Addressed: The header is missing",
  );
});
