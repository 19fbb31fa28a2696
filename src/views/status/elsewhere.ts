import { LINK_SILENCE_MS_MAX } from "../../base/limits.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { sentence, type Sentence } from "../../base/words/sentence.ts";
import type { LinkJson } from "../../fs-protocol/home/link-json.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** Where a session runs that does not run here, and how far its files here can be believed. */
export interface Elsewhere {
  /** As a person names it. */
  readonly executor: string;
  /** The executor's own name for the place. */
  readonly place: string;
  /** Whether the place was heard recently: only then is it known who is at work there. */
  readonly isHeard: boolean;
  /** How long ago, in ms, the files here were all that there were. Absent: not yet. */
  readonly ageMs?: number | undefined;
  /** Why the place cannot be reached. */
  readonly trouble?: string | undefined;
  /** Why the branch here is behind the one there. */
  readonly branchWaits?: LinkJson["branchWaits"];
}

/** Where a session runs; undefined if it runs here. */
export function elsewhereOf({ mirrors, link, nowMs }: StatusFacts): Elsewhere | undefined {
  if (mirrors === undefined) return undefined;
  const { heardMs = 0, wholeMs, trouble, branchWaits } = link ?? {};
  return {
    ...{ executor: mirrors.executor, place: mirrors.id, trouble, branchWaits },
    isHeard: nowMs - heardMs <= LINK_SILENCE_MS_MAX,
    ageMs: wholeMs === undefined ? undefined : Math.max(0, nowMs - wholeMs),
  };
}

/** What people should know about a session that runs elsewhere. */
export function elsewhereSentences(elsewhere: Elsewhere | undefined): readonly Sentence[] {
  if (elsewhere === undefined) return [];
  const { executor, ageMs, isHeard, trouble, branchWaits } = elsewhere;
  const age =
    ageMs === undefined
      ? "its files have not all arrived yet"
      : `its files here are as of ${formatDuration(ageMs)} ago`;
  const isLost = !isHeard && trouble !== undefined;
  return [
    sentence("plain", `runs on ${executor}: ${isHeard ? "in touch" : age}`),
    ...(isLost ? [sentence("bad", trouble)] : []),
    ...(branchWaits === undefined ? [] : [sentence("ask", BRANCH_WORDS[branchWaits])]),
  ];
}

/** What is said of a session that moved. */
export function movedSentences(movedTo: string | undefined): readonly Sentence[] {
  if (movedTo === undefined) return [];
  return [sentence("ask", `moved to ${movedTo}; what is here is as it was then`)];
}

const BRANCH_WORDS = {
  "checked-out": "the branch here is behind, because it is checked out: check out another one",
  diverged: "the branch here has commits that the session does not have, so it is left as it is",
} as const;
