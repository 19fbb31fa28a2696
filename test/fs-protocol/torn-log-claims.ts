import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "../../src/session/state/fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "../../src/session/state/fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "../../src/session/state/fold-planner.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { LogFold } from "../../src/fs-protocol/codec/log-fold.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { anyRecord, type RecordUnion } from "../rig/arbitrary-record.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const PATH = "/session/logs/a.log";

/** A log: its possible records, and its fold. */
interface Log<S extends RecordUnion, F> {
  readonly schema: S;
  readonly empty: F;
  readonly reduce: (fold: F, record: z.output<S>) => F;
}

/** What happens to a log. */
type Happening<R> =
  | { readonly kind: "append"; readonly record: R }
  /** The writer is killed during an append: this much of it was written. */
  | { readonly kind: "tear"; readonly record: R; readonly at: number }
  /** A reader continues from its cursor. */
  | { readonly kind: "read" }
  /** The file is replaced by one with the same content. */
  | { readonly kind: "replace" };

function anyHappening<R>(record: fc.Arbitrary<R>): fc.Arbitrary<Happening<R>> {
  return fc.oneof(
    { weight: 4, arbitrary: record.map((it) => ({ kind: "append", record: it }) as const) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(record, fc.nat())
        .map(([it, at]) => ({ kind: "tear", record: it, at }) as const),
    },
    { weight: 3, arbitrary: fc.constant({ kind: "read" } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: "replace" } as const) },
  );
}

/** Runs the property this many times for one log. */
function expectWholeRecords<S extends RecordUnion, F>(log: Log<S, F>, numRuns: number): void {
  const happenings = fc.array(anyHappening(anyRecord(log.schema)), { maxLength: 6 });
  fc.assert(
    fc.property(happenings, fc.integer({ min: 1, max: 64 }), (all, chunk) => {
      expectSameFold(log, all, chunk);
    }),
    { numRuns },
  );
}

function expectSameFold<S extends RecordUnion, F>(
  { schema, empty, reduce }: Log<S, F>,
  happenings: readonly Happening<z.output<S>>[],
  chunk: number,
): void {
  const files = new MemoryFiles();
  const readChunk = files.readChunk.bind(files);
  files.readChunk = (path, offset, length) => readChunk(path, offset, Math.min(length, chunk * 16));
  const reader = (records: z.output<S>[]) =>
    new LogFold<S, F>({
      files,
      path: PATH,
      schema,
      empty,
      reduce,
      onRecord: (it) => records.push(it),
    });
  const whole: z.output<S>[] = [];
  const often = reader([]);
  for (const happening of happenings) {
    switch (happening.kind) {
      case "append":
        files.append(PATH, Buffer.from(encodeRecord(schema, happening.record)));
        whole.push(happening.record);
        break;
      case "tear": {
        const line = Buffer.from(encodeRecord(schema, happening.record));
        const torn = line.subarray(0, happening.at % line.length);
        files.write(PATH, Buffer.concat([files.bytesOf(PATH), torn]));
        break;
      }
      case "read":
        expect(often.refresh()).toEqual({ ok: true, value: whole.reduce(reduce, empty) });
        break;
      case "replace":
        files.replace(PATH, files.bytesOf(PATH));
    }
  }
  const records: z.output<S>[] = [];
  const once = reader(records);
  once.refresh();
  expect(records).toEqual(whole);
  expect(often.refresh()).toEqual({ ok: true, value: once.value });
}

const judge = { empty: EMPTY_JUDGE, reduce: foldJudge };

/** Each log by its name, with the property that holds for it; `numRuns`: cases. */
export const TORN_LOG_CLAIMS: readonly (readonly [string, (numRuns: number) => void])[] = [
  [
    "builder.log",
    (numRuns) => {
      const reduce = (fold: BuilderFold, record: BuilderRecord) =>
        foldBuilder(fold, record, DEFAULT_POLICY);
      expectWholeRecords({ schema: BuilderRecord, empty: EMPTY_BUILDER, reduce }, numRuns);
    },
  ],
  [
    "planner.log",
    (numRuns) => {
      expectWholeRecords(
        { schema: PlannerRecord, empty: EMPTY_PLANNER, reduce: foldPlanner },
        numRuns,
      );
    },
  ],
  [
    "reviewer.log",
    (numRuns) => {
      expectWholeRecords({ schema: ReviewerRecord, ...judge }, numRuns);
    },
  ],
  [
    "tester.log",
    (numRuns) => {
      expectWholeRecords({ schema: TesterRecord, ...judge }, numRuns);
    },
  ],
  [
    "human.log",
    (numRuns) => {
      expectWholeRecords({ schema: HumanRecord, empty: EMPTY_HUMAN, reduce: foldHuman }, numRuns);
    },
  ],
];
