import type { Rule } from "../codec/record-fields.ts";
import { decodeBatch, kindOfItem } from "./item-id.ts";

function rule<R>(field: string, error: string, holds: (record: R) => boolean): Rule<R> {
  return { holds, error, path: [field] };
}

interface Ending {
  readonly outcome?: string;
  readonly verdict?: string;
  readonly question?: string | undefined;
}

/** `needs_input` and `blocked` name the question that they wait for. */
export const ASKS_BY_ID = rule<Ending>(
  "question",
  "a unit that waits for a person names its question",
  ({ outcome, verdict, question }) => {
    const word = outcome ?? verdict;
    return question !== undefined || (word !== "needs_input" && word !== "blocked");
  },
);

/** Exactly an accepted base names the question whose answer accepted it. */
export const ACCEPTS_BY_ID = rule<{
  readonly outcome: string;
  readonly by?: string | undefined;
}>("by", "a question comes with outcome=accepted, and with no other", ({ outcome, by }) => {
  return (outcome === "accepted") === (by !== undefined);
});

/** Exactly a build turn with outcome `milestone` names the milestones that ended. */
export const NAMES_MILESTONES = rule<{
  readonly outcome: string;
  readonly milestones: readonly unknown[];
}>(
  "milestones",
  "milestones end with outcome=milestone, and with no other",
  ({ outcome, milestones }) => (outcome === "milestone") === milestones.length > 0,
);

/** Exactly outcome `hint` has a text. */
export const SAYS_HINT = rule<{
  readonly outcome: string;
  readonly text?: string | undefined;
}>("text", "a text comes with outcome=hint, and with no other", ({ outcome, text }) => {
  return (outcome === "hint") === (text !== undefined);
});

/** A fix that is to be judged names the commit to judge. */
export const NAMES_COMMIT = rule<{
  readonly outcome: string;
  readonly sha?: string | undefined;
}>("sha", "a fix, or a claim that none is due, names a commit", ({ outcome, sha }) => {
  return sha !== undefined || (outcome !== "fixed" && outcome !== "nochange");
});

/** A batch consists of findings on the fix list, and no finding is in two batches. */
export const BATCHES_LISTED = rule<{
  readonly fix: readonly string[];
  readonly batches?: readonly string[] | undefined;
}>("batches", "a batch is of items to fix, each in one batch at most", ({ fix, batches = [] }) => {
  const ids = batches.flatMap(decodeBatch);
  return new Set(ids).size === ids.length && ids.every((id) => fix.includes(id));
});

/** A fix of several findings names each once. */
export const NAMES_EACH_ONCE = rule<{
  readonly id: string;
  readonly also?: readonly Item[] | undefined;
}>("also", "a fix names each finding once", ({ id, also = [] }) => {
  return new Set([id, ...also.map((other) => other.id)]).size === also.length + 1;
});

/** Exactly outcome `plan` stages a plan. */
export const STAGES_PLAN = rule<{
  readonly outcome: string;
  readonly plan?: string | undefined;
  readonly milestones?: readonly unknown[] | undefined;
}>("plan", "plan and milestones come with outcome=plan, and with no other", (record) => {
  const { outcome, plan, milestones } = record;
  const isStaged = outcome === "plan";
  return (plan !== undefined) === isStaged && (milestones !== undefined) === isStaged;
});

interface PlanVerdict {
  readonly seq?: number | undefined;
  readonly human?: number | undefined;
}

/** A plan that is adopted or refused is either the planner's or a person's. */
export const ANSWERS_ONE = rule<PlanVerdict>(
  "seq",
  "an answer of the planner or an edit of a person is adopted or refused",
  ({ seq, human }) => (seq === undefined) !== (human === undefined),
);

/** Exactly a person's plan states which boxes are ticked. */
export const TICKS_EDIT = rule<PlanVerdict & { readonly ticks?: unknown }>(
  "ticks",
  "ticks come with the edit of a person, and with nothing else",
  ({ human, ticks }) => (human === undefined) === (ticks === undefined),
);

/** A review covers commits, a milestone, or a milestone and its commits. */
export const REVIEWS_ONE = rule<{
  readonly checkpoint?: string | undefined;
  readonly m?: string | undefined;
}>("checkpoint", "a review is of commits, of a milestone, or of both", ({ checkpoint, m }) => {
  return checkpoint !== undefined || m !== undefined;
});

/** An adopted record of a person either adds a finding or dismisses one. */
export const ADOPTS_ONE = rule<{
  readonly finding?: unknown;
  readonly dismiss?: string | undefined;
}>("finding", "a person's finding or the id that they dismiss is taken over", (record) => {
  return (record.finding === undefined) !== (record.dismiss === undefined);
});

interface Item {
  readonly id: string;
}

function isBug({ id }: Item): boolean {
  return kindOfItem(id) === "bug";
}

/** What the tester finds are bugs. */
export const FINDS_BUGS = rule<{ readonly bugs: readonly Item[] }>(
  "bugs",
  "the ids of bugs begin with BUG-",
  ({ bugs }) => bugs.every(isBug),
);

/** What a reviewer finds are never bugs. */
export const FINDS_NO_BUGS = rule<{ readonly findings: readonly Item[] }>(
  "findings",
  "only the ids of bugs begin with BUG-",
  ({ findings }) => !findings.some(isBug),
);

/** What a person adds is never a bug: the reviewer adopts it. */
export const ADDS_NO_BUG = rule<{ readonly finding?: Item | undefined }>(
  "finding",
  "only the ids of bugs begin with BUG-",
  ({ finding }) => finding === undefined || !isBug(finding),
);
