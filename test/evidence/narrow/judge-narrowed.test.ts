import { expect, test } from "vitest";
import { judgeNarrowed } from "../../../src/evidence/narrow/judge-narrowed.ts";

const ADDS = { file: "", path: ["group"], name: "adds" };

test("a test passed only if it is listed by its own name, not by its parent's or its file's", () => {
  const wanted = ["test/a.js > group > adds", "test/a.js > other"];
  const group = { file: "", path: [], name: "group" };
  const file = { file: "", path: [], name: "test/a.js" };
  expect(judgeNarrowed(wanted, { passed: [ADDS], failed: [] })).toEqual({
    passed: ["test/a.js > group > adds"],
    failed: [],
    unsaid: ["test/a.js > other"],
  });
  const none = judgeNarrowed(wanted, { passed: [group, file], failed: [] });
  expect(none).toEqual({ passed: [], failed: [], unsaid: wanted });
});

test("of two tests of one name, one that failed counts", () => {
  const wanted = ["test/a.js > group > adds"];
  expect(judgeNarrowed(wanted, { passed: [ADDS], failed: wanted })).toMatchObject({
    passed: [],
    failed: wanted,
  });
});

test("files are compared where both lists name them", () => {
  const wanted = ["test/a.js > group > adds"];
  const elsewhere = { ...ADDS, file: "test/aa.js" };
  expect(judgeNarrowed(wanted, { passed: [elsewhere], failed: [] }).unsaid).toEqual(wanted);
  expect(judgeNarrowed(["group > adds"], { passed: [elsewhere], failed: [] }).passed).toEqual([
    "group > adds",
  ]);
  expect(judgeNarrowed(wanted, { passed: [ADDS], failed: ["test/aa.js > group > adds"] })).toEqual({
    passed: wanted,
    failed: [],
    unsaid: [],
  });
});
