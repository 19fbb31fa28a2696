import type { z } from "zod";
import { BuilderRecord } from "../records/builder-log.ts";
import { HumanRecord } from "../records/human-log.ts";
import { PlannerRecord } from "../records/planner-log.ts";
import { ReviewerRecord } from "../records/reviewer-log.ts";
import { SupervisorRecord } from "../records/supervisor-log.ts";
import { TesterRecord } from "../records/tester-log.ts";
import type { LogName } from "../../base/role.ts";

/** The six logs of records, and the schema of each. */
export const LOG_SCHEMAS = {
  planner: PlannerRecord,
  builder: BuilderRecord,
  reviewer: ReviewerRecord,
  tester: TesterRecord,
  supervisor: SupervisorRecord,
  human: HumanRecord,
} as const satisfies Readonly<Record<LogName, z.ZodType>>;

/** A record of one of the logs. */
export type RecordOfLog<L extends LogName> = z.output<(typeof LOG_SCHEMAS)[L]>;
