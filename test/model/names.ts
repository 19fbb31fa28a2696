import type { Oid } from "../../src/base/oid.ts";
import type { Finding } from "../../src/fs-protocol/records/finding.ts";
import type { PlanMilestone } from "../../src/fs-protocol/codec/record-fields.ts";
import type { MilestoneSketch } from "./scenarios.ts";

/** The time of every record of the explored world: clocks do not matter there. */
export const TIME = "2026-01-01T00:00:00.000Z";

/** The commit that the session branch starts from. */
export const BASE: Oid = "ba5e".padEnd(40, "0");

/** The id of the n-th commit on the branch, from 1, which depends on its place only. */
export function shaAt(place: number): Oid {
  return `c${place.toString(16).padStart(39, "0")}`;
}

/** A placeholder for texts that the schemas require and nothing reads. */
export const NOTHING = "-";

/** A milestone of the explored world. */
export function milestoneOf(sketch: MilestoneSketch): PlanMilestone {
  const count = Number(sketch.slice(-1));
  return {
    name: sketch,
    tasks: Array.from({ length: count }, (_, index) => `${sketch}.${String(index + 1)}`),
  };
}

/** The milestone that version `v` of the request adds to the plan. */
export function updateMilestone(v: number): PlanMilestone {
  return milestoneOf(`u${String(v)}1`);
}

/** The fake digest of a plan: its names, so that equal plans have equal digests. */
export function planDigest(milestones: readonly PlanMilestone[]): string {
  const text = milestones.map(({ name }) => name).join();
  let hex = "";
  for (const character of text) hex += (character.codePointAt(0) ?? 0).toString(16);
  return hex.slice(0, 64).padEnd(64, "0");
}

/** The fake digest of a person's edit: no two edits leave the same text. */
export function editDigest(index: number): string {
  return `ed17${index.toString(16)}`.padEnd(64, "0");
}

/** Ids of items found by reviewers, testers and people. */
export function findingName(opener: "COR" | "BUG" | "HUM", ordinal: number): string {
  return `${opener}-${ordinal.toString(16).padStart(6, "0")}`;
}

/** The bug about a red verify at the end. */
export const RED_VERIFY = "BUG-0000ed";

/** The bug about tests of the session's base that fail at the end although verify is green. */
export const BASE_TESTS = "BUG-0000ba";

/** Bugs that the tester computes: no engine's verdict closes them. */
export const COMPUTED: readonly string[] = [RED_VERIFY, BASE_TESTS];

/** A blocking finding or bug. */
export function findingOf(id: string): Finding {
  return {
    id,
    level: "blocking",
    reviewer: id.startsWith("BUG-") ? "tester" : "reviewer",
    category: NOTHING,
    brief: NOTHING,
    issue: NOTHING,
    suggestion: NOTHING,
  };
}

/** What a commit of the explored world does: no two commits on the branch may do the same (I4). */
export const work = {
  task: (m: string, ordinal: number) => `task:${m}:${String(ordinal)}`,
  /** Corrects what an earlier turn left unverified. */
  more: (m: string, ordinal: number) => `more:${m}:${String(ordinal)}`,
  fix: (ids: readonly string[], attempt: number) => `fix:${ids.join("+")}:${String(attempt)}`,
  test: (unit: string) => `test:${unit}`,
  foreign: (ordinal: number) => `foreign:${String(ordinal)}`,
  /** A colleague's commit at the remote, and the merge that joins it with the branch. */
  remote: (ordinal: number) => `remote:${String(ordinal)}`,
  merge: (unit: string) => `merge:${unit}`,
  /** Changes no file. */
  empty: (unit: string) => `empty:${unit}`,
};

/** Whether a commit changes no file. */
export function isEmpty(commitWork: string | undefined): boolean {
  return commitWork?.startsWith("empty:") === true;
}

/** All work of a commit: for a batch, the fix of each finding. */
export function worksIn(commitWork: string): readonly string[] {
  const [, ids, attempt] = /^fix:([^:]+):(\d+)$/.exec(commitWork) ?? [];
  if (ids === undefined) return [commitWork];
  return ids.split("+").map((id) => work.fix([id], Number(attempt)));
}

/** Whether a commit builds milestone `m`. */
export function builds(commitWork: string | undefined, m: string): boolean {
  if (commitWork === undefined) return false;
  return commitWork.startsWith(`task:${m}:`) || commitWork.startsWith(`more:${m}:`);
}
