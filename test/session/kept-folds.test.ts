import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { need } from "../../src/base/fatal.ts";
import type { Hub } from "../../src/base/ports/repo.ts";
import { ok } from "../../src/base/result.ts";
import type { LogName } from "../../src/base/role.ts";
import { perRole } from "../../src/base/role.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import {
  readSnapshot,
  writeSnapshot,
  type SnapshotPlace,
} from "../../src/fs-protocol/codec/snapshot-file.ts";
import { homeAt, logPath, roleLog } from "../../src/fs-protocol/home/home.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { openSessionReader } from "../../src/session/state/session-reader.ts";
import { anyRecord, type RecordUnion } from "../rig/arbitrary-record.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { builder } from "../rig/records.ts";
import { SESSION } from "../rig/session.ts";

const HOME = homeAt("/repository/.wisp/sessions/demo");
const BUILDER_LOG = roleLog(HOME, "builder");
const PLACE: SnapshotPlace = { path: "/state/kept/folds", key: () => "this", worthBytes: 1 };

const HUB: Hub = new (class {
  readonly directory = "/repository";
  head() {
    return Promise.resolve(SESSION.base);
  }
  commits() {
    return Promise.resolve(ok([]));
  }
})();

/** All that a process knows after it has read the logs. */
async function known(files: MemoryFiles, place?: SnapshotPlace) {
  const reader = openSessionReader({ files, hub: HUB, home: HOME, session: SESSION, place });
  const { turns, ...state } = need(await reader.read());
  const facts = turns?.facts;
  const { spend, holds } = facts ?? {};
  const ofRoles = perRole((role) => [facts?.runningOf(role), facts?.lastOf(role)]);
  const [quarantined, troubles] = [reader.quarantined(), reader.troubles()];
  return { ...state, spend, holds, ofRoles, quarantined, troubles };
}

function append(files: MemoryFiles, log: LogName, line: string): void {
  need(files.append(logPath(HOME, log), Buffer.from(line)));
}

const adopted = (...names: string[]) =>
  encodeRecord(BuilderRecord, builder.adopt(Object.fromEntries(names.map((m) => [m, ["one"]]))));

const Kept = z.map(
  z.string(),
  z.looseObject({ prefix: z.looseObject({ value: z.looseObject({ refusals: z.number() }) }) }),
);

/** Builder's records whose fold was kept. What was kept counts refusals that no record holds. */
async function keptLog(): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  append(files, "builder", adopted("A"));
  append(files, "builder", adopted("A", "B"));
  await known(files, PLACE);
  const kept = Kept.parse(readSnapshot(files, PLACE));
  for (const { prefix } of kept.values()) prefix.value.refusals = MARK;
  writeSnapshot(files, PLACE, kept);
  return files;
}

/** Shows that a state comes from what was kept, and not from the log. */
const MARK = 77;

async function refusals(files: MemoryFiles, place = PLACE): Promise<number> {
  return (await known(files, place)).builder.refusals;
}

test("the next process continues what was kept, and reads only what came after", async () => {
  const files = await keptLog();
  expect(await refusals(files)).toBe(MARK);
  append(files, "builder", adopted("C"));
  const state = await known(files, PLACE);
  expect(state.builder.refusals).toBe(MARK);
  expect(state.builder.plan.map(({ name }) => name)).toEqual(["C"]);
});

test.each<readonly [string, (files: MemoryFiles, bytes: Buffer) => void]>([
  ["cut", (files, bytes) => files.cut(BUILDER_LOG, bytes.indexOf("\n") + 1)],
  ["removed", (files) => need(files.remove(BUILDER_LOG))],
  ["replaced by the same text", (files, bytes) => need(files.replace(BUILDER_LOG, bytes))],
  [
    "rewritten with other text of the same length",
    (files, bytes) => files.write(BUILDER_LOG, bytes.toString().replace("request=0", "request=1")),
  ],
  [
    "cut, and grown again beyond what was folded",
    (files, bytes) => {
      files.cut(BUILDER_LOG, bytes.indexOf("\n") + 1);
      for (const m of ["C", "D"]) append(files, "builder", adopted(m, "a name as long"));
    },
  ],
  [
    "edited in its first line, and grown",
    (files, bytes) => {
      files.write(BUILDER_LOG, bytes.toString().replace("request=0", "request=1"));
      append(files, "builder", adopted("C"));
    },
  ],
])("a log that was %s is folded anew", async (_, change) => {
  const files = await keptLog();
  const before = Buffer.from(files.bytesOf(BUILDER_LOG));
  change(files, before);
  const anew = await known(files);
  expect(anew.builder.refusals).toBe(0);
  expect(await known(files, PLACE)).toEqual(anew);
});

test("what one log's doubt costs is that log: the others are continued", async () => {
  const files = await keptLog();
  append(
    files,
    "human",
    encodeRecord(HumanRecord, { kind: "stop", time: "2026-11-20T12:00:00.000Z" }),
  );
  await known(files, PLACE);
  need(files.replace(HOME.humanLog, files.bytesOf(HOME.humanLog)));
  const state = await known(files, PLACE);
  expect(state.builder.refusals).toBe(MARK);
  expect(state.human).toEqual((await known(files)).human);
});

test("a damaged snapshot is not believed, whichever bit is wrong and wherever it ends", async () => {
  const whole = await keptLog();
  const bytes = Buffer.from(whole.bytesOf(PLACE.path));
  const anew = await known(whole);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), fc.boolean(), async (at, bit, isCut) => {
      const files = new MemoryFiles();
      files.write(BUILDER_LOG, whole.bytesOf(BUILDER_LOG));
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      files.write(PLACE.path, isCut ? bytes.subarray(0, at) : damaged);
      expect(await known(files, PLACE)).toEqual(anew);
    }),
    { numRuns: 300 },
  );
});

test("another program, and the fold of another session, find nothing that they believe", async () => {
  const files = await keptLog();
  expect(await refusals(files, { ...PLACE, key: () => "other" })).toBe(0);
});

test("without the snapshot, or if it cannot be read or written, everything is read", async () => {
  const files = await keptLog();
  files.fault = (_, path) => (path === PLACE.path ? "EIO" : undefined);
  expect(await refusals(files)).toBe(0);
  files.fault = () => undefined;
  need(files.remove(PLACE.path));
  expect(await refusals(files)).toBe(0);
});

test("a snapshot is written only when enough was folded since", async () => {
  const files = new MemoryFiles();
  const place = { ...PLACE, worthBytes: 2 * Buffer.byteLength(adopted("A")) };
  append(files, "builder", adopted("A"));
  await known(files, place);
  expect(files.stat(place.path)).toBeUndefined();
  append(files, "builder", adopted("B"));
  await known(files, place);
  const { inode } = files.stat(place.path) ?? {};
  expect(inode).toBeGreaterThan(0);
  append(files, "builder", adopted("C"));
  await known(files, place);
  expect(files.stat(place.path)?.inode).toBe(inode);
});

const SCHEMAS: readonly (readonly [LogName, RecordUnion])[] = [
  ["builder", BuilderRecord],
  ["planner", PlannerRecord],
  ["reviewer", ReviewerRecord],
  ["tester", TesterRecord],
  ["supervisor", SupervisorRecord],
  ["human", HumanRecord],
];

/** A log and one of its lines; some are no records. */
const anyLine = fc.oneof(
  ...SCHEMAS.map(([log, schema]) =>
    fc
      .oneof(
        {
          weight: 9,
          arbitrary: anyRecord(schema).map((record: z.output<RecordUnion>) =>
            encodeRecord(schema, record),
          ),
        },
        { weight: 1, arbitrary: fc.constant("no record\n") },
      )
      .map((line) => [log, line] as const),
  ),
);

test("random logs, kept at random moments, are known as if they had been read at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyLine, { maxLength: 8 }), { minLength: 2, maxLength: 4 }),
      async (processes) => {
        const files = new MemoryFiles();
        for (const lines of processes) {
          for (const [log, line] of lines) append(files, log, line);
          const continued = await known(files, PLACE);
          expect(continued).toStrictEqual(await known(files));
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** What may become of a log while no process runs: a power cut, a copy that is put back, a person's editor. */
const anyChange = fc.record({
  log: fc.constantFrom(...SCHEMAS.map(([log]) => log)),
  kind: fc.constantFrom("cut", "emptied at its end", "edited", "replaced", "as it was"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});

function change(
  files: MemoryFiles,
  { log, kind, at }: { readonly log: LogName; readonly kind: string; readonly at: number },
): void {
  const path = logPath(HOME, log);
  if (files.stat(path) === undefined) return;
  const bytes = Buffer.from(files.bytesOf(path));
  const from = Math.floor(at * bytes.length);
  if (kind === "cut") files.cut(path, from);
  if (kind === "emptied at its end") files.write(path, Buffer.from(bytes).fill(0, from));
  if (kind === "edited") files.write(path, bytes.toString("latin1").replace(/[a-y]/u, "z"));
  if (kind === "replaced") need(files.replace(path, bytes.subarray(0, from)));
}

test("logs that change between two processes, in whatever way, are known as if they had been read at once", async () => {
  const anyProcess = fc.tuple(
    fc.array(anyLine, { maxLength: 8 }),
    fc.array(anyChange, { maxLength: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyProcess, { minLength: 2, maxLength: 4 }), async (processes) => {
      const files = new MemoryFiles();
      for (const [lines, changes] of processes) {
        for (const [log, line] of lines) append(files, log, line);
        expect(await known(files, PLACE)).toStrictEqual(await known(files));
        for (const each of changes) change(files, each);
      }
    }),
    { numRuns: 300 },
  );
});
