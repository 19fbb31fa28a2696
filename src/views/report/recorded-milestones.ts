import type { Looked } from "../../workspace/finished/verified-at.ts";
import type { LogRecord, RecordOfLog } from "../../fs-protocol/home/logs.ts";

/** How a role answered a milestone, and when. Times are in milliseconds since 1970. */
export interface MilestoneAnswer {
  readonly outcome: string;
  readonly atMs: number;
}

/** What the logs record about one milestone. */
export interface RecordedMilestone {
  /** Begin of the first turn that counts toward it. */
  readonly beganMs: number | undefined;
  /** Build turns that ended. */
  readonly builds: number;
  /** Where it begins and ends on the branch, once it is complete. */
  readonly range:
    { readonly start: string; readonly end: string; readonly atMs: number } | undefined;
  readonly commits: readonly string[];
  /** Result of verify at the end of its range; absent if it did not run there. */
  readonly verify: "passed" | "failed" | undefined;
  /** Of that result; see `Looked`. */
  readonly looks?: Looked["looks"];
  readonly split?: Looked["split"];
  readonly review: MilestoneAnswer | undefined;
  readonly test: MilestoneAnswer | undefined;
}

/** A milestone of which nothing is recorded. */
export const NOT_BEGUN: RecordedMilestone = {
  beganMs: undefined,
  builds: 0,
  range: undefined,
  commits: [],
  verify: undefined,
  review: undefined,
  test: undefined,
};

/** Gathers what the logs record about each milestone. The records of each log are added in their order. */
export class MilestoneReader {
  readonly #milestones = new Map<string, RecordedMilestone>();
  readonly #verified = new Map<string, Pick<RecordedMilestone, "verify" | "looks" | "split">>();

  add({ log, record }: LogRecord): void {
    const atMs = Date.parse(record.time);
    if (log !== "human" && record.kind === "turn.begin" && record.m !== undefined) {
      const { beganMs = atMs } = this.#of(record.m);
      this.#note(record.m, { beganMs: Math.min(beganMs, atMs) });
    }
    if (record.kind === "verify.result") {
      const { outcome: verify, looks, split } = record;
      this.#verified.set(record.at, { verify, looks, split });
    }
    if (record.kind === "build.end") this.#addBuild(record, atMs);
    if (record.kind === "review.end" && record.m !== undefined) {
      this.#note(record.m, { review: { outcome: record.outcome, atMs } });
    }
    if (record.kind === "test.end") {
      this.#note(record.m, { test: { outcome: record.outcome, atMs } });
    }
  }

  /** By name, in the order in which they first appear. */
  get milestones(): ReadonlyMap<string, RecordedMilestone> {
    return new Map(
      [...this.#milestones].map(([name, one]) => {
        const verified = one.range && this.#verified.get(one.range.end);
        return [name, { ...one, ...verified }];
      }),
    );
  }

  #addBuild(record: BuildEnd, atMs: number): void {
    const { builds, commits } = this.#of(record.m);
    this.#note(record.m, { builds: builds + 1, commits: [...commits, ...record.commits] });
    for (const { name, start, end } of record.milestones) {
      this.#note(name, { range: { start, end, atMs } });
    }
  }

  #of(name: string): RecordedMilestone {
    return this.#milestones.get(name) ?? NOT_BEGUN;
  }

  #note(name: string, facts: Partial<RecordedMilestone>): void {
    this.#milestones.set(name, { ...this.#of(name), ...facts });
  }
}

type BuildEnd = Extract<RecordOfLog<"builder">, { readonly kind: "build.end" }>;
