import { h } from "hastscript";
import { toHtml } from "hast-util-to-html";
import { digestOf, inlined } from "../report/page/inline.ts";
import { PAGE_SCRIPT } from "../report/page/page-script.ts";
import { PAGE_STYLE } from "../report/page/page-style.ts";
import { LIVE_SCRIPT } from "./live-script.ts";
import { LIVE_STYLE } from "./live-style.ts";

/** A document, and the policy that it has to be sent with. */
export interface LivePage {
  readonly html: string;
  readonly policy: string;
}

const STYLE = PAGE_STYLE + LIVE_STYLE;

/**
 * The page that shows reports while their sessions run. It is the same for everybody and holds nothing of any
 * session: what it shows, its script asks for.
 */
export function livePage(): LivePage {
  const page = h(
    "html",
    { lang: "en" },
    h("head", {}, [
      h("meta", { charset: "utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "color-scheme", content: "light dark" }),
      h("title", {}, "wisp watch"),
      inlined("style", STYLE),
    ]),
    h("body", { class: "live" }, [
      h("header", { class: "bar" }, [
        h("span", { id: "live-state", role: "status" }, "Connecting."),
        h("span", { id: "live-age", class: "faint" }),
        h("noscript", {}, "This page needs scripts. Without them: wisp report --html"),
      ]),
      h("nav", { id: "sessions", "aria-label": "Sessions" }),
      h("main", { id: "report", tabindex: -1 }),
      inlined("script", PAGE_SCRIPT),
      inlined("script", LIVE_SCRIPT),
    ]),
  );
  return { html: `<!doctype html>\n${toHtml(page)}\n`, policy: POLICY };
}

/** Nothing runs or is shown but what wisp put on the page, and nothing is asked for but from wisp itself. */
const POLICY = [
  "default-src 'none'",
  `style-src '${digestOf(STYLE)}'`,
  `script-src '${digestOf(PAGE_SCRIPT)}' '${digestOf(LIVE_SCRIPT)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
