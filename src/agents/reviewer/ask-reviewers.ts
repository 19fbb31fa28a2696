import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { decodeFindingsBlocks } from "../../fs-protocol/findings/findings-block.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import { checkPlaces, describeRefused } from "../judge/check-places.ts";
import { judgeTurn } from "../judge/judge-turn.ts";
import { answerTo, type Attempted } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { note } from "../../work/journal.ts";
import { noteOmitted } from "../judge/note-omitted.ts";
import { assignBlocks, type ReviewerBlocks } from "./assign-blocks.ts";
import { describeOpen } from "./describe-open.ts";
import { describeReviewers } from "./describe-reviewers.ts";
import { requestFiles, REQUEST_NAME } from "../../work/turn/turn-files.ts";
import {
  folderWords,
  pathIn,
  turnFolder,
  type TurnFile,
  type TurnFolder,
} from "../../work/turn/turn-folder.ts";
import { verifyWords } from "../../evidence/verify/verify-words.ts";
import type { Range } from "./plan-review.ts";

/** One turn of reviewers, as part of an attempt at a range. */
export interface ReviewTurn {
  readonly range: Range;
  /** At least one; all use the same engine and model. */
  readonly batch: readonly Reviewer[];
  readonly attempt: number;
  readonly lane: number;
  /** What wisp itself computed, by the name of the reviewer whose prompt contains it. */
  readonly evidence: ReadonlyMap<string, string>;
  /** Files for the engine to read, such as the diff of the range. */
  readonly files: readonly TurnFile[];
}

/**
 * Runs one turn for the reviewers that share it, and returns the findings of each, in their order. A finding
 * at a place that does not exist is refused with a note; the turn fails if a reviewer has only such findings.
 */
export async function askReviewers(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { range, batch, attempt, lane, evidence, files }: ReviewTurn,
): Promise<Attempted<readonly ReviewerBlocks[]>> {
  if (context.signal.aborted) return { kind: "stopped" };
  const clone = await context.clone(lane);
  const { unit, purpose, at, about, countedFor } = range;
  const names = batch.map(({ name }) => name);
  const folder = turnFolder({ ...context, lane }, [...requestFiles(context), ...files]);
  const reviewers = describeReviewers(batch, evidence);
  const turn = await judgeTurn(context, {
    turn: {
      ...{ purpose, unit, attempt, about, lane },
      milestone: countedFor,
      ...{ engine: batch[0]?.engine, model: batch[0]?.model },
      part: names.join("+"),
      prompt: promptFor(context, state, range, { folder, reviewers }),
      folder,
    },
    clone,
    at,
    read(output) {
      const blocks = decodeFindingsBlocks(output, { root: clone.directory });
      return blocks.ok ? assignBlocks(blocks.value, names) : blocks;
    },
  });
  if (turn.kind !== "done") return turn;
  const reviews = turn.value.output;
  noteOmitted(
    context,
    reviews.flatMap(({ blocks }) => blocks),
  );
  return dropMisplaced(context, reviews, { clone, at });
}

const COMMITS_SEEN =
  "The commits were looked at one by one already. Look for what shows only in the whole of the range.";
const COMMITS_UNSEEN =
  "Not all of its commits were looked at by themselves, whatever else is said here: look at what each of them changes, and at what shows only in the whole of the range.";

function promptFor(
  { templates, session }: RoleContext<"reviewer">,
  { reviewer: own, human }: SessionState,
  { unit, purpose, at, about, covers }: Range,
  { folder, reviewers }: { readonly folder: TurnFolder; readonly reviewers: string },
): string {
  return templates.render(purpose, {
    request: pathIn(folder, REQUEST_NAME),
    files: folderWords(folder),
    verify: verifyWords(session.verify),
    milestone: about.milestone ?? "",
    start_sha: about.startSha ?? "",
    end_sha: at,
    reviewers,
    commits: covers ? COMMITS_UNSEEN : COMMITS_SEEN,
    open_findings: describeOpen(own),
    answers: answerTo(unit, own.questions, human.answers),
  });
}

async function dropMisplaced(
  context: RoleContext<"reviewer">,
  reviews: readonly ReviewerBlocks[],
  place: { readonly clone: Clone; readonly at: Oid },
): Promise<Attempted<readonly ReviewerBlocks[]>> {
  const checked: ReviewerBlocks[] = [];
  for (const { name, blocks: given } of reviews) {
    const { blocks, refused } = need(await checkPlaces(given, place));
    for (const each of refused) note(context, describeRefused(each));
    if (refused.length > 0 && isEmpty(blocks)) {
      const reason = `all findings of ${name} are about places that there are not`;
      return { kind: "failed", reason };
    }
    checked.push({ name, blocks });
  }
  return { kind: "done", value: checked };
}

function isEmpty(blocks: readonly FindingsBlock[]): boolean {
  return blocks.every(({ findings }) => findings.length === 0);
}
