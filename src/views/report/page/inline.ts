import { createHash } from "node:crypto";
import type { Element } from "hast";
import { h } from "hastscript";

/** wisp's own text, which must reach the browser as it is, because the page's policy names its digest. */
export function inlined(tag: "script" | "style", text: string): Element {
  return h(tag, text);
}

/** The digest of an inline script or style, as a content security policy names it. */
export function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
