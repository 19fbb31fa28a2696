import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { LINE_BYTES_MAX } from "../../src/base/limits.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord, encodeRecord, OPTIONAL } from "../../src/fs-protocol/codec/record-codec.ts";
import {
  recordKind,
  WireInt,
  WireList,
  wireJson,
} from "../../src/fs-protocol/codec/record-fields.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { anyRecord, kindOf } from "../rig/arbitrary-record.ts";
import { anyText } from "../rig/arbitrary-text.ts";

const TIME = "2026-11-20T12:00:00.000Z";
const SHA = "a".repeat(40);

/** A finding or bug in a list, as a field. */
const itemField = (id: string) => {
  const text = { reviewer: "x", category: "x", brief: "x", issue: "x", suggestion: "x" };
  return JSON.stringify(JSON.stringify([{ id, level: "blocking", ...text }]));
};
const [BUG, COR] = [itemField("BUG-000001"), itemField("COR-000001")];

function decoded(schema: z.ZodType, line: string): unknown {
  const record = decodeRecord(schema, line);
  return record.ok ? record.value : record.failure.problem;
}

test.each([
  ["builder.log", BuilderRecord],
  ["planner.log", PlannerRecord],
  ["reviewer.log", ReviewerRecord],
  ["tester.log", TesterRecord],
  ["human.log", HumanRecord],
  ["supervisor.log", SupervisorRecord],
] as const)("every record of %s is one line and is read back unchanged", (_, schema) => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyRecord(schema), (record) => {
      const line = encodeRecord(schema, record);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(decoded(schema, line.slice(0, -1))).toEqual(record);
      seen.add(record.kind);
    }),
    { numRuns: 1_000 },
  );
  expect([...seen].sort()).toEqual(schema.options.map(kindOf).sort());
});

test("omits a field that the record does not have", () => {
  const record = { kind: "role.exit", time: TIME, role: "tester", code: undefined, reason: "-" };
  const line = `${TIME} role.exit role=tester reason=-\n`;
  expect(encodeRecord(SupervisorRecord, SupervisorRecord.parse(record))).toBe(line);
});

test.each([
  [`${TIME} wait`, "a kind that nobody knows"],
  [`${TIME} update v=-1 sha256=a`, "a number below 0"],
  [`${TIME} update v=1.5 sha256=a`, "a number that is not whole"],
  [`${TIME} update v=1`, "a field is missing"],
  [`${TIME} add finding=1`, "JSON of the wrong shape"],
  [`${TIME} add finding="{"`, "no JSON at all"],
  [`2026-13-20T12:00:00.000Z pause`, "a time that there is not"],
])("refuses %s as a record: %s", (line) => {
  expect(decodeRecord(HumanRecord, line).ok).toBe(false);
});

test("ignores unknown fields at any depth, and never writes them", () => {
  const finding = { id: "COR-000001", level: "blocking", reviewer: "x", category: "x", brief: "x" };
  const known = { ...finding, level: "blocking" as const, issue: "x", suggestion: "x" };
  const json = JSON.stringify(JSON.stringify({ ...known, later: { id: 1 } }));
  const record = { kind: "add" as const, time: TIME, finding: known };
  expect(decoded(HumanRecord, `${TIME} add later=1 finding=${json} more="a b"`)).toEqual(record);
  // By its type, a value with an additional key is a record if it comes from a variable.
  const mistakes = [
    { kind: "pause" as const, time: TIME, later: 1 },
    { ...record, finding: { ...known, later: 1 } },
  ];
  for (const mistake of mistakes) {
    expect(() => encodeRecord(HumanRecord, mistake)).toThrow(
      "a record holds nothing that its schema has not",
    );
  }
  expect(encodeRecord(HumanRecord, { kind: "approve", time: TIME, at: undefined })).toBe(
    `${TIME} approve\n`,
  );
});

test("an unknown kind is a bad line, unless it is marked as optional", () => {
  const read = (rest: string) => {
    const record = decodeRecord(HumanRecord, `${TIME} ${rest}`);
    return record.ok ? "record" : record.failure.kind;
  };
  expect(read("later.kind optional=yes a=b")).toBe("passed-over");
  expect(read('later.kind a="b c" optional="yes"')).toBe("passed-over");
  for (const rest of [
    "later.kind",
    "later.kind optional=no",
    "later.kind optional",
    "later.kind optional=yes |torn",
    // Known kinds must have all their fields, marked or not.
    "update v=1 optional=yes",
  ]) {
    expect([rest, read(rest)]).toEqual([rest, "bad-line"]);
  }
  expect(read("pause optional=yes")).toBe("record");
  expect(decoded(HumanRecord, `${TIME} later.kind`)).toContain("written by a newer wisp?");
});

test("no schema of the protocol is strict: readers ignore unknown fields", () => {
  const folder = join(import.meta.dirname, "../../src/fs-protocol");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const strict = names
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => readFileSync(join(folder, name), "utf8").includes("strictObject"));
  expect(strict).toEqual([]);
});

test("only a record that folds into nothing has the optional mark", () => {
  const marked = new Set<string>();
  const schemas = [BuilderRecord, PlannerRecord, ReviewerRecord, TesterRecord];
  for (const { options } of [...schemas, HumanRecord, SupervisorRecord]) {
    for (const option of options) {
      if (Object.keys(option.shape).includes(OPTIONAL.key)) marked.add(recordKind(option));
    }
  }
  expect([...marked]).toEqual(["look"]);
});

test.each([
  [BuilderRecord, `build.end unit=build:A:1 m=A outcome=blocked ticks=[] commits=- milestones=[]`],
  [
    BuilderRecord,
    `build.end unit=build:A:1 m=A outcome=milestone ticks=[] commits=- milestones=[]`,
  ],
  [BuilderRecord, `fix.end unit=fix:A-1:1 id=A-1 attempt=1 outcome=fixed by=x brief=x files=[]`],
  [PlannerRecord, `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan`],
  [ReviewerRecord, `review.end unit=commit:a outcome=reviewed findings=[]`],
  [ReviewerRecord, `adopt.end human=3`],
  [ReviewerRecord, `review.end unit=commit:a checkpoint=${SHA} outcome=reviewed findings=${BUG}`],
  [TesterRecord, `test.end unit=test:A:a m=A outcome=tested bugs=${COR} commits=-`],
  [HumanRecord, `add finding=${BUG.replace(/[[\]]/g, "")}`],
  [TesterRecord, `test.end unit=test:A:a m=A outcome=needs_input bugs=[] commits=-`],
  [TesterRecord, `verify.end unit=verify:A-1:a:1 id=A-1 attempt=1 sha=${SHA} verdict=blocked`],
])("refuses an incomplete record (%#)", (schema: z.ZodType, rest) => {
  expect(decodeRecord(schema, `${TIME} ${rest}`).ok).toBe(false);
});

test("decoding never throws, whatever the fields contain", () => {
  const keys = fc.constantFrom("unit", "m", "outcome", "ticks", "commits", "milestones", "finding");
  fc.assert(
    fc.property(
      fc.dictionary(keys, anyText),
      fc.constantFrom("build.end", "done"),
      (rest, kind) => {
        const pairs = Object.entries(rest).map(
          ([key, value]) => ` ${key}=${JSON.stringify(value)}`,
        );
        const line = `${TIME} ${kind}${pairs.join("")}`;
        expect(() => decodeRecord(BuilderRecord, line)).not.toThrow();
      },
    ),
  );
});

test("a record that does not fit into a line is an assertion failure", () => {
  const record = { kind: "update", time: TIME, v: 1, sha256: "a".repeat(LINE_BYTES_MAX) } as const;
  expect(() => encodeRecord(HumanRecord, record)).toThrow("a record fits into a line");
});

test("lists are words joined by commas, or a hyphen if empty", () => {
  expect(z.encode(WireList, ["a", "b"])).toBe("a,b");
  expect(z.encode(WireList, [])).toBe("-");
  expect(z.decode(WireList, "-")).toEqual([]);
  for (const bad of [["-"], ["a,b"], ["a b"], [""]]) {
    expect(z.safeEncode(WireList, bad).success).toBe(false);
  }
  for (const bad of ["", "a,", ",a", "a,-"])
    expect(z.safeDecode(WireList, bad).success).toBe(false);
});

test("numbers are whole, not negative, and have at most 15 digits", () => {
  expect(z.decode(WireInt, "999999999999999")).toBe(999_999_999_999_999);
  for (const bad of ["", "-1", "1.0", "1e3", "0x1", "1000000000000000", " 1"]) {
    expect(z.safeDecode(WireInt, bad).success).toBe(false);
  }
  for (const bad of [-1, 1.5, 1e15, Number.NaN, Infinity]) {
    expect(z.safeEncode(WireInt, bad).success).toBe(false);
  }
});

test("a list of any texts is encoded as JSON", () => {
  const names = wireJson(z.array(z.string()));
  fc.assert(
    fc.property(fc.array(anyText), (value) => {
      expect(z.decode(names, z.encode(names, value))).toEqual(value);
    }),
  );
});
