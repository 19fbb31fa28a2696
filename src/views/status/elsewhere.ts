import { formatDuration } from "../../base/words/format-duration.ts";
import { sentence, type Sentence } from "../../base/words/sentence.ts";
import { mirrorRef } from "../../git/repository/mirror-ref.ts";
import type { LinkJson } from "../../fs-protocol/home/link-json.ts";
import { isLinkHeard } from "../../workspace/session/far-link.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** Where a session runs that does not run here, and how far its files here can be believed. */
export interface Elsewhere {
  /** As a person names it. */
  readonly executor: string;
  /** The executor's own name for the place. */
  readonly place: string;
  /** Whether the place is in touch: only then is it known who is at work there. */
  readonly isHeard: boolean;
  /** How long ago, in ms, the place was last heard. Absent: never. */
  readonly heardAgoMs?: number | undefined;
  /** How long ago, in ms, the files here were all that there were. Absent: not yet. */
  readonly ageMs?: number | undefined;
  /** Why the place cannot be reached. */
  readonly trouble?: string | undefined;
  /** Why the branch here is not where the one there is. */
  readonly branchWaits?: LinkJson["branchWaits"];
  /** What failed, if that is why. */
  readonly branchTrouble?: string | undefined;
  /** The ref at which the branch is here as it is there. */
  readonly mirrorRef: string;
}

/** Where a session runs; undefined if it runs here. */
export function elsewhereOf({ session, mirrors, link, nowMs }: StatusFacts): Elsewhere | undefined {
  if (mirrors === undefined) return undefined;
  const { wholeMs, heardMs, trouble, branchWaits, branchTrouble } = link ?? {};
  return {
    ...{ executor: mirrors.executor, place: mirrors.id, trouble, branchWaits, branchTrouble },
    mirrorRef: mirrorRef(session.parent?.id ?? session.id),
    isHeard: isLinkHeard(link ?? {}, nowMs),
    heardAgoMs: heardMs === undefined ? undefined : Math.max(0, nowMs - heardMs),
    ageMs: wholeMs === undefined ? undefined : Math.max(0, nowMs - wholeMs),
  };
}

/** What people should know about a session that runs elsewhere. */
export function elsewhereSentences(elsewhere: Elsewhere | undefined): readonly Sentence[] {
  if (elsewhere === undefined) return [];
  const { executor, ageMs, isHeard, trouble } = elsewhere;
  const isInTouch = isHeard && trouble === undefined;
  const age =
    ageMs === undefined
      ? "its files have not all arrived yet"
      : `its files here are as of ${formatDuration(ageMs)} ago`;
  return [
    sentence("plain", `runs on ${executor}: ${isInTouch ? "in touch" : age}`),
    ...(trouble === undefined ? [] : [sentence("bad", trouble)]),
    ...branchSentences(elsewhere),
  ];
}

function branchSentences({
  branchWaits,
  branchTrouble = "",
  mirrorRef,
}: Elsewhere): readonly Sentence[] {
  switch (branchWaits) {
    case undefined:
      return [];
    case "checked-out":
      return [
        sentence(
          "ask",
          "the branch here is behind, because it is checked out: check out another one",
        ),
      ];
    case "diverged":
      return [
        sentence(
          "ask",
          `the branch here and that of the session each have commits of their own: rebase yours onto ${mirrorRef}`,
        ),
      ];
    case "failed":
      return [sentence("bad", `the branch here is not that of the session: ${branchTrouble}`)];
  }
}

/** What is said of a session that moved. */
export function movedSentences(movedTo: string | undefined): readonly Sentence[] {
  if (movedTo === undefined) return [];
  return [sentence("ask", `moved to ${movedTo}; what is here is as it was then`)];
}
