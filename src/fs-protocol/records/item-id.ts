import { z } from "zod";

/**
 * Ids of findings and bugs, such as `COR-3fa2b1` and `BUG-40c2d8`: the word before the hyphen says who
 * opened the item, and so who judges its fixes and closes it. That of bugs is the tester's alone.
 */
const BUG = "BUG";
const BUG_ID = `${BUG}-`;

/** What an id is made of. */
export interface ItemId {
  readonly kind: "finding" | "bug";
  /** Of a finding: capitals of its category; undefined: it has too few letters to say one. */
  readonly area: string | undefined;
  /** Hexadecimal, made from the content of the item. */
  readonly digest: string;
}

/** The id of an item whose opener made it from its content. */
export const FindingId = z.string().regex(/^[A-Z][A-Z0-9]*-[0-9a-f]{6,}$/);

/** The id of what a tester found, as a record names it. */
export const BugId = z.string().startsWith(BUG_ID);

/** Puts an id together. A category may spell the word of bugs: what it names is none. */
export function encodeItemId({ kind, area, digest }: ItemId): string {
  if (kind === "bug") return BUG_ID + digest;
  return `${area === undefined || area === BUG ? "FND" : area}-${digest}`;
}

/** What an id names, also one that nobody computed. */
export function kindOfItem(id: string): ItemId["kind"] {
  return id.startsWith(BUG_ID) ? "bug" : "finding";
}

/** Who opened an item, and judges what is done about it: what is not the tester's is the reviewer's. */
export function openerOf(id: string): "reviewer" | "tester" {
  return kindOfItem(id) === "bug" ? "tester" : "reviewer";
}

/** Between the ids of findings that share a turn and a commit; no id holds it. */
const BETWEEN = "+";

/** The ids of findings that share a turn, as one word. */
export function encodeBatch(ids: readonly string[]): string {
  return ids.join(BETWEEN);
}

/** The ids that such a word names. */
export function decodeBatch(word: string): readonly string[] {
  return word.split(BETWEEN);
}
