import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { RawFinding } from "../../fs-protocol/findings/raw-finding.ts";

/** A finding at a place that does not exist: it is recorded as refused, and never fixed. */
export interface RefusedFinding {
  readonly brief: string;
  readonly file: string;
  readonly line: number | undefined;
  /** How many lines the file has; undefined if the file does not exist. */
  readonly lines: number | undefined;
}

export interface CheckedPlaces {
  /** The given blocks without the refused findings. */
  readonly blocks: readonly FindingsBlock[];
  readonly refused: readonly RefusedFinding[];
}

/**
 * Checks the file and line of each finding against the tree of a commit. A finding without a file is about
 * the whole and passes. An error of git is returned as a failure, and refuses nothing.
 */
export async function checkPlaces(
  blocks: readonly FindingsBlock[],
  { clone, at }: { readonly clone: Pick<Clone, "show">; readonly at: Oid },
): Promise<Result<CheckedPlaces, GitFailure>> {
  const counts = new Map<string, number | undefined>();
  for (const { file } of blocks.flatMap(({ findings }) => findings)) {
    if (file === undefined || counts.has(file)) continue;
    const shown = await clone.show(at, file);
    if (!shown.ok) return shown;
    counts.set(file, shown.value === undefined ? undefined : linesOf(shown.value));
  }
  const refused: RefusedFinding[] = [];
  const accepted = blocks.map((block) => ({
    ...block,
    findings: block.findings.filter((raw) => {
      const refusal = refusalOf(raw, counts);
      if (refusal !== undefined) refused.push(refusal);
      return refusal === undefined;
    }),
  }));
  return ok({ blocks: accepted, refused });
}

/** A refused finding as one line for a record; the caller must clean it. */
export function describeRefused({ brief, file, line, lines }: RefusedFinding): string {
  const place = line === undefined ? file : `${file}:${String(line)}`;
  const why =
    lines === undefined
      ? "there is no such file"
      : `the file has ${lines === 1 ? "1 line" : `${String(lines)} lines`}`;
  return `refused a finding at ${place}, ${why}: ${brief}`;
}

function refusalOf(
  { brief, file, line }: RawFinding,
  counts: ReadonlyMap<string, number | undefined>,
): RefusedFinding | undefined {
  if (file === undefined) return undefined;
  const lines = counts.get(file);
  if (lines !== undefined && (line ?? 1) <= Math.max(1, lines)) return undefined;
  return { brief, file, line, lines };
}

function linesOf(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
