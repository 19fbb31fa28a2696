import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import {
  atWork,
  BUILDS,
  idle,
  IS_SEEN_TO,
  PLAN,
  seesTo,
  started,
  walk,
} from "../rig/walk-session.ts";

/*
 * Like `every-state.long.test.ts`, for influences from outside: remotes, engines, time.
 */

const ID = "a-request";
const BRANCH = `wisp/${ID}`;

/** While the second of two milestones is built, the shell script beside the repository is run. */
const TWO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  async build(t) {
    if (t.milestone === "One") t.put("hello.txt", "hello\n");
    else {
      const { execFileSync } = await import("node:child_process");
      execFileSync("sh", [process.env.HOME + "/../meanwhile.sh"]);
      t.put("thanks.txt", "thanks\n");
    }
    t.commit(t.milestone);
    t.tick();
  },
`;

/** A colleague clones the remote, commits a file that conflicts with what is built, and pushes. */
const pushes = (root: string) => `set -e
exec >/dev/null 2>&1
cd '${root}'
git clone -q --branch ${BRANCH} remote.git theirs
cd theirs
echo theirs > thanks.txt
git add -A
git -c user.name=Grace -c user.email=grace@example.invalid commit -qm theirs
git push -q origin ${BRANCH}
`;

async function moved(): Promise<ProcessSession> {
  const config = "publish: { remote: origin, at: boundary }\n";
  const session = processSession({ scenario: TWO, config });
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  writeFileSync(join(session.root, "meanwhile.sh"), pushes(session.root));
  await session.wisp("start", "request.md", "--yes");
  await idle(session);
  return session;
}

const Refused = z.object({ error: z.object({ next: z.array(z.string()) }) });

const ASKS = [
  "NEEDS_INPUT (asks)",
  `wisp answer ${ID} builder-1 "<your answer>"`,
  "DONE (complete)",
];

test("a session whose remote conflicts asks a person, and continues without the remote if told to", async () => {
  await using session = await moved();
  expect(await walk(session, { words: { "<your answer>": "leave" } })).toEqual(ASKS);
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain("origin is left alone, as you asked");
  const done = await session.wisp("done", ID, "--yes", "--no-pr", "--json");
  expect(done.code).toBe(1);
  const { error } = Refused.parse(JSON.parse(done.stdout));
  const [pull = "", ...rest] = error.next;
  expect(pull).toContain(`git pull --no-rebase origin ${BRANCH}`);
  const again = `wisp done ${ID}`;
  expect(rest).toEqual([`wisp resume ${ID}`, again, `${again} --no-push`]);
  mergeTheirs(session);
  expect(await walk(session)).toEqual(["DONE (complete)", rest[0], "DONE (complete)"]);
  expect(await session.wisp("done", ID, "--yes", "--no-pr")).toMatchObject({ code: 0 });
  expect(await walk(session)).toEqual(["TEARDOWN (taken)"]);
});

/** The person resolves the conflict that git reports after a pull. */
function mergeTheirs(session: ProcessSession): void {
  session.git("switch", "-q", BRANCH);
  expect(() => session.git("pull", "-q", "--no-rebase", "origin", BRANCH)).toThrow();
  session.write("thanks.txt", "theirs\nthanks\n");
  session.git("commit", "-qam", "Merge theirs");
  session.git("switch", "-q", "-");
}

test("a session whose planner wrote no valid plan continues after a resume", async () => {
  await using session = await started(
    `plan(t) { t.plan(${IS_SEEN_TO} ? "## Milestone: One\\n\\n- [ ] Say hello\\n" : "Let us begin.\\n"); }, build(t) { ${BUILDS} },`,
    { config: "attempts: { unit: 1 }\n" },
  );
  expect(await walk(session, { seesTo })).toEqual([
    "BLOCKED (stuck)",
    `wisp resume ${ID}`,
    "DONE (complete)",
  ]);
});

test("a stopped session whose clones were released continues", async () => {
  await using session = await atWork("revisions: { hibernate: 1ms }\n");
  const stopping = session.wisp("stop");
  await session.until("the stop", () => session.read("logs/human.log").includes(" stop"));
  seesTo(session);
  expect(await stopping).toMatchObject({ code: 0 });
  await idle(session);
  await session.wisp("status");
  expect((await session.wisp("status", "--json")).stdout).toContain('"clones": "hibernated"');
  expect(await walk(session)).toEqual(["STOPPED (stopped)", `wisp up ${ID}`, "DONE (complete)"]);
});

/** A colleague's commit on the branch while the final pass runs: it makes verify red. */
const BREAKS = String.raw`
  "final-test"(t) {
    const hub = process.env.HOME + "/../repository";
    const branch = "refs/heads/wisp/a-request";
    const files = t.git("-C", hub, "ls-tree", "-r", "--name-only", branch).split("\n");
    if (!files.includes("broken") && !t.has(process.env.HOME + "/broke")) {
      t.put(process.env.HOME + "/broke", "");
      t.put("broken", "");
      t.git("add", "broken");
      const theirs = t.git("commit-tree", t.git("write-tree"), "-p", t.git("-C", hub, "rev-parse", branch), "-m", "Theirs");
      t.git("rm", "-qf", "broken");
      t.git("-C", hub, "fetch", "-q", process.cwd(), theirs);
      t.git("-C", hub, "update-ref", branch, theirs);
    }
    t.passed();
  },
`;

test("a session whose last commit fails verify is complete only after that is fixed", async () => {
  await using session = await started(
    `${PLAN} build(t) { ${BUILDS} }, ${BREAKS}
    fix(t) { if (${IS_SEEN_TO}) t.git("rm", "-q", "broken"); else t.put("tried-" + t.attempt + ".txt", "in vain\\n"); },`,
    { config: 'verify: [["test", "!", "-e", "broken"]]\nattempts: { fix: 1 }\n' },
  );
  const { stdout } = await session.wisp("status");
  expect(stdout).toMatch(/BUG-\w+.*verify/u);
  expect(await walk(session, { seesTo })).toEqual([
    "BLOCKED (stuck)",
    `wisp resume ${ID}`,
    "DONE (complete)",
  ]);
  expect(session.read("logs/tester.log")).toMatch(/ final\.end .*verify=red/u);
});

test("a session whose engine is not logged in waits for a person, uses no attempt, and continues after a resume", async () => {
  const says = 'console.error("Not logged in. Run: agent login"); return 1;';
  await using session = await started(
    `${PLAN} build(t) { if (!${IS_SEEN_TO}) { ${says} } ${BUILDS} },`,
    { config: "attempts: { build: 1, unit: 1 }\n" },
  );
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain("has no valid login: Not logged in. Run: agent login");
  expect(await walk(session, { seesTo })).toEqual([
    "BLOCKED (held)",
    `wisp up ${ID}`,
    "DONE (complete)",
  ]);
  expect(session.read("logs/builder.log")).not.toContain("attempt=2");
});
