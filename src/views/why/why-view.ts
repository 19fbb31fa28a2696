import type { Oid } from "../../base/oid.ts";
import { count } from "../../base/words/sentence.ts";
import { shown } from "../../base/words/shown.ts";
import { inBlocks, row, span, type Row } from "../rows/row.ts";
import { commitRows, type GitCommit } from "./commit-rows.ts";
import type { CommitStory } from "./commit-story.ts";
import { itemStoryRows } from "./item-rows.ts";
import type { ItemStory } from "./item-story.ts";
import { milestoneRows } from "./milestone-rows.ts";
import type { MilestoneStory } from "./milestone-story.ts";
import { section } from "./step-rows.ts";

/** A line of a file, and the commit that last changed it. */
export interface ExplainedLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly branch: string;
}

/** What a word names, explained. */
type Explained =
  | {
      readonly kind: "commit" | "line";
      readonly line: ExplainedLine | null;
      readonly sha: Oid;
      /** Null if git does not have the commit. */
      readonly git: GitCommit | null;
      /** Null if no record names the commit. */
      readonly story: CommitStory | null;
    }
  | { readonly kind: "finding"; readonly story: ItemStory }
  | { readonly kind: "milestone"; readonly story: MilestoneStory };

/** What `wisp why --json` prints; fields are added, never renamed or removed. */
export type WhyView = {
  readonly schema: "wisp.why/1";
  readonly asked: string;
  /** The session whose records tell it; null if none names it. */
  readonly session: string | null;
  readonly branch: string | null;
  /** The sessions whose records were searched, newest first. */
  readonly searched: readonly string[];
  /** What could not be read of that session or, if none names it, of all searched ones: sentences. */
  readonly unread: readonly string[];
} & Explained;

/** An explanation for people. */
export function whyRows(explanation: WhyView): readonly Row[] {
  const { session, branch, unread } = explanation;
  const from =
    session === null
      ? []
      : [row(span("faint", `Session ${shown(session)}, branch ${shown(branch ?? "")}`))];
  return inBlocks([[...lineRows(explanation), ...from], bodyRows(explanation), unreadRows(unread)]);
}

function bodyRows(explanation: WhyView): readonly Row[] {
  switch (explanation.kind) {
    case "commit":
    case "line": {
      const { sha, git, story, searched } = explanation;
      return commitRows({ sha, git, story, searched: searchedWords(searched) });
    }
    case "finding":
      return itemStoryRows(explanation.story);
    case "milestone":
      return milestoneRows(explanation.story);
  }
}

function lineRows(explanation: WhyView): readonly Row[] {
  if (explanation.kind !== "line" || explanation.line === null) return [];
  const { file, line, text, branch } = explanation.line;
  return [
    row(span("strong", `${shown(file)}:${String(line)}`), `  ${shown(text)}`),
    row(span("faint", `as of the branch ${shown(branch)}; last changed by the commit below`)),
  ];
}

const UNREAD_MAX = 10;

/** Never leaves a gap unmentioned: what is not told may be in it. */
function unreadRows(unread: readonly string[]): readonly Row[] {
  const some = unread.slice(0, UNREAD_MAX).map((one) => row(shown(one)));
  const rest = unread.length - some.length;
  const rows = rest === 0 ? some : [...some, row(`And ${count(rest, "more place")}: wisp fsck.`)];
  return section("The record has gaps, so there may be more than is told here", rows);
}

/** The sessions that were searched, after "No record of". */
export function searchedWords(searched: readonly string[]): string {
  const [only] = searched;
  if (only === undefined) return "any session (there is none in this repository)";
  if (searched.length === 1) return `the session ${shown(only)}`;
  return `any of the ${String(searched.length)} sessions of this repository`;
}
