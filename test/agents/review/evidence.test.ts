import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commit, put } from "../../rig/in-process-session.ts";
import { buildEnds, buildUntil, DONE, PASSED, plannedSession, tick, verifyBy } from "./rig.ts";

const PLAN = "## Milestone: One\n\n- [ ] Say hello\n";

test("a verify that was red by chance is run again if the next attempt has nothing left to do", async () => {
  const flaky =
    "if (fs.existsSync('hello.txt') && !fs.existsSync(mark('once'))) { fs.writeFileSync(mark('once'), ''); process.exit(1); }";
  using session = plannedSession(PLAN, { verify: verifyBy(flaky) });
  await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) {
        put(request.cwd, "hello.txt", "hello\n");
        commit(request.cwd, "Say hello");
      }
      tick(request, "Say hello");
      return DONE;
    },
    "two ends",
    () => buildEnds(session).length >= 2,
  );
  expect(buildEnds(session)).toMatchObject([{ outcome: "unverified" }, { outcome: "milestone" }]);
});

test("a turn without any commit cannot tick boxes of later milestones", async () => {
  const plan = `${PLAN}\n## Milestone: Two\n\n- [ ] Say thanks\n`;
  using session = plannedSession(plan);
  await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) {
        put(request.cwd, "hello.txt", "hello\n");
        commit(request.cwd, "Say hello");
      } else {
        tick(request, "Say hello", "Say thanks");
      }
      return DONE;
    },
    "two ends",
    () => buildEnds(session).length >= 2,
  );
  const [, second] = buildEnds(session);
  expect(second?.ticks).toEqual([{ m: "One", tasks: [1] }]);
  expect(second?.milestones.map(({ name }) => name)).toEqual(["One"]);
});

test("a milestone that needed no further commit ends at exactly the commit that was verified", async () => {
  // Red until somebody has pushed the missing file.
  using session = plannedSession(PLAN, {
    verify: verifyBy(
      "if (fs.existsSync('hello.txt') && !fs.existsSync('missing.txt')) process.exit(1);",
    ),
  });
  await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) {
        put(request.cwd, "hello.txt", "hello\n");
        commit(request.cwd, "Say hello");
      }
      tick(request, "Say hello");
      return DONE;
    },
    "the first end",
    () => {
      if (buildEnds(session).length === 0) return false;
      const { git, repository } = session.at;
      if (git("log", "--format=%s", "-1", "wisp/demo") === "Say hello") {
        writeFileSync(`${repository}/missing.txt`, "here\n");
        const blob = git("hash-object", "-w", "missing.txt");
        const tree = git("ls-tree", "wisp/demo")
          .split("\n")
          .concat(`100644 blob ${blob}\tmissing.txt`);
        writeFileSync(`${repository}/tree.txt`, `${tree.join("\n")}\n`);
        const made = mktree(session.at.repository);
        const sha = git("commit-tree", made, "-p", "wisp/demo", "-m", "By a person");
        git("update-ref", "refs/heads/wisp/demo", sha);
      }
      return buildEnds(session).some(({ outcome }) => outcome === "milestone");
    },
  );
  const end = buildEnds(session).find(({ outcome }) => outcome === "milestone");
  const verified = session
    .records("builder")
    .flatMap((record) =>
      record.kind === "verify.result" && record.outcome === "passed" ? [record.at] : [],
    );
  expect(verified).toContain(end?.milestones[0]?.end);
});

function mktree(repository: string): string {
  return execFileSync("git", ["mktree"], {
    cwd: repository,
    input: readFileSync(`${repository}/tree.txt`),
    encoding: "utf8",
  }).trim();
}

test("the engine's copy of TASKS.md is made from the journal, even if TASKS.md was changed", async () => {
  const plan = "## Milestone: One\n\n- [ ] Say hello\n- [ ] Say goodbye\n";
  using session = plannedSession(plan);
  await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) {
        writeFileSync(session.at.home.tasks, "## Milestone: One\n\n- [x] Say nothing\n");
        put(request.cwd, "hello.txt", "hello\n");
        tick(request, "Say hello");
        return DONE;
      }
      put(request.cwd, "goodbye.txt", "goodbye\n");
      tick(request, "Say goodbye");
      return DONE;
    },
    "two ends",
    () => buildEnds(session).length >= 2,
  );
  expect(buildEnds(session)).toMatchObject([{ outcome: "partial" }, { outcome: "milestone" }]);
  expect(readFileSync(session.at.home.tasks, "utf8")).toBe(plan.replaceAll("[ ]", "[x]"));
});

test("a milestone that is red after a green HEAD is refused, even if the base was red and accepted", async () => {
  const plan = `${PLAN}\n## Milestone: Two\n\n- [ ] Say thanks\n`;
  // Red at the base, green with hello.txt, red again with thanks.txt; names no test.
  const code = "process.exit(fs.existsSync('hello.txt') && !fs.existsSync('thanks.txt') ? 0 : 1);";
  using session = plannedSession(plan, { verify: verifyBy(code) });
  const builder = session.start("builder", (request) => {
    const name = request.milestone === "One" ? "hello" : "thanks";
    put(request.cwd, `${name}.txt`, String(request.attempt));
    tick(request, "Say hello", ...(name === "thanks" ? ["Say thanks"] : []));
    return DONE;
  });
  const others = (["planner", "reviewer", "tester"] as const).map((role) =>
    session.start(role, () => PASSED),
  );
  const asks = () => session.records("builder").some(({ kind }) => kind === "base.end");
  await session.until("a question about the base", asks);
  const time = new Date().toISOString();
  appendFileSync(session.at.home.humanLog, `${time} answer question=builder-1 text=accept\n`);
  await session.until("an end of Two", () => buildEnds(session).some(({ m }) => m === "Two"));
  for (const role of [builder, ...others]) role.stop();
  await Promise.all([builder, ...others].map(({ ended }) => ended));
  const [one, two] = buildEnds(session);
  expect([one?.outcome, two?.outcome]).toEqual(["milestone", "unverified"]);
});
