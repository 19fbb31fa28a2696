import { expect, test } from "vitest";
import { CART, LOADS_COPY } from "../rig/copied-shop.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { connect } from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * A project whose tests take a copy of the product where the product itself cannot be loaded: verify does not look at the
 * commits.
 */

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("word", "hello");
    t.commit("Say hello");
    t.tick();
  },`;

const FILES = {
  "src/cart.js": CART,
  "copy.js": CART,
  "test/cart.test.js": `${LOADS_COPY}test("takes a tenth off", () => assert.equal(loaded().discount(100), 90));
`,
};

function withCopy(verify: readonly string[]): ProcessSession {
  const session = processSession({ scenario: SCENARIO, files: FILES });
  const settings = session.git("show", "HEAD:.wisp/config.yaml");
  session.write(".wisp/config.yaml", `${settings}\nverify: ${JSON.stringify(verify)}\n`);
  session.git("commit", "-qam", "Verify");
  return session;
}

test.each([
  ["before anything is built, where one test file can be run alone", ["node", "--test"], "builder"],
  ["before anything is tested elsewhere", ["sh", "-c", "node --test"], "tester"],
] as const)("a person is asked about a verify that loads a copy %s", async (_, verify, role) => {
  await using session = withCopy(verify);
  const asked = await session.wisp("start", "request.md");
  expect(asked).toMatchObject({ code: 4 });
  expect(asked.stdout + asked.stderr).toContain(
    `The ${role} asks: Verify is green at ${session.git("rev-parse", "HEAD").slice(0, 7)}`,
  );
  const built = session.read("logs/builder.log").match(/ build\.end /gu) ?? [];
  expect(built).toHaveLength(role === "builder" ? 0 : 1);
  // A program that drives the work may not accept that.
  await using connection = await connect(session);
  const refused = await connection.call("answer_question", { answer: "accept" });
  expect(refused).toMatchObject({
    isError: true,
    data: { error: { code: "only-person-accepts" } },
  });
  expect(session.read("logs/human.log")).not.toContain("answer");
  const accepted = await session.wisp("answer", "a-request", `${role}-1`, "accept");
  expect(accepted).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  const logs = session.read("logs/builder.log") + session.read("logs/tester.log");
  expect(logs.match(/ outcome=needs_input\b/gu)).toHaveLength(1);
  expect(logs.match(/ command="?source:/gu)).toHaveLength(1);
  expect(await homeIssues(session.home())).toEqual([]);
});
