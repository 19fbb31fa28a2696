import type { Oid } from "../../src/base/oid.ts";
import type { AnsweredMilestone } from "../../src/fs-protocol/projections/answered-milestone.ts";
import type { DoneLine } from "../../src/fs-protocol/projections/builder-done.ts";
import type { EndedMilestone } from "../../src/fs-protocol/records/builder-log.ts";
import type { Level } from "../../src/fs-protocol/records/finding.ts";
import { judgedKey } from "../../src/session/state/fold-judge.ts";
import type { ItemLine } from "../../src/fs-protocol/projections/items-md.ts";
import type { ReviewedCommit } from "../../src/fs-protocol/projections/reviewer-checkpoint.ts";
import type { FinalPass } from "../../src/fs-protocol/projections/tester-final.ts";

/**
 * The state of a session according to the projections alone: the files that people, scripts and roles in
 * other languages read. It is the same as that of the role logs (`projections.property.test.ts`); while a
 * role has written its log but not yet these files, it is that of a shorter prefix of the log.
 */
export interface ProjectionsFold {
  /** `milestones.log`, oldest first. */
  readonly milestones: readonly EndedMilestone[];
  /** `reviewer.checkpoint`. */
  readonly commits: CommitsFold;
  /** `reviewer.milestone`. */
  readonly reviewed: AnswersFold;
  /** `tester.milestone`. */
  readonly tested: AnswersFold;
  /** `tester.final`: the last line; undefined before the first final pass was answered. */
  readonly final: FinalPass | undefined;
  /** `REVIEWS.md`. */
  readonly findings: ItemsFold;
  /** `BUGS.md`. */
  readonly bugs: ItemsFold;
  /** `builder.done`. */
  readonly ending: EndingFold;
}

/** The commits that the reviewer has finished. */
export interface CommitsFold {
  readonly checkpoint: Oid | undefined;
  readonly gaveUp: ReadonlySet<Oid>;
}

/** The milestones that a judge has finished: by name, whether it gave up. */
export type AnswersFold = ReadonlyMap<string, { readonly gaveUp: boolean }>;

/** The content of one list. */
export interface ItemsFold {
  /** Ids, in the order in which they were opened. */
  readonly open: ReadonlySet<string>;
  /** Level of each item that was ever opened, by id. */
  readonly levels: ReadonlyMap<string, Level>;
  /** Fixes that their opener has judged, by `<id>:<attempt>`. */
  readonly judged: ReadonlySet<string>;
}

/** The progress of the session towards its end. */
export interface EndingFold {
  /** Number of the newest final pass that was requested; 0 before the first. */
  readonly finalN: number;
  readonly reopens: number;
  /** Set while the session is ended. */
  readonly ended: Extract<DoneLine, { readonly kind: "complete" | "stuck" }> | undefined;
}

export const EMPTY_COMMITS: CommitsFold = { checkpoint: undefined, gaveUp: new Set() };
export const EMPTY_ANSWERS: AnswersFold = new Map();
export const EMPTY_ITEMS: ItemsFold = { open: new Set(), levels: new Map(), judged: new Set() };
export const EMPTY_ENDING: EndingFold = { finalN: 0, reopens: 0, ended: undefined };

/** One line of `milestones.log`, applied. Each name occurs once. */
export function foldMilestones(
  fold: readonly EndedMilestone[],
  line: EndedMilestone,
): readonly EndedMilestone[] {
  return fold.some(({ name }) => name === line.name) ? fold : [...fold, line];
}

/** One line of `reviewer.checkpoint`, applied. */
export function foldCommits(fold: CommitsFold, { sha, gaveUp }: ReviewedCommit): CommitsFold {
  const others = new Set(fold.gaveUp);
  // A commit that is reviewed again is before the checkpoint, which does not move back.
  const isAgain = others.delete(sha);
  return {
    checkpoint: isAgain ? fold.checkpoint : sha,
    gaveUp: gaveUp ? others.add(sha) : others,
  };
}

/** One line of `reviewer.milestone` or `tester.milestone`, applied. */
export function foldAnswers(fold: AnswersFold, { name, gaveUp }: AnsweredMilestone): AnswersFold {
  return new Map(fold).set(name, { gaveUp });
}

/** One line of `tester.final`, applied. */
export function foldFinal(_: FinalPass | undefined, line: FinalPass): FinalPass {
  return line;
}

/** One line of `REVIEWS.md` or `BUGS.md`, applied. */
export function foldItems(fold: ItemsFold, line: ItemLine): ItemsFold {
  const { id } = line;
  const open = new Set(fold.open);
  if (isOpenAfter(line)) open.add(id);
  else open.delete(id);
  switch (line.kind) {
    case "opened":
      return { ...fold, open, levels: new Map(fold.levels).set(id, line.level) };
    case "judged":
      return { ...fold, open, judged: new Set(fold.judged).add(judgedKey(id, line.attempt)) };
    case "dismissed":
      return { ...fold, open };
  }
}

/** Whether the item of a line is open from this line on. */
function isOpenAfter(line: ItemLine): boolean {
  if (line.kind === "judged") return line.state === "REOPENED" || line.state === "UNJUDGED";
  return line.kind === "opened";
}

/** One line of `builder.done`, applied. */
export function foldEnding(fold: EndingFold, line: DoneLine): EndingFold {
  switch (line.kind) {
    case "final":
      return { ...fold, finalN: line.n, ended: undefined };
    case "complete":
    case "stuck":
      return { ...fold, ended: line };
    case "reopened":
      return { ...fold, reopens: fold.reopens + 1, ended: undefined };
  }
}
