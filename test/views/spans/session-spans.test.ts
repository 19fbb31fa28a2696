import fc from "fast-check";
import { expect, test } from "vitest";
import { ROLES, type Role } from "../../../src/base/role.ts";
import { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { PlannerRecord } from "../../../src/fs-protocol/records/planner-log.ts";
import { ReviewerRecord } from "../../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../../src/fs-protocol/records/tester-log.ts";
import { encodeRecord } from "../../../src/fs-protocol/codec/record-codec.ts";
import type { LogRecord } from "../../../src/fs-protocol/home/logs.ts";
import { logPath } from "../../../src/fs-protocol/home/home.ts";
import { otlpBody, type SessionSpan } from "../../../src/views/spans/otlp-span.ts";
import { SessionSpans } from "../../../src/views/spans/session-spans.ts";
import { SpanReader } from "../../../src/views/spans/span-reader.ts";
import { parsePlace } from "../../../src/views/spans/spans-place.ts";
import { anyRecord } from "../../rig/arbitrary-record.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";
import { builder, sha, timeAt } from "../../rig/records.ts";
import { HOME, writtenSession } from "../../rig/written-session.ts";

const SESSION = { id: "demo", branch: "wisp/demo", base: sha(0), createdAt: timeAt(0) };
const newSpans = () => new SessionSpans(SESSION, (text) => text);
const readAll = (files: MemoryFiles, spans = newSpans()) =>
  new SpanReader(files, HOME, { spans, place: undefined }).read();

test("a session's records become units with the turns of engines in them, with tokens and cost", () => {
  const spans = readAll(writtenSession());
  const units = spans.filter(({ name }) => name === "build");
  expect(
    units.map(({ attributes }) => [attributes["wisp.unit"], attributes["wisp.outcome"]]),
  ).toEqual([
    ["build:API:1", "partial"],
    ["build:API:2", "milestone"],
  ]);
  const [first] = units;
  const turns = spans.filter(({ parentId }) => parentId === first?.id);
  expect(turns).toMatchObject([
    {
      ...{ name: "invoke_agent claude", kind: "client", failure: undefined },
      attributes: {
        ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "anthropic" },
        ...{ "gen_ai.agent.name": "claude", "gen_ai.response.model": "opus" },
        ...{ "gen_ai.usage.input_tokens": 1_000, "gen_ai.usage.output_tokens": 200 },
        ...{ "gen_ai.usage.cache_read.input_tokens": 0, "wisp.cost.usd": 0.5 },
        "wisp.milestone": "API",
      },
    },
  ]);
  expect(first?.fromMs).toBeLessThanOrEqual(turns[0]?.fromMs ?? NaN);
});

test("ids are of the form that the protocol has, and are those of the session and its records", () => {
  const [once, again] = [readAll(writtenSession()), readAll(writtenSession())];
  expect(again).toEqual(once);
  const other = readAll(writtenSession(), new SessionSpans({ ...SESSION, id: "other" }, String));
  expect(other.map(({ id }) => id).filter((id) => once.some((span) => span.id === id))).toEqual([]);
  expect(newSpans().traceId).toMatch(/^[0-9a-f]{32}$/u);
  for (const { id } of once) expect(id).toMatch(/^[0-9a-f]{16}$/u);
  expect(new Set(once.map(({ id }) => id)).size).toBe(once.length);
});

test("a process that is killed ends its span there, and its successor continues the unit under the same id", () => {
  const [files, whole] = [new MemoryFiles(), new MemoryFiles()];
  const start = (pid: number, minute: number) =>
    ({ kind: "role.start", time: timeAt(minute), pid }) as const;
  const begin = (minute: number) =>
    ({ kind: "unit.begin", time: timeAt(minute), unit: "build:API:1" }) as const;
  const end = builder.build({
    ...{ m: "API", time: timeAt(9), outcome: "partial", commits: [sha(1)] },
    ticks: [{ m: "API", tasks: [1] }],
  });
  for (const record of [start(1, 1), begin(2), start(2, 5), begin(6), end]) write(files, record);
  for (const record of [start(1, 1), begin(2), end]) write(whole, record);
  const [killed, unit] = readAll(files);
  expect(killed).toMatchObject({ name: "builder", failure: "killed", toMs: Date.parse(timeAt(5)) });
  expect(unit).toEqual(readAll(whole)[0]);
});

function write(files: MemoryFiles, record: BuilderRecord): void {
  files.append(logPath(HOME, "builder"), Buffer.from(encodeRecord(BuilderRecord, record)));
}

/** Any records of all logs. */
const anyRecords: fc.Arbitrary<readonly LogRecord[]> = fc.array(
  fc.oneof(
    anyRecord(PlannerRecord).map((record): LogRecord => ({ log: "planner", record })),
    anyRecord(BuilderRecord).map((record): LogRecord => ({ log: "builder", record })),
    anyRecord(ReviewerRecord).map((record): LogRecord => ({ log: "reviewer", record })),
    anyRecord(TesterRecord).map((record): LogRecord => ({ log: "tester", record })),
    anyRecord(SupervisorRecord).map((record): LogRecord => ({ log: "supervisor", record })),
  ),
  { maxLength: 60 },
);

test("whatever records there are, every span has its own id, ends after its begin, and lies in one that is known", () => {
  fc.assert(
    fc.property(anyRecords, (entries) => {
      const spans = newSpans();
      const ended = entries.flatMap((entry) => spans.add(entry));
      const root = spans.session(0);
      for (const span of ended) {
        expect(span.parentId).toMatch(/^[0-9a-f]{16}$/u);
        expect(span.id).not.toBe(root.id);
      }
      const body: unknown = JSON.parse(
        otlpBody(ended, { traceId: spans.traceId, resource: {}, version: "1" }),
      );
      expect(JSON.stringify(body)).not.toMatch(/"(?:start|end)TimeUnixNano":"[^"\d]/u);
    }),
    { numRuns: 200 },
  );
});

test("wherever the exporting process is replaced, no span is lost, and none comes under another id", () => {
  const source = writtenSession();
  const lines = ROLES.flatMap((role) =>
    textOf(source, role)
      .split(/(?<=\n)/u)
      .filter(Boolean)
      .map((line) => ({ role, line })),
  ).sort((one, other) => (one.line.slice(0, 24) < other.line.slice(0, 24) ? -1 : 1));
  const whole = new Set(readAll(source).map(keyOf));
  fc.assert(
    fc.property(fc.array(fc.nat(lines.length), { maxLength: 4 }), (cuts) => {
      const files = new MemoryFiles();
      let kept: Uint8Array | undefined;
      let reader: SpanReader | undefined;
      const seen: SessionSpan[] = [];
      for (const [at, { role, line }] of lines.entries()) {
        files.append(logPath(HOME, role), Buffer.from(line));
        if (!cuts.includes(at)) continue;
        const place = kept && parsePlace(kept);
        reader = new SpanReader(files, HOME, { spans: newSpans(), place });
        seen.push(...reader.read());
        kept = Buffer.from(JSON.stringify(reader.place));
      }
      const last = new SpanReader(files, HOME, {
        spans: newSpans(),
        place: kept && parsePlace(kept),
      });
      seen.push(...last.read());
      expect(new Set(seen.map(keyOf))).toEqual(whole);
      expect(seen).toHaveLength(whole.size);
    }),
    { numRuns: 100 },
  );
});

function textOf(files: MemoryFiles, role: Role): string {
  const read = files.read(logPath(HOME, role));
  return read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
}

function keyOf({ id, name, toMs }: SessionSpan): string {
  return [id, name, toMs].join(" ");
}

test("a damaged file of the place is as none", () => {
  for (const text of ["", "[]", "{", `{"logs":{"builder":{"offsetBytes":"x"}}}`]) {
    expect(parsePlace(Buffer.from(text))).toBeUndefined();
  }
});

test("no text that an engine or a person wrote is in a span, but cleaned names", () => {
  const files = new MemoryFiles();
  const secret = "sk-0000000000000000000000";
  write(files, { kind: "unit.begin", time: timeAt(1), unit: "build:API:1" });
  write(files, {
    kind: "unit.wait",
    time: timeAt(2),
    unit: "build:API:1",
    reason: secret,
  });
  write(files, { kind: "note", time: timeAt(2), text: secret });
  write(files, {
    ...{ kind: "build.end", time: timeAt(3), unit: "build:API:1", m: "API", outcome: "noprogress" },
    ...{ ticks: [], commits: [], milestones: [], reason: secret },
  });
  const spans = readAll(files, new SessionSpans(SESSION, () => "cleaned"));
  expect(spans).toHaveLength(1);
  expect(JSON.stringify(spans)).not.toContain(secret);
  expect(spans[0]?.attributes).toMatchObject({
    "wisp.unit": "build:cleaned:1",
    "wisp.milestone": "cleaned",
  });
});
