import type { Role } from "../../base/role.ts";
import type { RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { Attributes, SpanEvent } from "./otlp-span.ts";

type RoleRecord = RecordOfLog<Role>;

/** How a unit ended. */
export interface EndOfUnit {
  readonly unit: string;
  readonly outcome: string | undefined;
  /** The kind of the failure, if it failed. */
  readonly failure: string | undefined;
}

/** Outcomes after which the work is not done and is not tried again by itself. */
const FAILED: ReadonlySet<string> = new Set(["failed", "gaveup", "blocked"]);

/** The end of a unit, if the record is one. */
export function unitEndOf(record: RoleRecord): EndOfUnit | undefined {
  switch (record.kind) {
    case "plan.end":
    case "base.end":
    case "build.end":
    case "hint.end":
    case "fix.end":
    case "review.end":
    case "test.end":
    case "final.end":
      return endedAs(record.unit, record.outcome);
    case "verify.end":
      return endedAs(record.unit, record.verdict);
    case "remote.push":
      return record.unit === undefined ? undefined : endedAs(record.unit, record.outcome);
    default:
      return undefined;
  }
}

function endedAs(unit: string, outcome: string): EndOfUnit {
  return { unit, outcome, failure: FAILED.has(outcome) ? outcome : undefined };
}

/** What a record tells of the unit in which it was written, without its texts: those may hold anything. */
export function roleEventOf(record: RoleRecord, atMs: number): SpanEvent | undefined {
  const event = (name: string, attributes: Attributes = {}) => ({ name, atMs, attributes });
  switch (record.kind) {
    case "verify.result":
      return event("wisp.verify", {
        ...{ "wisp.outcome": record.outcome, "vcs.ref.head.revision": record.at },
        "wisp.failing": record.failing?.length,
      });
    case "command.result":
      return event("wisp.command", {
        ...{ "wisp.outcome": record.outcome, "vcs.ref.head.revision": record.at },
      });
    case "push.intent":
      return event("wisp.publish", {
        ...{ "wisp.commits": record.shas.length, "vcs.ref.head.revision": record.shas.at(-1) },
      });
    case "limited":
      return event("wisp.limited", {
        "error.type": record.cause,
        "gen_ai.agent.name": record.engine,
      });
    case "attempt.failed":
      return event("wisp.attempt.failed");
    case "unit.wait":
      return event("wisp.wait");
    case "unit.recover":
      return event("wisp.recover", { "wisp.found": record.found });
    default:
      return undefined;
  }
}
