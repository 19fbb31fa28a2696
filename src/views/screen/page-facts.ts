import type { Row } from "../rows/row.ts";

/** What the screen can show in place of the summary. */
export type Page =
  | { readonly kind: "findings" | "commits" | "plan" | "sessions" }
  | { readonly kind: "finding" | "commit"; readonly id: string };

/** What a person can do with an item of a page, by a key. */
export type PageAct = "open" | "dismiss" | "approve" | "reject";

/** Something on a page that keys are about. */
export interface PageItem {
  readonly id: string;
  readonly acts: readonly PageAct[];
}

/** A list, one of whose rows is chosen. */
export interface ListPage {
  readonly kind: "list";
  readonly page: Page;
  readonly title: string;
  readonly rows: readonly Row[];
  /** What each row is about. */
  readonly items: readonly PageItem[];
  /** Shown if there are no rows. */
  readonly ifNone: string;
}

/** A text that is scrolled. */
export interface TextPage {
  readonly kind: "text";
  readonly page: Page;
  readonly title: string;
  readonly lines: readonly Row[];
  /** What the text is about, if one can do something with it. */
  readonly item: PageItem | undefined;
}

/** The content of a page; all texts are cleaned. */
export type PageFacts = ListPage | TextPage;

/** Whether two pages are the same. */
export function isSamePage(one: Page, other: Page): boolean {
  return pageKey(one) === pageKey(other);
}

/** A text that differs between any two pages. */
export function pageKey(page: Page): string {
  return "id" in page ? `${page.kind} ${page.id}` : page.kind;
}

/** Lines without tabs, whose width depends on the terminal. */
export function untabbed(lines: readonly Row[]): readonly Row[] {
  return lines.map((whole) =>
    whole.map((one) => ({ ...one, text: one.text.replaceAll("\t", "  ") })),
  );
}
