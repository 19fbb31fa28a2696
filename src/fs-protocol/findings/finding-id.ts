import { createHash } from "node:crypto";
import { assert } from "../../base/assert.ts";
import { encodeItemId } from "../records/item-id.ts";

/** What a finding's identity is derived from. */
export interface FindingContent {
  readonly kind: "finding" | "bug";
  readonly category: string;
  /** Path in the repository, if the finding has one. */
  readonly file: string | undefined;
  /** The line of code that the finding points at, as written in the file. */
  readonly anchor: string | undefined;
  readonly brief: string;
  /**
   * 1 (the default), or n for the n-th line with the same text in the file, or the n-th place of
   * one turn that would get the same id: remarks on equal lines must stay distinct.
   */
  readonly occurrence?: number | undefined;
}

/**
 * The stable id of a finding or bug, such as `COR-3fa2b1`: a repeated review's same remark gets the
 * same id. If the finding points at a line of code, its author, wording and line number do not
 * matter; otherwise, or if the line has no letter or digit (`}`), its brief is used instead.
 */
export function findingId(content: FindingContent): string {
  const { occurrence = 1 } = content;
  assert(Number.isInteger(occurrence) && occurrence >= 1, "occurrences count from 1");
  const anchor = foldSpace(content.anchor ?? "");
  const identity = isAnchor(anchor)
    ? ["line", anchor]
    : ["brief", foldSpace(content.brief).toLowerCase()];
  const parts = [content.file ?? "", foldSpace(content.category).toLowerCase(), ...identity];
  if (occurrence > 1) parts.push(String(occurrence));
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const area = areaOf(content.category);
  return encodeItemId({ kind: content.kind, area, digest: hash.slice(0, HEX_CHARS) });
}

/** Whether a line of code can identify a finding: it has a letter or a digit. */
export function isAnchor(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

const HEX_CHARS = 6;
const AREA_CHARS = 3;

function areaOf(category: string): string | undefined {
  // Accents are removed first, so that `Sécurité` becomes SEC.
  const letters = category.normalize("NFKD").replace(/[^A-Za-z]/gu, "");
  return letters.length < AREA_CHARS ? undefined : letters.slice(0, AREA_CHARS).toUpperCase();
}

/**
 * Collapses white space of any kind and length into one space: indentation is not part of the
 * identity.
 */
export function foldSpace(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
