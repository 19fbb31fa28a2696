import { expect, test } from "vitest";
import { describeOpen } from "../../../src/agents/reviewer/describe-open.ts";
import { EMPTY_JUDGE, foldJudge } from "../../../src/session/state/fold-judge.ts";
import { finding, reviewer } from "../../rig/records.ts";

test("open findings are listed by id, file and brief; closed ones are not", () => {
  const own = [
    reviewer.commit(1, {
      findings: [
        finding("COR-000001", { file: "a.js", brief: "Off by one" }),
        finding("COR-000002"),
        finding("SEC-000003", { brief: "Logs the token" }),
      ],
    }),
    reviewer.verify("COR-000002", "closed"),
  ].reduce(foldJudge, EMPTY_JUDGE);
  expect(describeOpen(own)).toBe("- COR-000001: a.js Off by one\n- SEC-000003:  Logs the token");
});

test('a prompt without open findings lists "(none)"', () => {
  expect(describeOpen(EMPTY_JUDGE)).toBe("(none)");
});
