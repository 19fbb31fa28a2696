import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { rolePid } from "../rig/role-pid.ts";
import { ONE_TASK } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * Engines without a sandbox: an end that they forge is not believed, and what they do to the repository is reported.
 */

/** Writes an end into every log, removes the leases, and waits while all roles run. */
const FORGES_AN_END = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { appendFileSync, rmSync, writeFileSync } = await import("node:fs");
    if (!t.has(t.home + "/forged")) {
      const head = t.git("rev-parse", "HEAD").trim();
      const done = "2026-11-20T12:00:00.000Z done how=complete head=" + head +
        ' human=0 open=- gaveup=- failed="[]" reason=forged\n';
      const open = "2026-11-20T12:00:00.000Z final.open n=1 at=" + head + "\n";
      const end = "2026-11-20T12:00:00.000Z supervisor.end code=0 reason=forged\n";
      for (const name of ["planner", "reviewer", "tester"])
        appendFileSync(t.home + "/logs/" + name + ".log", done);
      appendFileSync(t.home + "/logs/builder.log", FORGED);
      appendFileSync(t.home + "/logs/supervisor.log", end);
      appendFileSync(t.home + "/logs/builder.done", "complete|1|" + head + "\n");
      // A role that starts meanwhile puts its lock there.
      const all = { recursive: true, force: true, maxRetries: 9 };
      for (const name of TAKEN) rmSync(t.home + "/" + name, all);
      writeFileSync(t.home + "/forged", "");
      await t.until(() => t.has(t.home + "/go"));
    }
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

/** The end alone, and after records that would justify it. */
const FORGED_ENDS = [
  ["an end", "done"],
  [
    "an end with the records that justify it",
    String.raw`"2026-11-20T12:00:00.000Z plan.adopt seq=9 plan=" + "0".repeat(64) + ' request=0 milestones="[]"\n' + open + done`,
  ],
] as const;

/** A scenario that writes this end, and removes the leases and `taken` from the home. */
function forging(forged: string, ...taken: readonly string[]): string {
  const names = JSON.stringify(["locks", ...taken]);
  return FORGES_AN_END.replace("FORGED", forged).replace("TAKEN", names);
}

test.each(FORGED_ENDS)(
  "%s that an engine forges in the logs is ignored, and a viewer sees the real end",
  async (_, forged) => {
    await using session = processSession({ scenario: forging(forged) });
    const viewer = session.wisp("start", "request.md");
    await session.until("the forgery", () => existsSync(join(session.home(), "forged")));
    const status = await session.wisp("status", "--json");
    expect(JSON.parse(status.stdout)).not.toHaveProperty("end");
    writeFileSync(join(session.home(), "go"), "");
    const ended = await viewer;
    expect(ended.stdout).toContain("1 of 1, 1 reviewed and tested");
    expect(ended.stdout).toContain("is complete");
    expect(ended.code).toBe(0);
    const { history, broken } = checkSession(session.home());
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
    expect(session.git("show", "wisp/a-request:hello.txt")).toBe("hello");
  },
);

test("a forged end is ignored even if the engine also removes the plans and session.json", async () => {
  const [, [, forged]] = FORGED_ENDS;
  await using session = processSession({ scenario: forging(forged, "plans", "session.json") });
  const viewer = session.wisp("start", "request.md");
  await session.until("the forgery", () => existsSync(join(session.home(), "forged")));
  writeFileSync(join(session.home(), "go"), "");
  const ended = await viewer;
  expect(ended.stdout).not.toContain("0 of 0");
  // A session without its folders may not complete, but then it does not claim to.
  const { history } = checkSession(session.home());
  const isComplete = lastEndOf(history.builder.fold)?.how === "complete";
  expect([ended.code === 0, ended.stdout.includes("is complete")]).toEqual([
    isComplete,
    isComplete,
  ]);
  expect(session.git("show", "wisp/a-request:hello.txt")).toBe("hello");
});

/** Changes the user's repository, and forges a record of the person's. */
const MEDDLES = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { appendFileSync, realpathSync, rmSync, writeFileSync } = await import("node:fs");
    const { execFileSync } = await import("node:child_process");
    const top = realpathSync(t.home + "/../../..");
    if (!t.has(top + "/meddled")) await meddle();
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
    async function meddle() {
    const git = (...args) => execFileSync("git", args, { cwd: top, encoding: "utf8" });
    git("branch", "--force", "moved", "main");
    git("branch", "--delete", "--force", "gone");
    rmSync(top + "/.git/logs", { recursive: true });
    writeFileSync(top + "/.git/hooks/pre-push", "#!/bin/sh\nexit 0\n");
    git("config", "core.sshCommand", "true");
    git("config", "core.pager", "true");
    git("rm", "--cached", "-q", "request.md");
    git("tag", "meant");
    appendFileSync(t.home + "/logs/human.log",
      "2026-11-20T12:00:00.000Z dismiss id=R-1a2b3c4d why=forged\n");
    writeFileSync(top + "/meddled", "");
    GOES_ON
    }
  },
`;

test.each([
  ["what an engine did to your repository, and said in your name,", false],
  ["the same, done before its role was killed,", true],
])("%s is reported but not undone, and done asks for confirmation", async (_, isKilled) => {
  const goesOn = isKilled ? "await t.until(() => false);" : "";
  await using session = processSession({ scenario: MEDDLES.replace("GOES_ON", goesOn) });
  const { git } = session;
  for (const branch of ["moved", "gone"]) {
    git("switch", "-q", "-c", branch, "main");
    git("commit", "-q", "--allow-empty", "-m", branch);
  }
  git("switch", "-q", "main");
  const [moved, gone] = ["moved", "gone"].map((branch) => git("rev-parse", branch));
  const running = session.wisp("start", "request.md");
  if (isKilled) {
    await session.until("the harm", () => existsSync(join(session.repository, "meddled")));
    process.kill(rolePid(session, "builder") ?? 0, "SIGKILL");
  }
  const ended = await running;
  expect(ended.code).toBe(0);
  const when = "while the builder's turn ran, by its engine or by you";
  for (const told of [
    `said ${when}: dismiss R-1a2b3c4d`,
    `refs/heads/moved was changed ${when} (was ${moved?.slice(0, 10) ?? ""}, kept as refs/wisp/rescue/`,
    `refs/heads/gone was removed ${when} (was ${gone?.slice(0, 10) ?? ""}, kept as refs/wisp/rescue/`,
    `refs/tags/meant was added ${when}`,
    `.git/hooks/pre-push was added ${when}`,
    `.git/config was changed ${when}`,
    `.git/index was changed ${when}`,
    `meddled in your checkout was added ${when}`,
  ]) {
    expect(ended.stdout).toContain(told);
  }
  expect((await session.wisp("status")).stdout).toContain(`.git/config was changed ${when}`);
  expect(git("rev-parse", "moved")).toBe(git("rev-parse", "main"));
  expect(git("branch", "--list", "gone")).toBe("");
  expect(git("config", "core.sshCommand")).toBe("true");
  expect(readFileSync(join(session.repository, ".git/hooks/pre-push"), "utf8")).toContain("exit 0");
  expect(git("status", "--porcelain", "request.md")).toContain("D  request.md");
  const rescued = git("for-each-ref", "--format=%(objectname)", "refs/wisp/rescue/").split("\n");
  expect(rescued).toEqual(expect.arrayContaining([moved, gone]));
  const refused = await session.wisp("done", "--no-push");
  expect(refused.stderr).toContain("dismiss R-1a2b3c4d");
  expect(refused.stderr).toContain("wisp done a-request --yes");
  expect(refused.code).not.toBe(0);
  expect(await session.wisp("done", "--no-push", "--yes")).toMatchObject({ code: 0 });
});

test("without such changes nothing is reported, and done does not ask", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  const ended = await session.wisp("start", "request.md");
  expect(ended.stdout).not.toContain("by its engine or by you");
  expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
});
