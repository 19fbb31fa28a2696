import { appendFileSync, existsSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { releaseIdle } from "../../src/actions/up/hibernate.ts";
import { readSession } from "../../src/workspace/sessions.ts";
import { runIdOf } from "../../src/work/role-context.ts";
import { RUN_ID_VARIABLE } from "../../src/base/ports/processes.ts";
import { HIBERNATE_MS } from "../../src/base/limits.ts";
import { homeAt, leasePath, roleLog } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const ID = "a-request";
const BRANCH = `wisp/${ID}`;

/** Each revision says hello once more. */
const SAYS_MORE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    const isRevision = t.milestone === "RI-001: Address the feedback";
    t.put("hello.txt", (isRevision ? t.read("hello.txt") : "") + "hello\n");
    t.commit(isRevision ? "[Revision] Say it again" : "Say hello");
    t.tick();
  },
`;

const head = (session: ProcessSession) => session.git("rev-parse", BRANCH);

async function complete(scenario: string): Promise<ProcessSession> {
  const session = processSession({ scenario });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return session;
}

test("seed 001, phases 2 and 3: three rounds of revisions keep their history, and the fourth is refused", async () => {
  await using session = await complete(SAYS_MORE);
  const first = head(session);
  const looked = await session.wisp("review");
  expect(looked.stdout).toContain(`diffId ${ID}@${first}`);
  expect(looked.stdout).toContain("+hello");
  // Phase 4: the first suggestion is to request a revision.
  expect(/next: (.*)/u.exec(looked.stdout)?.[1]).toContain("--request-revision");

  for (const round of [1, 2, 3]) {
    const place = `hello.txt:${String(round)}`;
    const feedback = `- Say it ${String(round)} times more\n- and mean it`;
    const words = ["--request-revision", feedback, "--comment", place, "too short"];
    const bad = await session.wisp("review", ID, ...words.with(3, "hello.txt:99"));
    expect(bad).toMatchObject({ code: 2 });
    const asked = await session.wisp("review", ID, ...words, "--no-start", "--context", "Be kind");
    expect(asked).toMatchObject({ code: 0 });
    const revision = `${ID}/revision-${String(round)}`;
    // The work can be neither approved nor rejected while it is revised.
    const early = await session.wisp("review", "--approve");
    expect(early.code).toBe(1);
    expect(early.stderr).toContain("REVISION_REQUESTED");
    expect(await session.wisp("up", revision)).toMatchObject({ code: 0 });
    expect(session.git("rev-parse", `refs/wisp/snapshot/${ID}/${String(round)}`)).not.toBe("");
  }
  const stale = await session.wisp("review", "--approve", "--diff-id", `${ID}@${first}`);
  expect(stale.code).toBe(2);
  expect(stale.stderr).toContain(head(session));
  const fourth = await session.wisp("review", ID, "--request-revision", "Once more");
  expect(fourth.code).toBe(1);
  expect(fourth.stderr).toContain("wisp revise");
  const view: unknown = JSON.parse((await session.wisp("review", "--json")).stdout);
  expect(view).toMatchObject({
    state: "PENDING_REVIEW",
    diffId: `${ID}@${head(session)}`,
    requested: { used: 3, max: 3 },
    files: [{ path: "hello.txt", added: 4, removed: 0 }],
    revisions: [1, 2, 3].map((revision) => ({
      revision,
      how: "requested",
      state: "complete",
      commits: 1,
      asked: [
        `- Say it ${String(revision)} times more\n- and mean it`,
        `hello.txt:${String(revision)}: too short`,
      ],
      files: [{ path: "hello.txt", added: 1, removed: 0 }],
    })),
  });
  // The seed's slots, and a plan that no engine wrote.
  const request = session.read("revision-2/request.md", ID);
  expect(request).toContain("You previously worked on: A request");
  expect(request).toContain("preserving the parts that are working");
  expect(request).toContain("  - `hello.txt`");
  expect(request).toContain("> Be kind");
  expect(session.read("revision-2/TASKS.md", ID)).toContain(
    "- [x] Addressed: hello.txt:2: too short",
  );
  checkSession(session.home(`${ID}/revision-3`));
  expect(await session.wisp("review", "--approve")).toMatchObject({ code: 0 });
  expect((await session.wisp("status", ID, "--json")).stdout).toContain('"stage": "approved"');
});

test("exactly one of a concurrent approval and rejection succeeds, and a rejection keeps every commit", async () => {
  await using session = await complete(ONE_TASK);
  const at = head(session);
  const id = `${ID}@${at}`;
  const asked = await session.wisp("review", "--reject");
  expect(asked.code).toBe(4);
  expect(asked.stderr).toContain("--reject --yes");
  // An engine of the session may not speak for the person.
  session.env[RUN_ID_VARIABLE] = runIdOf(homeAt(realpathSync(session.home(ID))), "builder");
  for (const word of [["--approve"], ["--reject", "--yes"], ["--request-revision", "More"]]) {
    expect(await session.wisp("review", ID, ...word)).toMatchObject({ code: 1 });
  }
  session.env[RUN_ID_VARIABLE] = undefined;
  expect(session.read("logs/human.log", ID)).toBe("");
  const words = [
    ["review", "--approve", "--diff-id", id],
    ["review", "--reject", "--yes", "--diff-id", id],
  ];
  const [approved, rejected] = await Promise.all(words.map((word) => session.wisp(...word)));
  const codes = [approved?.code, rejected?.code];
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  expect(session.read("logs/human.log", ID).match(/ (?:approve|reject) /gu)).toHaveLength(1);
  const lost = approved?.code === 0 ? rejected : approved;
  expect(lost?.stderr).toMatch(/cannot be approved|(?:was|be) rejected/u);
  if (approved?.code === 0) {
    // An approval counts for its commit only: with another on top, the work can be rejected.
    const more = session.git("commit-tree", `${at}^{tree}`, "-p", at, "-m", "More");
    session.git("update-ref", `refs/heads/${BRANCH}`, more);
  }
  expect(await session.wisp("review", ID, "--reject", "--yes")).toMatchObject({ code: 0 });
  // Rejected either by the command that won, or just now.
  const isKept = session.git("merge-base", at, `refs/wisp/rescue/${ID}/abandoned`);
  expect(isKept).toBe(at);
  expect(session.git("branch", "--list", BRANCH)).toBe("");
  const { state } = SessionJson.parse(JSON.parse(session.read("session.json", ID)));
  expect(existsSync(join(state, "builder", "clone"))).toBe(false);
});

test("seed 001, phase 1: clones of an idle session are removed after saving what only they hold, and recreated for a revision", async () => {
  await using session = await complete(SAYS_MORE);
  const host = createHost({ onWatchDegraded: () => undefined });
  const found = readSession(host.files, homeAt(join(session.repository, ".wisp/sessions", ID)));
  if (!found.ok) throw new Error(found.failure.kind);
  const builder = join(found.value.session.state, "builder", "clone");
  const env = ownEnvironment({ HOME: session.root });
  const said: string[] = [];
  const tell = (text: string) => void said.push(text);
  const after = (ms: number) => {
    const clock = { ...host.clock, nowMs: () => host.clock.nowMs() + ms };
    const program = { code: "c0de", nodeVersion: process.version };
    return releaseIdle({ host: { ...host, clock }, env, tell, program }, [found.value]);
  };
  writeFileSync(join(builder, "left.txt"), "left\n");
  expect(await after(HIBERNATE_MS / 2)).toEqual([]);
  const lease = await host.locks.takeLease(leasePath(found.value.home, "tester"));
  expect(await after(2 * HIBERNATE_MS)).toEqual([]);
  expect(existsSync(builder)).toBe(true);
  if (lease.ok) await lease.value.release();
  expect((await session.wisp("status", "--json")).stdout).toContain('"clones": "active"');

  expect(await after(2 * HIBERNATE_MS)).toEqual([ID]);
  expect(existsSync(builder)).toBe(false);
  const [ref = ""] = session
    .git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue")
    .split("\n");
  expect(session.git("show", `${ref}:left.txt`)).toBe("left");
  expect(said).toEqual([expect.stringContaining(`work that was on no branch is kept as ${ref}`)]);
  expect((await session.wisp("status", "--json")).stdout).toContain('"clones": "hibernated"');
  expect((await session.wisp("list")).stdout).toContain("hibernated");
  expect(await after(2 * HIBERNATE_MS)).toEqual([]);

  // The newest turn, as of an engine that reports its conversation's id.
  const turn = "unit=build:One:2 output=told";
  const at = new Date().toISOString();
  appendFileSync(
    roleLog(found.value.home, "builder"),
    `${at} turn.begin ${turn} purpose=build attempt=2 engine=command m=One\n` +
      `${at} turn.end ${turn} outcome=ended session=conversation-1\n`,
  );
  const words = ["--request-revision", "Say it again", "--no-start"];
  expect(await session.wisp("review", ID, ...words)).toMatchObject({ code: 0 });
  expect(await session.wisp("up", `${ID}/revision-1`)).toMatchObject({ code: 0 });
  expect(session.read("revision-1/logs/builder.log", ID)).toContain("resume=conversation-1");
  expect(existsSync(builder)).toBe(true);
  expect(session.git("show", `${BRANCH}:hello.txt`)).toBe("hello\nhello");
  expect(await session.wisp("review", "--reject", "--yes")).toMatchObject({ code: 0 });
  expect((await session.wisp("status", ID, "--json")).stdout).toContain('"clones": "terminated"');
});
