import type { RevisionItem, RevisionPlan } from "../../session/rules/revision-plan.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** What `wisp revise --json` prints; fields are added, never renamed or removed. */
export interface ReviseView {
  readonly schema: "wisp.revise/1";
  /** Nothing was created. */
  readonly isDryRun: boolean;
  /** The revision's session; absent if none was created. */
  readonly session?: string;
  /** The session of which it is a revision, and its number. */
  readonly parent: string | undefined;
  readonly revision?: number | undefined;
  readonly branch: string;
  readonly base: string;
  /** Its files; absent if none was created. */
  readonly home?: string;
  readonly problems: readonly string[];
  /** What the plan has to fix; absent if there is no plan yet. */
  readonly items?: readonly RevisionItem[];
  /** Whether it runs. */
  readonly isStarted: boolean;
}

interface MadeRevision {
  readonly revision: FoundSession;
  readonly problems: readonly string[];
  readonly plan: RevisionPlan;
}

/** A revision that was created. */
export function reviseView(
  { revision, problems, plan }: MadeRevision,
  { start }: { readonly start: boolean },
): ReviseView {
  const { id, branch, base, parent } = revision.session;
  return {
    schema: "wisp.revise/1",
    isDryRun: false,
    session: id,
    parent: parent?.id,
    revision: parent?.revision,
    branch,
    base,
    home: revision.home.directory,
    problems,
    items: plan.items,
    isStarted: start,
  };
}

/** The same for a revision that was not created. */
export function plannedRevision(
  { id, branch, base }: FoundSession["session"],
  problems: readonly string[],
): ReviseView {
  const where = { parent: id, branch, base };
  return { schema: "wisp.revise/1", isDryRun: true, ...where, problems, isStarted: false };
}
