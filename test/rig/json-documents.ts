import { jsonSchemasOf, type JsonSchema, type NamedType } from "./json-schema-of-types.ts";

/** A document that commands print with `--json`. */
export interface JsonDocument extends NamedType {
  /** Its schema's file is `schemas/output/<name>.<version>.schema.json`. */
  readonly name: string;
  readonly version: number;
}

const document = (name: string, file: string, type: string, version = 1): JsonDocument => {
  return { name, version, file: `src/${file}`, type };
};

/** All of them. A document of a new version is listed beside the old one for as long as that is printed. */
export const JSON_DOCUMENTS: readonly JsonDocument[] = [
  document("abandon", "cli/commands/abandon.ts", "AbandonView"),
  // Of all commands that act on a session and tell its status afterwards.
  document("acted", "cli/act-view.ts", "ActView"),
  document("cost", "views/cost/cost-view.ts", "CostView"),
  document("doctor", "cli/read-only/doctor.ts", "DoctorView"),
  document("done", "views/review/done-view.ts", "DoneView"),
  document("engines", "cli/read-only/engines.ts", "EnginesView"),
  document("error", "terminal/error-view.ts", "ErrorView"),
  document("event", "views/timeline/event-view.ts", "EventView"),
  document("finding", "cli/commands/findings-add.ts", "JudgedFindingView"),
  document("findings", "cli/read-only/findings.ts", "FindingsView"),
  document("fsck", "actions/repair/fsck-view.ts", "FsckView"),
  document("init", "cli/commands/init.ts", "InitView"),
  document("list", "cli/read-only/list.ts", "ListView"),
  document("list-all", "views/queue/list-all-view.ts", "ListAllView"),
  document("plan", "views/plan/plan-view.ts", "PlanView"),
  document("prune", "views/prune/prune-view.ts", "PruneView"),
  document("report", "views/report/report-view.ts", "ReportView"),
  document("review", "views/review/review-view.ts", "PrintedReview"),
  document("reviewed", "cli/commands/review-dry-run.ts", "ReviewedView"),
  document("revise", "actions/revise/revise-view.ts", "ReviseView"),
  document("shown-finding", "cli/read-only/findings.ts", "ShownFindingView"),
  document("start", "actions/start/start-view.ts", "StartView"),
  document("starts", "views/queue/starts-view.ts", "StartsView"),
  document("status", "views/status/status-view.ts", "StatusView"),
  // A list, which names no schema.
  document("tasks", "fs-protocol/tasks/task-list.ts", "TaskList"),
  document("unread", "cli/read-only/log.ts", "UnreadView"),
  document("why", "views/why/why-view.ts", "WhyView"),
];

/** The folder of the schemas, relative to the repository. */
export const JSON_SCHEMAS = "schemas/output";

function schemaFileOf({ name, version }: JsonDocument): string {
  return `${name}.${String(version)}.schema.json`;
}

/** The schemas of all documents, by file, as the source has them. */
export function currentJsonSchemas(): ReadonlyMap<string, JsonSchema> {
  const schemas = jsonSchemasOf(JSON_DOCUMENTS);
  return new Map(JSON_DOCUMENTS.map((one, at) => [schemaFileOf(one), schemas[at] ?? {}]));
}
