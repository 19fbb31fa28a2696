import { expect, test } from "vitest";
import { lastEndOf } from "../../src/session/state/stage.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";

/** A tester whose test shows a bug, a builder that bends it, and an engine that would let it pass. */
const BENDS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Write add.js\n"),
  build(t) {
    t.put("add.js", "exports.add = (a, b) => a - b;\n");
    t.commit("Add add");
    t.tick();
  },
  test(t) {
    t.put("test/add.test.js", [
      'const { add } = require("../add.js");',
      'require("node:test")("adds", () => require("node:assert").equal(add(2, 1), 3));',
    ].join("\n"));
    t.needsWork("Bug", "add.js", "It subtracts", "node --test test/add.test.js");
  },
  fix(t) {
    t.put("test/add.test.js", t.read("test/add.test.js").replace("3)", "1)"));
    t.put("notes.txt", String(t.attempt));
  },
  "verify-fix": (t) => t.passed(),
`;

test("a bug whose test the fixes bend stays open, whatever an engine says, until a person dismisses it", async () => {
  await using session = processSession({
    scenario: BENDS,
    config: "verify: [node, --test]\n",
    files: { "base.test.js": 'require("node:test")("base", () => {});\n' },
  });
  const stuck = await session.wisp("start", "request.md");
  expect(stuck.code).toBe(5);
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("stuck");
  const [id = ""] = history.tester.fold.open;
  expect(history.tester.fold.items.get(id)?.tests).toMatch(/^refs\/wisp\/rescue\//u);
  const judged = history.tester.records.filter(({ kind }) => kind === "verify.end");
  expect(judged.length).toBeGreaterThan(0);
  expect(judged.every((end) => "verdict" in end && end.verdict === "reopened")).toBe(true);
  expect(session.read("logs/tester.log")).not.toContain("purpose=verify-fix");
  expect(stuck.stdout).toContain(id);
  const told = await session.wisp("findings", "show", id);
  expect(told.stdout.replace(/\s+/gu, " ")).toContain(
    "its command fails with the tests that came with it (test/add.test.js)",
  );
  await session.wisp("findings", "dismiss", id, "--why", "The test is wrong.");
  expect(await session.wisp("resume")).toMatchObject({ code: 0 });
  expect(lastEndOf(checkSession(session.home()).history.builder.fold)?.how).toBe("complete");
});
