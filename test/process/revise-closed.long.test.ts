import { expect, test } from "vitest";
import { connect, diffIdOf } from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const ID = "a-request";
const BRANCH = `wisp/${ID}`;
const SAYS_MORE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", (t.has("hello.txt") ? t.read("hello.txt") : "") + "hello\n");
    t.commit("Say hello");
    t.tick();
  },
  revise: (t) => t.print("<revision-plan>\n### RI-001: Louder\n\n**Description:** Louder.\n\n**Acceptance Criteria:**\n\n- [ ] It is louder\n</revision-plan>"),
`;

async function complete(): Promise<ProcessSession> {
  const session = processSession({ scenario: SAYS_MORE, config: "replan: never\n" });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return session;
}

test("a shipped session can be revised by command or by MCP, and shipped again", async () => {
  await using session = await complete();
  const ship = () => session.wisp("done", ID, "--no-push", "--yes");
  expect(await ship()).toMatchObject({ code: 0 });
  const goesOn = await session.wisp("up", ID);
  expect(goesOn).toMatchObject({ code: 1 });
  expect(goesOn.stderr).toContain("its work was shipped, and it cannot continue");
  expect(goesOn.stderr).toContain(`  wisp revise ${ID}\n`);

  expect(await session.wisp("revise", ID, "--problem", "x", "--yes")).toMatchObject({ code: 0 });
  const revisedSince = await session.wisp("status", ID);
  expect(revisedSince.stdout).toContain("it was revised since: wisp done ships that, too");
  expect(revisedSince.stdout).toMatch(/next: wisp done a-request$/mu);
  expect(await ship()).toMatchObject({ code: 0 });
  expect((await session.wisp("status", ID)).stdout).toMatch(/next: git merge wisp\/a-request$/mu);
  const asked = ["review", ID, "--request-revision", "Say more", "--no-start"];
  expect(await session.wisp(...asked)).toMatchObject({ code: 0 });
  expect(await session.wisp("up", `${ID}/revision-2`)).toMatchObject({ code: 0 });
  await using connection = await connect(session);
  const { call } = connection;
  const diffId = diffIdOf(await call("review_changes", { session: ID }));
  const revised = await call("request_revision", { diffId, feedback: "Say more" });
  expect(revised).toMatchObject({ isError: false, data: { revision: `${ID}/revision-3` } });
  expect((await call("work_status", { waitSeconds: 90 })).data).toMatchObject({
    state: "APPROVED",
  });
  expect(await ship()).toMatchObject({ code: 0 });
  expect(session.git("show", `${BRANCH}:hello.txt`)).toBe("hello\nhello\nhello\nhello");
});

test.each([
  ["abandoned", ["abandon", ID, "--yes"]],
  ["rejected", ["review", ID, "--reject", "--yes"]],
])("a session that was %s refuses a revision, and names its commits", async (_, words) => {
  await using session = await complete();
  await using connection = await connect(session);
  const diffId = diffIdOf(await connection.call("review_changes"));
  expect(await session.wisp(...words)).toMatchObject({ code: 0 });
  for (const asked of [
    ["revise", ID, "--problem", "x", "--yes"],
    ["review", ID, "--request-revision", "Say more"],
  ]) {
    const refused = await session.wisp(...asked);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`git log refs/wisp/rescue/${ID}/abandoned`);
  }
  const refused = await connection.call("request_revision", { diffId, feedback: "Say more" });
  expect(refused).toMatchObject({ isError: true, data: { error: { code: "session-closed" } } });
  expect(session.git("for-each-ref", "refs/wisp/snapshot")).toBe("");
});
