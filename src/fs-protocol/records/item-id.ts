import { z } from "zod";

/**
 * Ids of findings and bugs, such as `COR-3fa2b1` and `BUG-40c2d8`. The word before the hyphen tells
 * who opened the item, and therefore who judges its fixes and closes it. `BUG` is reserved for the
 * tester.
 */
const BUG = "BUG";
const BUG_ID = `${BUG}-`;

/** The parts of an id. */
export interface ItemId {
  readonly kind: "finding" | "bug";
  /** For a finding: capitals of its category; undefined if the category has too few letters. */
  readonly area: string | undefined;
  /** Hexadecimal, derived from the item's content. */
  readonly digest: string;
}

/** An id that the item's opener derived from its content. */
export const FindingId = z.string().regex(/^[A-Z][A-Z0-9]*-[0-9a-f]{6,}$/);

/** The id of a bug in a record. */
export const BugId = z.string().startsWith(BUG_ID);

/** Assembles an id. A finding whose category would yield the bugs' prefix gets another one. */
export function encodeItemId({ kind, area, digest }: ItemId): string {
  if (kind === "bug") return BUG_ID + digest;
  return `${area === undefined || area === BUG ? "FND" : area}-${digest}`;
}

/** What an id names, even if nobody computed it. */
export function kindOfItem(id: string): ItemId["kind"] {
  return id.startsWith(BUG_ID) ? "bug" : "finding";
}

/**
 * Who opened an item and judges its fixes: the tester for bugs, the reviewer for everything else.
 */
export function openerOf(id: string): "reviewer" | "tester" {
  return kindOfItem(id) === "bug" ? "tester" : "reviewer";
}

/** Separates the ids of findings that share a turn and a commit; no id contains it. */
const BETWEEN = "+";

/** Joins the ids of findings that share a turn into one word. */
export function encodeBatch(ids: readonly string[]): string {
  return ids.join(BETWEEN);
}

/** Splits such a word into its ids. */
export function decodeBatch(word: string): readonly string[] {
  return word.split(BETWEEN);
}
