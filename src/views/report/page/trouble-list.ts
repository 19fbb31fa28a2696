import type { Element } from "hast";
import { h } from "hastscript";
import { count } from "../../../base/words/sentence.ts";
import type { ReportView } from "../report-view.ts";
import { troublesOf } from "../troubles.ts";

/** The latest of them; the timeline shows all. */
const SHOWN_MAX = 30;

/** What went wrong, newest first; null if nothing did. */
export function troubleList(view: ReportView): Element | null {
  const troubles = troublesOf(view);
  if (troubles.length === 0) return null;
  const rest = troubles.length - SHOWN_MAX;
  return h("ul", { class: "troubles" }, [
    troubles
      .slice(0, SHOWN_MAX)
      .map(({ at, text }) => h("li", {}, at === undefined ? null : h("time", {}, at), " ", text)),
    rest > 0 ? h("li", { class: "faint" }, `and ${count(rest, "earlier one")}`) : null,
  ]);
}
