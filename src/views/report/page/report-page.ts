import type { Element } from "hast";
import { h } from "hastscript";
import { toHtml } from "hast-util-to-html";
import { unusualLines } from "../../../evidence/unusual/unusual-lines.ts";
import { formatDuration } from "../../../base/words/format-duration.ts";
import { count } from "../../../base/words/sentence.ts";
import { budgetsLine, spentWords } from "../../cost/cost-rows.ts";
import { differsLines } from "../../status/differs-elsewhere.ts";
import { sensitiveLines } from "../../status/sensitive-words.ts";
import { planProgress } from "../../status/milestone-status.ts";
import type { ReportView } from "../report-view.ts";
import { headline } from "../headline.ts";
import { costTables, divergenceTable, itemTable, milestoneTable } from "./report-tables.ts";
import { digestOf, inlined } from "./inline.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { timelineChart } from "./timeline-chart.ts";
import { troubleList } from "./trouble-list.ts";

/**
 * The report as one HTML document that needs nothing else: no network, no other file. All text from models, people and
 * files is escaped, and the document's own policy permits no script and no style but those that wisp put in it.
 */
export function reportPage(view: ReportView): string {
  const page = h(
    "html",
    { lang: "en" },
    h("head", {}, headOf(view)),
    h("body", {}, h("main", {}, mainOf(view)), inlined("script", PAGE_SCRIPT)),
  );
  return `<!doctype html>\n${toHtml(page)}\n`;
}

function headOf({ session }: ReportView): Element[] {
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(PAGE_STYLE)}'`,
    `script-src '${digestOf(PAGE_SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    h("meta", { charset: "utf-8" }),
    h("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("title", {}, `${session}: wisp report`),
    inlined("style", PAGE_STYLE),
  ];
}

/** What the page tells, as HTML without the document around it, for a page that shows it while it changes. */
export function reportHtml(view: ReportView): string {
  return toHtml(h("main", {}, mainOf(view)).children);
}

function mainOf(view: ReportView): (Element | null)[] {
  return [
    headerOf(view),
    section("trouble", "What went wrong", troubleList(view)),
    section("timeline", "Timeline", timelineChart(view), legend()),
    section("milestones", "Milestones", milestoneTable(view)),
    section("items", "Findings and bugs", itemTable(view)),
    section("divergences", "Where the work differs from the request", divergenceTable(view)),
    section("meanwhile", "What changed in the repository meanwhile", listOf(view.meanwhile)),
    section("cost", "Cost", costTables(view)),
    h("footer", { class: "faint" }, `Made by wisp from the session's files, ${view.generatedAt}`),
  ];
}

function headerOf(view: ReportView): Element {
  const { tone, text } = headline(view);
  return h(
    "header",
    {},
    h("h1", {}, view.session),
    h("p", { class: `headline ${tone}`, id: "state" }, text),
    h("dl", { class: "facts" }, factsOf(view).map(fact)),
  );
}

function fact([name, value]: readonly [string, string]): Element {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

function factsOf(view: ReportView): readonly (readonly [string, string])[] {
  const { status, timeline, branch, trouble } = view;
  const { fromMs, toMs } = timeline;
  const times: readonly (readonly [string, string])[] =
    fromMs === undefined || toMs === undefined
      ? []
      : [
          ["began", new Date(fromMs).toISOString()],
          ["last record after", formatDuration(toMs - fromMs)],
        ];
  if (status === undefined) return [["branch", branch], ...times, ["trouble", trouble.join(" ")]];
  const { milestones, tasks } = planProgress(status.milestones);
  const open = status.openItems.length;
  const fixed = status.fixed.findings + status.fixed.bugs;
  return [
    ["branch", branch],
    ["milestones", `${String(milestones.done)} of ${String(milestones.of)}`],
    ["tasks", `${String(tasks.done)} of ${String(tasks.of)}`],
    ["commits reviewed", `${String(status.reviewed.commits)} of ${String(status.reviewed.of)}`],
    ["findings and bugs", `${String(fixed)} fixed, ${String(open)} open`],
    ["used", spentWords(status.spent)],
    ...(status.budget === undefined ? [] : [["budget", budgetsLine(status.budget)] as const]),
    ...[
      ...sensitiveLines(status.sensitive),
      ...unusualLines(status.unusual),
      ...differsLines(status.differs),
    ].map((line) => ["look at", line] as const),
    ...times,
  ];
}

/** A section with a title; nothing if there is nothing to show in it. */
function section(
  id: string,
  title: string,
  ...content: readonly (Element | null)[]
): Element | null {
  if (content[0] === null) return null;
  return h("section", { id }, h("h2", {}, title), ...content);
}

function legend(): Element {
  const entries = [
    ["turn ended", "ended"],
    ["turn failed", "failed"],
    ["turn stopped", "stopped"],
    ["turn asked or blocked", "needs-input"],
    ["turn without an end", "open"],
    ["drain window", "drain"],
    ["no turns: a limit", "hold"],
  ];
  return h(
    "ul",
    { class: "legend" },
    entries.map(([words, how]) => h("li", {}, h("i", { class: `swatch ${how}` }), words)),
  );
}

function listOf(lines: readonly string[]): Element | null {
  if (lines.length === 0) return null;
  return h("div", {}, [
    h("p", {}, `${count(lines.length, "change")}; nothing was undone.`),
    h(
      "ul",
      {},
      lines.map((line) => h("li", {}, line)),
    ),
  ]);
}
