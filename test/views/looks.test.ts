import { expect, test } from "vitest";
import { MilestoneReader } from "../../src/views/report/recorded-milestones.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { verifiedAt } from "../../src/workspace/finished/verified-at.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { factsOf, json, oid } from "../cli/session-states.ts";

/*
 * Where a result of verify is shown to programs, so is how many runs it took, and what was unsteady in them.
 */

const LOOKED = { looks: 3, split: ["test/a.js > waits"] };
const RESULT = `verify.result at=${oid("1")} tree=${oid("9")} command=c`;
const FIELDS = `looks=3 split=${json(LOOKED.split)}`;

test("a red base, and the last result of the work, come with their looks and split tests", () => {
  const red = factsOf({ builder: [`${RESULT} outcome=failed failing=${json(["b"])} ${FIELDS}`] });
  expect(statusView(red).redAtBase).toEqual({ failing: ["b"], ...LOOKED });
  const green = factsOf({ builder: [`${RESULT} outcome=passed ${FIELDS}`] });
  expect(verifiedAt([green.state])?.looked).toEqual(LOOKED);
  const once = factsOf({ builder: [`${RESULT} outcome=passed`] });
  expect(verifiedAt([once.state])?.looked).toEqual({});
});

test("a milestone of the report has those of the result at its end", () => {
  const reader = new MilestoneReader();
  const milestones = json([{ name: "Parser", start: oid("0"), end: oid("1") }]);
  const lines = [
    `${RESULT} outcome=passed ${FIELDS}`,
    `build.end unit=build:Parser:1 m=Parser outcome=milestone ticks=[] commits=${oid("1")} milestones=${milestones}`,
  ];
  for (const line of lines) {
    const read = decodeRecord(BuilderRecord, `2026-11-20T12:00:00.000Z ${line}`);
    if (!read.ok) throw new Error(read.failure.problem);
    reader.add({ log: "builder", record: read.value });
  }
  expect(reader.milestones.get("Parser")).toMatchObject({ verify: "passed", ...LOOKED });
});
