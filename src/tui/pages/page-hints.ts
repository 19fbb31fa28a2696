import type { PageAct } from "../../views/screen/page-facts.ts";
import type { ScreenFacts } from "../../views/screen/screen-facts.ts";
import type { Hint } from "../fit-hints.ts";
import { factsOf, itemOf, type OpenPage } from "./open-page.ts";

const ACT_HINTS: Readonly<Record<PageAct, Hint>> = {
  open: [1, "enter open"],
  dismiss: [2, "d dismiss"],
  approve: [1, "a approve"],
  reject: [1, "r reject"],
};

/** What keys do on a page. */
export function pageHints(
  open: OpenPage,
  { page, isReadOnly }: Pick<ScreenFacts, "page" | "isReadOnly">,
): readonly Hint[] {
  const facts = factsOf(open, page);
  const acts = (facts && itemOf(open, facts)?.acts) ?? [];
  return [
    ...acts.filter((act) => act === "open" || isReadOnly !== true).map((act) => ACT_HINTS[act]),
    [5, facts?.kind === "list" ? "j,k choose" : "j,k scroll"],
    [6, "/ search"],
    [0, "esc back"],
    [4, "q leave it running"],
    [3, "? help"],
  ];
}
