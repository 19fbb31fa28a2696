import { need } from "../../base/fatal.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { clip } from "../work/clip.ts";
import type { RoleContext } from "../work/role-context.ts";
import { findUnusual } from "../unusual/find-unusual.ts";
import { unusualByKind } from "../unusual/unusual-lines.ts";
import type { Range } from "./plan-review.ts";

/** Things that one note names; the end of the session names more. */
const ROWS_MAX = 5;

/**
 * What is unusual about the commits of a milestone, as notes for people, one for each kind: no engine is told, and
 * nobody has to fix it. None for a milestone that was answered before: it had them then.
 */
export async function inspectCommits(
  { clone: open, session, ports }: RoleContext<"reviewer">,
  { reviewer }: SessionState,
  { purpose, start, at, about }: Range,
): Promise<readonly string[]> {
  const { milestone } = about;
  if (purpose !== "review-milestone" || milestone === undefined) return [];
  if (reviewer.answered.has(milestone)) return [];
  const clone = await open();
  if (!(await clone.has(at))) need(await clone.syncTo(at));
  const expected = { identity: session.identity, nowMs: ports.clock.nowMs() };
  const unusual = findUnusual(await clone.broughtIn(start, at), expected);
  return unusualByKind(unusual, undefined, ROWS_MAX).map((lines) =>
    clip(`Look at, in "${milestone}": ${lines.join("; ")}`),
  );
}
