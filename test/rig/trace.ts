import { readFileSync } from "node:fs";
import { z } from "zod";

const Metadata = z.object({
  ph: z.literal("M"),
  name: z.enum(["process_name", "process_sort_index", "thread_name"]),
  pid: z.int(),
  tid: z.int(),
  args: z.record(z.string(), z.union([z.string(), z.int()])),
});
const Complete = z.object({
  ph: z.literal("X"),
  cat: z.string(),
  name: z.string(),
  pid: z.int(),
  tid: z.int().positive(),
  ts: z.int().positive(),
  dur: z.int().nonnegative(),
  args: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .refine((facts) => Object.keys(facts).length > 0, "viewers show empty arguments")
    .default({}),
});
export type CompleteEvent = z.infer<typeof Complete>;

/** A trace as its viewers read it. */
export interface ReadTrace {
  readonly spans: readonly CompleteEvent[];
  /** The names of the processes, by pid. */
  readonly names: ReadonlyMap<number, string>;
}

/** Reads a trace after adding the bracket that the format lets a writer omit; every event must conform. */
export function readTrace(path: string): ReadTrace {
  const parsed: unknown = JSON.parse(`${readFileSync(path, "utf8")}]`);
  const events = z.array(z.discriminatedUnion("ph", [Metadata, Complete])).parse(parsed);
  const named = events.filter(({ ph, name }) => ph === "M" && name === "process_name");
  return {
    spans: events.filter((event) => event.ph === "X"),
    names: new Map(named.map(({ pid, args }) => [pid, String(args["name"])])),
  };
}

/** Whether one span is within another in time. */
export function isWithin(inner: Interval, outer: Interval): boolean {
  return inner.ts >= outer.ts && inner.ts + inner.dur <= outer.ts + outer.dur;
}

type Interval = Pick<CompleteEvent, "ts" | "dur">;
type OnLane = Interval & Pick<CompleteEvent, "name" | "pid" | "tid">;

/** Pairs of spans on one lane of which one begins within the other and ends after it. */
export function crossings(spans: readonly OnLane[]): readonly string[] {
  const lanes = new Set(spans.map(laneOf));
  return [...lanes].flatMap((lane) => {
    const around: OnLane[] = [];
    return spans
      .filter((span) => laneOf(span) === lane)
      .toSorted((one, other) => one.ts - other.ts || other.dur - one.dur)
      .flatMap((span) => {
        while (isOver(around.at(-1), span.ts)) around.pop();
        const outer = around.at(-1);
        around.push(span);
        return outer === undefined || isWithin(span, outer) ? [] : [`${outer.name} × ${span.name}`];
      });
  });
}

function laneOf({ pid, tid }: OnLane): string {
  return `${String(pid)}/${String(tid)}`;
}

function isOver(span: Interval | undefined, atUs: number): boolean {
  return span !== undefined && span.ts + span.dur <= atUs;
}
