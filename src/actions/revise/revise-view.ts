import type { RevisionPlan } from "../../session/rules/revision-plan.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

interface MadeRevision {
  readonly revision: FoundSession;
  readonly problems: readonly string[];
  readonly plan: RevisionPlan;
}

/** The output of `wisp revise --json`; fields are added, never renamed or removed. */
export function reviseView(
  { revision, problems, plan }: MadeRevision,
  { start }: { readonly start: boolean },
) {
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
): Record<string, unknown> {
  const where = { parent: id, branch, base };
  return { schema: "wisp.revise/1", isDryRun: true, ...where, problems, isStarted: false };
}
