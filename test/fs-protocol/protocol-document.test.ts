import { EXIT } from "../../src/base/exit-code.ts";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { present } from "../../src/base/assert.ts";
import { need } from "../../src/base/fatal.ts";
import { SEAL } from "../../src/base/ports/files.ts";
import {
  FINDING_TEXT_CHARS_MAX,
  LINE_BYTES_MAX,
  MILESTONE_NAME_CHARS_MAX,
  MILESTONES_MAX,
  REASON_CHARS_MAX,
  SWEEP_MS,
  TASK_TEXT_CHARS_MAX,
  TASKS_PER_MILESTONE_MAX,
} from "../../src/base/limits.ts";
import type { Result } from "../../src/base/result.ts";
import { LastMessage, readLastMessage } from "../../src/fs-protocol/findings/last-message.ts";
import {
  decodeAnsweredMilestone,
  encodeAnsweredMilestone,
} from "../../src/fs-protocol/projections/answered-milestone.ts";
import { decodeRevision, encodeRevision } from "../../src/fs-protocol/projections/revisions-log.ts";
import { decodeDone, encodeDone } from "../../src/fs-protocol/projections/builder-done.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { commonRecords } from "../../src/fs-protocol/records/common-records.ts";
import { Finding } from "../../src/fs-protocol/records/finding.ts";
import {
  decodeFindingsBlocks,
  encodeFindingsBlock,
} from "../../src/fs-protocol/findings/findings-block.ts";
import {
  encodeFix,
  encodeFixAccepted,
  encodeFixFailed,
  encodeFixWord,
} from "../../src/fs-protocol/projections/fix-entries.ts";
import { EMPTY_ITEMS, foldItems } from "../rig/fold-projections.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { decodeItem, encodeItem } from "../../src/fs-protocol/projections/items-md.ts";
import {
  decodeMilestone,
  encodeMilestone,
} from "../../src/fs-protocol/projections/milestones-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { Policy } from "../../src/fs-protocol/home/policy.ts";
import { decodeRecord, encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import {
  decodeReviewedCommit,
  encodeReviewedCommit,
} from "../../src/fs-protocol/projections/reviewer-checkpoint.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { EngineSetting, SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { encodeGaveUp } from "../../src/fs-protocol/projections/story-entries.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { parseTasks, progress } from "../../src/fs-protocol/tasks/tasks-md.ts";
import {
  decodeFinalPass,
  encodeFinalPass,
} from "../../src/fs-protocol/projections/tester-final.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { LeaseHolder } from "../../src/host/locks/lease-holder.ts";
import { kindOf, type RecordUnion } from "../rig/arbitrary-record.ts";
import { allBlocks, blocksOf, documentOf, linesOf, rowsOf, sectionOf } from "../rig/document.ts";

const PROTOCOL = documentOf("docs/PROTOCOL.md");
const LOGS: Readonly<Record<string, RecordUnion>> = {
  "planner.log": PlannerRecord,
  "builder.log": BuilderRecord,
  "reviewer.log": ReviewerRecord,
  "tester.log": TesterRecord,
  "human.log": HumanRecord,
  "supervisor.log": SupervisorRecord,
};
const ROLE_LOGS = ["planner.log", "builder.log", "reviewer.log", "tester.log"] as const;
const COMMON = new Set(commonRecords.map(kindOf));

/** A schema's kinds that are described under their own log. */
function ownKinds(log: string): readonly z.ZodObject[] {
  const options = present(LOGS[log], "it is a log").options;
  const isRole = ROLE_LOGS.some((role) => role === log);
  return options.filter((option) => !isRole || !COMMON.has(kindOf(option)));
}

function expectComesBack(schema: z.ZodType, line: string): void {
  const record = decodeRecord(schema, line);
  const written = record.ok ? encodeRecord(schema, record.value) : record.failure.problem;
  expect(written).toBe(`${line}\n`);
}

test.each(Object.keys(LOGS))(
  "every example of %s is a record in the form that wisp writes",
  (log) => {
    const lines = linesOf(PROTOCOL, `wisp:${log}`);
    const kinds = new Set(lines.map((line) => line.split(" ")[1]));
    for (const line of lines) expectComesBack(present(LOGS[log], "it is a log"), line);
    expect(
      ownKinds(log)
        .map(kindOf)
        .filter((kind) => !kinds.has(kind)),
    ).toEqual([]);
  },
);

test("every example of a common record is valid in each role's log", () => {
  const lines = linesOf(PROTOCOL, "wisp:role.log");
  for (const log of ROLE_LOGS) {
    for (const line of lines) expectComesBack(present(LOGS[log], "it is a log"), line);
  }
  expect(new Set(lines.map((line) => line.split(" ")[1]))).toEqual(COMMON);
});

/** What a table says about a kind's fields: by name, whether the field may be missing, and its type. */
function fieldsIn(
  section: string,
): ReadonlyMap<string, { readonly isOptional: boolean; readonly type: string }> {
  const rows = rowsOf(section).flatMap(([names = "", type = ""]) =>
    [...names.matchAll(/`([a-z0-9]+)(\?)?`/gi)].map(
      ([, name = "", mark]) => [name, { isOptional: mark === "?", type }] as const,
    ),
  );
  return new Map(rows);
}

/** What is described once for all records: `kind` and `time` in section 4, `once` at the head of human.log. */
const EVERYWHERE = new Set(["kind", "time", "once"]);

function expectDescribed(option: z.ZodObject, section: string): void {
  const fields = fieldsIn(section);
  const shape = Object.entries(option.shape).filter(([name]) => !EVERYWHERE.has(name));
  const described = [...fields].map(([name, { isOptional }]) => [name, isOptional]);
  const declared = shape.map(([name, field]) => [name, field instanceof z.ZodOptional]);
  expect([kindOf(option), ...described]).toEqual([kindOf(option), ...declared]);
  for (const [name, field] of shape) {
    if (!(field instanceof z.ZodEnum)) continue;
    const words = fields.get(name)?.type.split("\\|");
    expect([kindOf(option), name, words]).toEqual([kindOf(option), name, field.options]);
  }
}

test.each(Object.keys(LOGS))("every field of every record of %s is described, in order", (log) => {
  const chapter = sectionOf(PROTOCOL, `### \`logs/${log}\``);
  const isOnce = ownKinds(log).every(({ shape }) => "once" in shape);
  expect(fieldsIn(chapter.split("\n#### ", 1)[0] ?? "").has("once")).toBe(isOnce);
  for (const option of ownKinds(log)) {
    const section = sectionOf(chapter, `#### \`${kindOf(option)}\``);
    expectDescribed(option, section);
  }
  const headings = [...chapter.matchAll(/^#### `(.+)`$/gm)].map(([, kind]) => kind);
  expect(headings.sort()).toEqual(ownKinds(log).map(kindOf).sort());
});

test("every field of the common records is described, in order", () => {
  const chapter = sectionOf(PROTOCOL, "### Records of every role");
  for (const option of commonRecords) {
    expectDescribed(option, sectionOf(chapter, `#### \`${kindOf(option)}\``));
  }
});

test.each([
  ["milestones.log", (line: string) => again(decodeMilestone(line), encodeMilestone)],
  [
    "reviewer.checkpoint",
    (line: string) => again(decodeReviewedCommit(line), encodeReviewedCommit),
  ],
  [
    "reviewer.milestone",
    (line: string) => again(decodeAnsweredMilestone(line), encodeAnsweredMilestone),
  ],
  [
    "tester.milestone",
    (line: string) => again(decodeAnsweredMilestone(line), encodeAnsweredMilestone),
  ],
  ["tester.final", (line: string) => again(decodeFinalPass(line), encodeFinalPass)],
  ["builder.done", (line: string) => again(decodeDone(line), encodeDone)],
  ["revisions.log", (line: string) => again(decodeRevision(line), encodeRevision)],
  ["REVIEWS.md", (line: string) => again(decodeItem(line), encodeItem)],
  ["BUGS.md", (line: string) => again(decodeItem(line), encodeItem)],
])("every example of %s is a line in the form that wisp writes", (file, rewrite) => {
  const lines = linesOf(PROTOCOL, `wisp:${file}`);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.map(rewrite)).toEqual(lines.map((line) => `${line}\n`));
});

function again<T>(decoded: Result<T, unknown>, encode: (value: T) => string): string {
  return decoded.ok ? encode(decoded.value) : JSON.stringify(decoded.failure);
}

test("every form of a line has an example", () => {
  const first = (file: string) =>
    linesOf(PROTOCOL, `wisp:${file}`).map((line) => line.split(/[ |]/)[0]);
  const items = [...first("REVIEWS.md"), ...first("BUGS.md")];
  expect(new Set(items)).toEqual(new Set(["OPEN", "REOPENED", "UNJUDGED", "CLOSED", "DISMISSED"]));
  expect(new Set(first("builder.done"))).toEqual(
    new Set(["final", "complete", "stuck", "reopened"]),
  );
});

test("the documented command for open items prints them", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-"));
  try {
    for (const file of ["REVIEWS.md", "BUGS.md"]) {
      // Notes of people, and fragments between the lines, are ignored.
      const notes = `# Notes\n\nOPENED by nobody\nOPEN COR-7f${SEAL}`;
      writeFileSync(
        join(directory, file),
        `${notes}${blocksOf(PROTOCOL, `wisp:${file}`).join("")}`,
      );
    }
    const [command] = blocksOf(sectionOf(PROTOCOL, "### `REVIEWS.md` and `BUGS.md`"), "sh");
    const printed = execFileSync("sh", ["-c", present(command, "the command is there")], {
      cwd: directory,
      encoding: "utf8",
    });
    const lines = ["REVIEWS.md", "BUGS.md"].flatMap((file) => linesOf(PROTOCOL, `wisp:${file}`));
    const fold = lines.map((line) => need(decodeItem(line))).reduce(foldItems, EMPTY_ITEMS);
    expect(printed.split("\n").slice(0, -1)).toEqual([...fold.open].sort());
    expect(fold.open.size).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("the examples of PROGRESS.txt are the entries that wisp writes", () => {
  const [review = "", gaveUp, fix, failed, reopened, accepted] = blocksOf(
    PROTOCOL,
    "wisp:PROGRESS.txt",
  );
  const finding = Finding.parse(JSON.parse(blocksOf(PROTOCOL, "wisp:finding.json").join("")));
  const { reviewer, id, brief, level, file = "" } = finding;
  const at = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, "0")}:00.000Z`;
  const entry = { reviewer, id, attemptsMax: 3 };
  expect(review).toBe(encodeFindingsBlock({ time: at(7), reviewer, level, findings: [finding] }));
  expect(decodeFindingsBlocks(review)).toMatchObject({
    ok: true,
    value: [{ verdict: "NEEDS_WORK" }],
  });
  const what = "Review the milestone Parsing.";
  const late = {
    who: "security (blocking)",
    what,
    reason: "was ended after 1800 s, its time limit",
  };
  expect(gaveUp).toBe(encodeGaveUp({ time: at(8), ...late }));
  const fixed = "The field after the last comma is pushed, too.";
  expect(fix).toBe(encodeFix({ ...entry, time: at(12), attempt: 1, fixed, files: [file] }));
  const reason = "verify is worse: 1 test fails";
  expect(failed).toBe(
    encodeFixFailed({ ...entry, time: at(26), attempt: 3, issue: brief, reason }),
  );
  const still = "The field after a trailing comma is still dropped.";
  const again = { ...entry, time: at(13), attempt: 1, issue: brief, reason: still };
  expect(reopened).toBe(encodeFixWord("Reopened", again));
  const other = { ...entry, id: "COR-1b90c2", issue: "An empty line is a field", reason: "" };
  expect(accepted).toBe(encodeFixAccepted({ ...other, time: at(20), attempt: 1, of: "nochange" }));
});

test("the example of TASKS.md is a plan with ticks", () => {
  const document = need(parseTasks(blocksOf(PROTOCOL, "wisp:TASKS.md").join("")));
  expect(document.milestones.map(({ name }) => name)).toEqual(["Parsing", "API|v2"]);
  expect(document.milestones[0]?.tasks[0]).toMatchObject({
    category: "feature",
    steps: ["also empty ones"],
  });
  expect(progress(document).tasks).toEqual({ done: 1, total: 3 });
});

test("the example of session.json is valid, and all its fields are described", () => {
  const [text = ""] = blocksOf(PROTOCOL, "wisp:session.json");
  const json: unknown = JSON.parse(text);
  expect(SessionJson.parse(json)).toEqual(json);
  const section = sectionOf(PROTOCOL, "## 9. `session.json`");
  const described = rowsOf(section).flatMap(([names = ""]) =>
    [...names.matchAll(/`([A-Za-z]+)\??`/g)].map(([, name]) => name),
  );
  const shapes = [SessionJson.shape, EngineSetting.shape, Policy.shape];
  const declared = shapes.flatMap((shape) => Object.keys(shape));
  expect(described.sort()).toEqual(declared.sort());
});

test("the example of a finding is valid, and all its fields are described", () => {
  const text = blocksOf(PROTOCOL, "wisp:finding.json").join("");
  expect(`${JSON.stringify(Finding.parse(JSON.parse(text)))}\n`).toBe(text);
  const fields = fieldsIn(sectionOf(PROTOCOL, "## 7. Findings and bugs"));
  const declared = Object.entries(Finding.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional,
  ]);
  expect([...fields].map(([name, { isOptional }]) => [name, isOptional])).toEqual(declared);
});

test("the examples of engine output can be decoded", () => {
  const [block = ""] = blocksOf(PROTOCOL, "wisp:findings");
  expect(decodeFindingsBlocks(block)).toMatchObject({
    ok: true,
    value: [
      {
        reviewer: "correctness",
        level: "blocking",
        verdict: "NEEDS_WORK",
        findings: [{ label: "COR-001", file: "src/parse.js", line: 12, level: "warning" }],
      },
    ],
  });
  const [word = ""] = blocksOf(PROTOCOL, "wisp:status");
  expect(readLastMessage(word)).toMatchObject({
    status: "NEEDS_INPUT",
    question: "Which separator?",
  });
  for (const status of LastMessage.shape.status.options)
    expect(PROTOCOL).toContain(`\`${status}\``);
});

test("the example of a lease's holder is valid", () => {
  const text = blocksOf(PROTOCOL, "wisp:lock.json").join("");
  expect(`${JSON.stringify(LeaseHolder.parse(JSON.parse(text)))}\n`).toBe(text);
});

test("the example of a quarantined line is consistent", () => {
  const [line = ""] = linesOf(PROTOCOL, "wisp:quarantine.log");
  const [log, offset, digest, ...rest] = line.split("|");
  const text = z.string().parse(JSON.parse(rest.join("|")));
  expect([log, offset]).toEqual(["builder.log", "18231"]);
  expect(digest).toBe(createHash("sha256").update(`${text}\n`).digest("hex").slice(0, 8));
  expect(text.endsWith(SEAL.trimEnd())).toBe(true);
});

test("the layout table has every file of a home", () => {
  const rows = rowsOf(sectionOf(PROTOCOL, "## 2. The home of a session")).map(([path = ""]) =>
    path.replace(/`/g, ""),
  );
  const paths = Object.values({ ...homeAt("/session") })
    .map((path) => relative("/session", path))
    .filter((path) => path !== "" && path !== "logs");
  const covered = (path: string) => rows.some((row) => row === path || row.startsWith(`${path}/`));
  expect(paths.filter((path) => !covered(path))).toEqual([]);
});

test("the limits in the document are those of the source", () => {
  const contained = [
    LINE_BYTES_MAX.toLocaleString("en"),
    `at most ${String(REASON_CHARS_MAX)} characters`,
    `text, at most ${String(FINDING_TEXT_CHARS_MAX)} characters`,
    `at most ${String(MILESTONES_MAX)} milestones`,
    `at most ${String(TASKS_PER_MILESTONE_MAX)} tasks`,
    `at most ${String(MILESTONE_NAME_CHARS_MAX)} characters long`,
    `at most ${String(TASK_TEXT_CHARS_MAX)} characters`,
    `every ${String(SWEEP_MS / 1000)} s`,
    `\`${SEAL.trimEnd()}\``,
  ];
  const text = PROTOCOL.replace(/\s+/g, " ");
  expect(contained.filter((part) => !text.includes(part))).toEqual([]);
  const codes = rowsOf(sectionOf(PROTOCOL, "## 15. Exit codes")).map(([code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});

test("every example of the document is checked by a test", () => {
  const known = [
    ...Object.keys(LOGS),
    ..."role.log milestones.log reviewer.checkpoint reviewer.milestone tester.milestone".split(" "),
    ..."tester.final builder.done revisions.log REVIEWS.md BUGS.md PROGRESS.txt TASKS.md session.json".split(
      " ",
    ),
    ..."finding.json findings status lock.json quarantine.log".split(" "),
  ];
  const tags = allBlocks(PROTOCOL).flatMap(({ info }) =>
    info.startsWith("wisp:") ? [info.slice(5)] : [],
  );
  expect(tags.filter((tag) => !known.includes(tag))).toEqual([]);
  expect(known.filter((tag) => !tags.includes(tag))).toEqual([]);
});
