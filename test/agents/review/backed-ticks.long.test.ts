import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnRequest } from "../../../src/engines/engine.ts";
import { commit, commitNothing, put } from "../../rig/in-process-session.ts";
import {
  buildEnds,
  buildUntil,
  DONE,
  PASSED,
  plannedSession,
  tick,
  type PlannedSession,
} from "./rig.ts";

/** Ticked boxes with real git: what a builder claims, and what the trees confirm. */

const ONE = "## Milestone: One\n\n- [ ] Say hello\n";
const BOTH = `${ONE}\n## Milestone: Two\n\n- [ ] Say thanks\n`;

/** Runs the builder until this many attempts have ended; its turns run `act`. */
async function built(
  session: PlannedSession,
  ends: number,
  act: (request: TurnRequest) => void,
): Promise<ReturnType<typeof buildEnds>> {
  const script = (request: TurnRequest) => {
    act(request);
    return DONE;
  };
  const what = `${String(ends)} ends`;
  await buildUntil(session, script, what, () => buildEnds(session).length >= ends);
  return buildEnds(session).slice(0, ends);
}

/** Runs all roles to the session's end: exactly `complete` or `stuck`. */
async function ending(
  session: PlannedSession,
  act: (request: TurnRequest) => void,
): Promise<string | undefined> {
  await session.at.runAll((request) => {
    if (request.purpose !== "build") return PASSED;
    act(request);
    return DONE;
  });
  return session.records("builder").find((record) => record.kind === "done")?.how;
}

const notes = (session: PlannedSession) =>
  session.records("builder").flatMap((record) => (record.kind === "note" ? [record.text] : []));

test("empty commits do not back ticks: the session ends stuck with the reason, and publishes none of them", async () => {
  using session = plannedSession(BOTH);
  const how = await ending(session, (request) => {
    commitNothing(request.cwd, "Say hello");
    commitNothing(request.cwd, "Say thanks");
    tick(request, "Say hello", "Say thanks");
  });
  const [first] = buildEnds(session);
  expect(first).toMatchObject({ outcome: "noprogress", ticks: [], commits: [], milestones: [] });
  expect(first?.reason).toContain("refused claim: 2 task(s) ticked");
  expect(first?.reason).toContain("no file differs from what it was");
  expect(session.at.git("rev-list", "--count", "main..wisp/demo")).toBe("0");
  expect(session.at.git("for-each-ref", "refs/wisp/rescue")).not.toBe("");
  expect(how).toBe("stuck");
  expect(readFileSync(session.at.home.builderDone, "utf8")).toContain("refused claim");
});

test("a change that is reverted in the same turn backs no tick", async () => {
  using session = plannedSession(ONE);
  const [first] = await built(session, 1, (request) => {
    put(request.cwd, "hello.txt", "hello\n");
    commit(request.cwd, "Say hello");
    rmSync(join(request.cwd, "hello.txt"));
    commit(request.cwd, "Take it back");
    tick(request, "Say hello");
  });
  expect(first).toMatchObject({ outcome: "noprogress", ticks: [], commits: [] });
});

test("an attempt that reverts an earlier change backs none of its own ticks, and the revert stays", async () => {
  using session = plannedSession(ONE);
  const ends = await built(session, 2, (request) => {
    if (request.attempt > 2) return;
    if (request.attempt === 1) put(request.cwd, "hello.txt", "hello\n");
    else rmSync(join(request.cwd, "hello.txt"));
    commit(request.cwd, `Attempt ${String(request.attempt)}`);
    if (request.attempt === 2) tick(request, "Say hello");
  });
  expect(ends).toMatchObject([{ outcome: "noprogress" }, { outcome: "noprogress", ticks: [] }]);
  expect(ends[1]?.reason).toContain("refused claim");
  expect(session.at.git("diff", "--stat", "main", "wisp/demo")).toBe("");
});

test("an empty commit does not back ticks of the next turn", async () => {
  using session = plannedSession(ONE);
  const ends = await built(session, 2, (request) => {
    if (request.attempt === 1) commitNothing(request.cwd, "Say hello");
    else tick(request, "Say hello");
  });
  expect(ends).toMatchObject([
    { outcome: "noprogress", commits: [] },
    { outcome: "noprogress", ticks: [], milestones: [] },
  ]);
  expect(ends[0]?.reason).toContain("the commits change no file");
});

test("an empty commit after a real one does no harm", async () => {
  using session = plannedSession(ONE);
  const [first] = await built(session, 1, (request) => {
    put(request.cwd, "hello.txt", "hello\n");
    commit(request.cwd, "Say hello");
    commitNothing(request.cwd, "Mark the milestone");
    tick(request, "Say hello");
  });
  expect(first).toMatchObject({ outcome: "milestone", ticks: [{ m: "One", tasks: [1] }] });
  expect(first?.commits).toHaveLength(2);
});

test("a milestone that was built with an earlier one counts when its own turn ticks it, with a note", async () => {
  using session = plannedSession(BOTH);
  const how = await ending(session, (request) => {
    if (request.milestone === "One") {
      put(request.cwd, "hello.txt", "hello\n");
      put(request.cwd, "thanks.txt", "thanks\n");
      commit(request.cwd, "Say hello and thanks");
    }
    tick(request, request.milestone === "One" ? "Say hello" : "Say thanks");
  });
  expect(buildEnds(session)).toMatchObject([
    { m: "One", outcome: "milestone" },
    { m: "Two", outcome: "milestone", commits: [] },
  ]);
  expect(notes(session).join("\n")).toContain(`"Two" was ticked without a change of its own`);
  expect(how).toBe("complete");
});

test("tests that the tester committed meanwhile do not back the ticks of a builder that commits nothing", async () => {
  using session = plannedSession(ONE);
  const { git } = session.at;
  const ends = await built(session, 2, (request) => {
    if (request.attempt === 1) {
      const blob = git("hash-object", "-w", "README.md");
      git("update-index", "--add", "--cacheinfo", `100644,${blob},test/new.test.js`);
      const sha = git("commit-tree", git("write-tree"), "-p", "wisp/demo", "-m", "By a tester");
      git("update-ref", "refs/heads/wisp/demo", sha);
    }
    commitNothing(request.cwd, "Say hello");
    tick(request, "Say hello");
  });
  expect(ends).toMatchObject([
    { outcome: "noprogress", ticks: [] },
    { outcome: "noprogress", ticks: [] },
  ]);
});
