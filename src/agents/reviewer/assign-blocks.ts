import { fail, ok, type Result } from "../../base/result.ts";
import type { FindingsBlock, Unparseable } from "../../fs-protocol/findings/findings-judge.ts";

/** What one of the reviewers of a turn said; of several blocks of one reviewer, all of them. */
export interface ReviewerBlocks {
  /** Name of the reviewer, as wisp knows it. */
  readonly name: string;
  readonly blocks: readonly FindingsBlock[];
}

/**
 * Whose block is whose, in the order of `names`. Who was asked alone said everything that was said,
 * whatever the block is headed with. Of several each must have said something, and nobody else: a block
 * that is missing is no pass.
 */
export function assignBlocks(
  blocks: readonly FindingsBlock[],
  names: readonly string[],
): Result<readonly ReviewerBlocks[], Unparseable> {
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return ok([{ name: only, blocks }]);
  const said = names.map((name) => ({ name, blocks: blocks.filter((block) => isOf(block, name)) }));
  const stray = blocks.find((block) => !names.some((name) => isOf(block, name)));
  if (stray !== undefined) {
    const head = stray.reviewer === undefined ? "without a [Review] line" : `of ${stray.reviewer}`;
    return unparseable(`There is a block ${head}; asked were ${names.join(", ")}.`);
  }
  const missing = said.filter((each) => each.blocks.length === 0).map(({ name }) => name);
  if (missing.length > 0) return unparseable(`There is no block of ${missing.join(", ")}.`);
  return ok(said);
}

function isOf({ reviewer }: FindingsBlock, name: string): boolean {
  return reviewer?.trim().toLowerCase() === name;
}

function unparseable(reason: string): Result<never, Unparseable> {
  return fail({ kind: "unparseable", reason });
}
