import type { Role } from "../../src/base/role.ts";
import type { StatusFacts } from "../../src/workspace/session/status-facts.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "../../src/session/state/fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "../../src/session/state/fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "../../src/session/state/fold-planner.ts";
import { EMPTY_SUPERVISOR, foldSupervisor } from "../../src/session/state/fold-supervisor.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { branchOf, type SessionState } from "../../src/session/state/session-state.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import type { z } from "zod";

/** The time of all records, and the current time of every status. */
const TIME = "2026-11-20T12:00:00.000Z";

/** A commit whose id is one digit, repeated. */
export function oid(digit: string): string {
  return digit.repeat(40);
}

/** A JSON value as a field of a record. */
export function json(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

/** Lines of logs without their time, and the commits of the branch after the base. */
export interface Story {
  readonly planner?: readonly string[];
  readonly builder?: readonly string[];
  readonly reviewer?: readonly string[];
  readonly tester?: readonly string[];
  readonly human?: readonly string[];
  readonly supervisor?: readonly string[];
  readonly commits?: readonly string[];
}

/** The state of a session with these lines in its logs. */
function stateOf(story: Story): SessionState {
  const commits = story.commits ?? [];
  const policy = DEFAULT_POLICY;
  return {
    policy,
    planner: folded(PlannerRecord, story.planner, EMPTY_PLANNER, foldPlanner),
    builder: folded(BuilderRecord, story.builder, EMPTY_BUILDER, (fold, record) =>
      foldBuilder(fold, record, policy),
    ),
    reviewer: folded(ReviewerRecord, story.reviewer, EMPTY_JUDGE, foldJudge),
    tester: folded(TesterRecord, story.tester, EMPTY_JUDGE, foldJudge),
    human: folded(HumanRecord, story.human, EMPTY_HUMAN, foldHuman),
    supervisor: folded(SupervisorRecord, story.supervisor, EMPTY_SUPERVISOR, foldSupervisor),
    branch: branchOf(oid("0"), commits.at(-1) ?? oid("0"), commits),
  };
}

/** All facts of a status, for such a session. */
export function factsOf(
  story: Story,
  alive: readonly (Role | "supervisor")[] = [
    "supervisor",
    "planner",
    "builder",
    "reviewer",
    "tester",
  ],
): StatusFacts {
  return {
    session: SESSION,
    home: homeAt("/repo/.wisp/sessions/api"),
    state: stateOf(story),
    alive: new Set(alive),
    quarantined: [],
    nowMs: Date.parse(TIME),
  };
}

function folded<S extends z.ZodType, F>(
  schema: S,
  lines: readonly string[] = [],
  empty: F,
  reduce: (fold: F, record: z.output<S>) => F,
): F {
  return lines.reduce((fold, line) => {
    const read = decodeRecord(schema, `${TIME} ${line}`);
    if (!read.ok) throw new Error(`${line}: ${read.failure.problem}`);
    return reduce(fold, read.value);
  }, empty);
}

const ENGINE = { name: "command", argv: ["agent"], turnTimeoutMs: 1_000 };

const SESSION: SessionJson = {
  version: 1,
  id: "api",
  branch: "wisp/api",
  base: oid("0"),
  createdAt: TIME,
  repository: "/repo",
  state: "/state",
  identity: { name: "Ada", email: "ada@example.com" },
  engines: { planner: ENGINE, builder: ENGINE, reviewer: ENGINE, tester: ENGINE },
  policy: DEFAULT_POLICY,
  verify: [["npm", "test"]],
  setup: [],
  verifyTimeoutMs: 1_000,
  testPaths: ["test/**"],
  publish: { at: "done" },
};
