import { fail, ok, type Result } from "../../base/result.ts";
import type { FindingsBlock, Unparseable } from "../../fs-protocol/findings/findings-judge.ts";

/** All blocks that one of the reviewers of a turn printed. */
export interface ReviewerBlocks {
  /** Name of the reviewer, as wisp knows it. */
  readonly name: string;
  readonly blocks: readonly FindingsBlock[];
}

/**
 * Assigns each block of an output to its reviewer, in the order of `names`. A single reviewer gets all
 * blocks, whatever their headings. Of several reviewers each must have at least one block, and no block may
 * name anybody else: a missing block does not count as a pass.
 */
export function assignBlocks(
  blocks: readonly FindingsBlock[],
  names: readonly string[],
): Result<readonly ReviewerBlocks[], Unparseable> {
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return ok([{ name: only, blocks }]);
  const byName = names.map((name) => ({
    name,
    blocks: blocks.filter((block) => isOf(block, name)),
  }));
  const stray = blocks.find((block) => !names.some((name) => isOf(block, name)));
  if (stray !== undefined) {
    const head = stray.reviewer === undefined ? "without a [Review] line" : `of ${stray.reviewer}`;
    return unparseable(`There is a block ${head}; asked were ${names.join(", ")}.`);
  }
  const missing = byName.filter((each) => each.blocks.length === 0).map(({ name }) => name);
  if (missing.length > 0) return unparseable(`There is no block of ${missing.join(", ")}.`);
  return ok(byName);
}

function isOf({ reviewer }: FindingsBlock, name: string): boolean {
  return reviewer?.trim().toLowerCase() === name;
}

function unparseable(reason: string): Result<never, Unparseable> {
  return fail({ kind: "unparseable", reason });
}
