import { need } from "../../base/fatal.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { findUnusual } from "../../evidence/unusual/find-unusual.ts";
import { unusualByKind } from "../../evidence/unusual/unusual-lines.ts";
import type { Range } from "./plan-review.ts";

/** The unusual things that one note lists at most; the end of the session lists more. */
const ROWS_MAX = 5;

/**
 * Notes for people about what is unusual in the commits of a milestone, one for each kind. They are not shown to an
 * engine and need no fix. Returns nothing for a milestone that was answered before, because it got its notes then.
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
  need(await clone.bring(at));
  const expected = { identity: session.identity, nowMs: ports.clock.nowMs() };
  const unusual = findUnusual(await clone.broughtIn(start, at), expected);
  return unusualByKind(unusual, undefined, ROWS_MAX).map((lines) =>
    clip(`Check in "${milestone}": ${lines.join("; ")}`),
  );
}
