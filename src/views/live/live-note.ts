import { h } from "hastscript";
import { toHtml } from "hast-util-to-html";

/** A sentence in the place of a report, as HTML. */
export function liveNote(text: string): string {
  return toHtml(h("p", { class: "headline" }, text));
}
