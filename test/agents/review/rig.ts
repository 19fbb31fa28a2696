import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import type { RecordOf } from "../../../src/work/role-context.ts";
import type { RoleEnd } from "../../../src/work/run-role.ts";
import type { Role } from "../../../src/base/role.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { planPath, roleLog } from "../../../src/fs-protocol/home/home.ts";
import { PlannerRecord } from "../../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord, encodeRecord } from "../../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../../src/fs-protocol/records/reviewer-log.ts";
import { parseTasks, planMilestones } from "../../../src/fs-protocol/tasks/tasks-md.ts";
import { TesterRecord } from "../../../src/fs-protocol/records/tester-log.ts";
import {
  inProcessSession,
  type InProcessOptions,
  type InProcessSession,
  type Script,
} from "../../rig/in-process-session.ts";
import { eventually, signsIn } from "../../rig/patience.ts";

export const DONE = { kind: "ended", status: "DONE", summary: "", text: "" } as const;
export const PASSED: TurnOutcome = {
  ...DONE,
  text: "### Verdict: PASSED\n\n### Findings\n\nNone\n",
};

/** A turn with one finding, or with one bug and its command. */
export function found(category: string, file: string, command?: string): TurnOutcome {
  const lines = [
    "### Verdict: NEEDS_WORK",
    "### Findings",
    `1. **X-1**: ${category} - It is wrong`,
    `   - File: ${file}:1`,
    "   - Issue: It says the wrong thing.",
    "   - Suggestion: Say the right thing.\n",
    ...(command === undefined ? [] : [`   - Command: ${command}\n`]),
  ];
  return { ...DONE, text: lines.join("\n\n") };
}

/** Ticks a task in the copy of TASKS.md, as an engine does. */
export function tick(request: TurnRequest, ...tasks: readonly string[]): void {
  const path = request.tasksFile ?? "";
  let text = readFileSync(path, "utf8");
  for (const task of tasks) text = text.replace(`- [ ] ${task}`, `- [x] ${task}`);
  writeFileSync(path, text);
}

const SCHEMAS: { readonly [R in Role]: z.ZodType<RecordOf[R]> } = {
  builder: BuilderRecord,
  planner: PlannerRecord,
  reviewer: ReviewerRecord,
  tester: TesterRecord,
};

/** A session whose plan is staged already, with access to its records. */
export interface PlannedSession extends Disposable {
  readonly at: InProcessSession;
  readonly turns: TurnRequest[];
  readonly start: (role: Role, script: Script) => { stop: () => void; ended: Promise<RoleEnd> };
  readonly records: <R extends Role>(role: R) => readonly RecordOf[R][];
  /** Waits until a condition on the files holds. */
  readonly until: (what: string, holds: () => boolean) => Promise<void>;
}

export function plannedSession(plan: string, options: InProcessOptions = {}): PlannedSession {
  const at = inProcessSession(options);
  const sha256 = createHash("sha256").update(plan).digest("hex");
  writeFileSync(planPath(at.home, sha256), plan);
  const parsed = parseTasks(plan);
  if (!parsed.ok) throw new Error(parsed.failure.problem);
  const staged = encodeRecord(PlannerRecord, {
    kind: "plan.end",
    time: "2026-11-20T12:00:00.000Z",
    unit: "plan:b0:r0",
    seq: 0,
    boundary: 0,
    request: 0,
    outcome: "plan",
    plan: sha256,
    milestones: planMilestones(parsed.value),
  });
  writeFileSync(roleLog(at.home, "planner"), staged);
  const turns: TurnRequest[] = [];
  return {
    at,
    turns,
    start: (role, script) =>
      at.start(role, (request) => {
        turns.push(request);
        return script(request);
      }),
    records: <R extends Role>(role: R) =>
      recordsIn<RecordOf[R]>(roleLog(at.home, role), SCHEMAS[role]),
    async until(what, holds) {
      const claim = () => {
        if (!holds()) throw new Error(`never came: ${what}`);
      };
      await eventually(claim, { signs: () => signsIn(at.home.directory) });
    },
    [Symbol.dispose]: () => {
      at[Symbol.dispose]();
    },
  };
}

function recordsIn<T>(path: string, schema: z.ZodType<T>): T[] {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      const record = decodeRecord(schema, line);
      return record.ok ? [record.value] : [];
    });
}

/** The `build.end` records so far. */
export function buildEnds(session: PlannedSession) {
  return session.records("builder").filter((record) => record.kind === "build.end");
}

/** Runs the builder until a condition holds, then interrupts it. */
export async function buildUntil(
  session: PlannedSession,
  script: Script,
  what: string,
  holds: () => boolean,
): Promise<RoleEnd> {
  const builder = session.start("builder", script);
  const early = builder.ended.then((end) => {
    if (!holds()) throw new Error(`the builder ended before ${what}: ${JSON.stringify(end)}`);
  });
  await Promise.race([session.until(what, holds), early]);
  builder.stop();
  return builder.ended;
}

/** A path outside clones and repository, where scripts leave marks. */
export function beside(session: PlannedSession, name: string): string {
  return join(session.at.session.state, "..", name);
}

/** A verify command that runs JavaScript; `mark(name)` returns the path that `beside` does. */
export function verifyBy(code: string): string[][] {
  const head =
    "const fs = require('fs'); const path = require('path');" +
    "const mark = (name) => path.resolve('../../../..', name);" +
    "const git = (...args) => require('child_process').execFileSync('git', args, { cwd: mark('repository'), encoding: 'utf8' }).trim();";
  return [[process.execPath, "-e", head + code]];
}
