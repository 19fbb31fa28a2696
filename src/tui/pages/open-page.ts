import {
  isSamePage,
  type Page,
  type PageFacts,
  type PageItem,
} from "../../views/screen/page-facts.ts";
import type { TailPlace } from "../tail-place.ts";

/** A page that the person has opened, and what they see of it. */
export interface OpenPage {
  readonly page: Page;
  /** Of a list: the id of the chosen item; undefined for the first one. */
  readonly chosen: string | undefined;
  /** Of a list: the number of the first visible row. */
  readonly top: number;
  /** Of a text: where its visible part begins; undefined at its end. */
  readonly place: TailPlace | undefined;
}

/** A page as it is when it is opened. */
export function openedPage(page: Page): OpenPage {
  return { page, chosen: undefined, top: 0, place: { line: 0, part: 0 } };
}

/** The facts of an open page; undefined while they are being read. */
export function factsOf({ page }: OpenPage, facts: PageFacts | undefined): PageFacts | undefined {
  return facts !== undefined && isSamePage(facts.page, page) ? facts : undefined;
}

/** The row of a list that is chosen; the first one, if the chosen item is gone. */
export function chosenAt({ chosen }: OpenPage, items: readonly PageItem[]): number {
  return Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  );
}

/** What keys are about: the chosen item of a list, or that of a text. */
export function itemOf(open: OpenPage, facts: PageFacts): PageItem | undefined {
  return facts.kind === "list" ? facts.items[chosenAt(open, facts.items)] : facts.item;
}

/** The first visible row of a list, with the chosen one in sight. */
export function topOfList(
  { top }: Pick<OpenPage, "top">,
  { at, of, room }: { readonly at: number; readonly of: number; readonly room: number },
): number {
  const within = Math.min(Math.max(top, at - room + 1), at);
  return Math.max(0, Math.min(within, of - room));
}
