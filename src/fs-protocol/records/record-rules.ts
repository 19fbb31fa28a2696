import { decodeBatch, kindOfItem } from "./item-id.ts";

/**
 * What a record must hold beyond the types of its fields: a record that breaks one of these is a bad
 * line, whoever wrote it. So no fold meets a record that it cannot make sense of.
 */
interface Rule<R> {
  readonly holds: (record: R) => boolean;
  /** Goes behind the name of the field. */
  readonly error: string;
  readonly path: string[];
}

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

/** A base is accepted by the answer to a question, and by nothing else. */
export const ACCEPTS_BY_ID = rule<{
  readonly outcome: string;
  readonly by?: string | undefined;
}>("by", "a question comes with outcome=accepted, and with no other", ({ outcome, by }) => {
  return (outcome === "accepted") === (by !== undefined);
});

/** A build turn ends milestones exactly when it says so. */
export const NAMES_MILESTONES = rule<{
  readonly outcome: string;
  readonly milestones: readonly unknown[];
}>(
  "milestones",
  "milestones end with outcome=milestone, and with no other",
  ({ outcome, milestones }) => (outcome === "milestone") === milestones.length > 0,
);

/** A hint says something exactly when there is one. */
export const SAYS_HINT = rule<{
  readonly outcome: string;
  readonly text?: string | undefined;
}>("text", "a text comes with outcome=hint, and with no other", ({ outcome, text }) => {
  return (outcome === "hint") === (text !== undefined);
});

/** A fix that may be judged names the commit to look at. */
export const NAMES_COMMIT = rule<{
  readonly outcome: string;
  readonly sha?: string | undefined;
}>("sha", "a fix, or a claim that none is due, names a commit", ({ outcome, sha }) => {
  return sha !== undefined || (outcome !== "fixed" && outcome !== "nochange");
});

/** A batch is of findings on the fix list, each in one batch at most. */
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

/** A plan is staged exactly when the answer is one. */
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

/** A plan that is adopted or refused is the planner's, or a person's. */
export const ANSWERS_ONE = rule<PlanVerdict>(
  "seq",
  "an answer of the planner or an edit of a person is adopted or refused",
  ({ seq, human }) => (seq === undefined) !== (human === undefined),
);

/** Only a person's plan says which boxes are ticked. */
export const TICKS_EDIT = rule<PlanVerdict & { readonly ticks?: unknown }>(
  "ticks",
  "ticks come with the edit of a person, and with nothing else",
  ({ human, ticks }) => (human === undefined) === (ticks === undefined),
);

/** A review is of commits, of a milestone, or of a milestone and its commits. */
export const REVIEWS_ONE = rule<{
  readonly checkpoint?: string | undefined;
  readonly m?: string | undefined;
}>("checkpoint", "a review is of commits, of a milestone, or of both", ({ checkpoint, m }) => {
  return checkpoint !== undefined || m !== undefined;
});

/** A person's record that is taken over adds a finding or dismisses one. */
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

/** What a reviewer finds are none. */
export const FINDS_NO_BUGS = rule<{ readonly findings: readonly Item[] }>(
  "findings",
  "only the ids of bugs begin with BUG-",
  ({ findings }) => !findings.some(isBug),
);

/** Nor is what a person adds: the reviewer takes it over. */
export const ADDS_NO_BUG = rule<{ readonly finding?: Item | undefined }>(
  "finding",
  "only the ids of bugs begin with BUG-",
  ({ finding }) => finding === undefined || !isBug(finding),
);
