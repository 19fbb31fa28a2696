import { because } from "../../base/words/sentence.ts";

const SAYS_NO_MORE =
  /^(?:the turn found )?(?:there is |there's )?nothing (?:left )?(?:is )?(?:has )?to (?:be )?(?:changed?|done?|fix(?:ed)?)[.!]?$/iu;

/** The reason for changing nothing, as a suffix; empty if the reason says no more than "nothing to change". */
export function whyUnchanged(reason: string | undefined): string {
  return SAYS_NO_MORE.test(reason?.trim() ?? "") ? "" : because(reason);
}
