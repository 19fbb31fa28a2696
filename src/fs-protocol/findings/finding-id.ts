import { createHash } from "node:crypto";
import { assert } from "../../base/assert.ts";
import { encodeItemId } from "../records/item-id.ts";

/** What the identity of a finding is made from. */
export interface FindingContent {
  readonly kind: "finding" | "bug";
  readonly category: string;
  /** Path in the repository, where the finding has one. */
  readonly file: string | undefined;
  /** The line of code that the finding points at, as it stands in the file. */
  readonly anchor: string | undefined;
  readonly brief: string;
  /**
   * 1 (the default), or n for the n-th of the lines of the same text in the file, or of the places of one
   * turn that would get the same id: remarks on equal lines must not become one.
   */
  readonly occurrence?: number | undefined;
}

/**
 * The stable id of a finding or bug, such as `COR-3fa2b1`: the same remark of a repeated review gets
 * the same id. Who made it, its wording and its line number play no part where it points at a line of
 * code; without one, or where the line has no letter or digit (`}`), its brief stands in.
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

/** Whether a line of code says enough to be recognised by: it has a letter or a digit. */
export function isAnchor(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

const HEX_CHARS = 6;
const AREA_CHARS = 3;

function areaOf(category: string): string | undefined {
  // Accents are taken off first, so that `Sécurité` is SEC.
  const letters = category.normalize("NFKD").replace(/[^A-Za-z]/gu, "");
  return letters.length < AREA_CHARS ? undefined : letters.slice(0, AREA_CHARS).toUpperCase();
}

/** White space of any kind and length is one space: indentation is no identity. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
