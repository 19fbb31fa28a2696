import { because } from "../../base/words/sentence.ts";

const SAYS_NO_MORE =
  /^(?:the turn found )?(?:there is |there's )?nothing (?:left )?(?:is )?(?:has )?to (?:be )?(?:changed?|done?|fix(?:ed)?)[.!]?$/iu;

/** `: because`, where a reason for changing nothing says more than that. */
export function whyUnchanged(reason: string | undefined): string {
  return SAYS_NO_MORE.test(reason?.trim() ?? "") ? "" : because(reason);
}
