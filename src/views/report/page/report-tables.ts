import type { Element } from "hast";
import { h } from "hastscript";
import { formatDuration } from "../../../base/words/format-duration.ts";
import { count } from "../../../base/words/sentence.ts";
import { shortSha } from "../../../workspace/session/describe-unit.ts";
import { amountCells, AMOUNTS, nameOf } from "../../cost/cost-rows.ts";
import type { CostView } from "../../cost/cost-view.ts";
import type { ReportItem, ReportMilestone, ReportView } from "../report-view.ts";
import { closingWords, milestoneState } from "../report-words.ts";

/** A cell: its content, and a class for its style. */
interface Cell {
  readonly content: string | Element | undefined;
  readonly style?: string;
}

/** A table with fewer rows is seen at a glance. */
const SEARCHED_ROWS_MIN = 8;

/** A table, with a search field if it is long. Null without rows. */
function tableOf(
  id: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
): Element | null {
  const [first] = rows;
  if (first === undefined) return null;
  const headOf = (head: string, at: number) =>
    h("th", { scope: "col", class: first[at]?.style === "number" ? "number" : "" }, head);
  const cells = (row: readonly Cell[]) =>
    row.map(({ content, style = "" }) => h("td", { class: style }, content));
  return h(
    "div",
    { class: "table" },
    rows.length < SEARCHED_ROWS_MIN ? null : searchField(id, rows.length),
    h(
      "div",
      { class: "table-scroll" },
      h("table", { id }, [
        h("thead", {}, h("tr", {}, heads.map(headOf))),
        h(
          "tbody",
          {},
          rows.map((row) => h("tr", {}, cells(row))),
        ),
      ]),
    ),
  );
}

function searchField(id: string, rows: number): Element {
  return h("input", {
    type: "search",
    class: "filter",
    "data-of": id,
    placeholder: `Search ${count(rows, "row")}`,
    "aria-label": "Search this table",
  });
}

/** Each milestone with its range, and how it was verified, reviewed and tested. */
export function milestoneTable({ milestones }: ReportView): Element | null {
  const heads = [
    "milestone",
    "tasks",
    "state",
    "range",
    "verify",
    "review",
    "test",
    "builds",
    "lag",
  ];
  return tableOf("milestone-table", heads, milestones.map(milestoneCells));
}

function milestoneCells(one: ReportMilestone): readonly Cell[] {
  const { name, progress, range, verify, review, test, builds, lagMs } = one;
  const tasks = progress && `${String(progress.tasksDone)} of ${String(progress.tasks)}`;
  const { words, tone } = milestoneState(one);
  return [
    { content: name, style: "strong" },
    { content: tasks ?? "", style: "number" },
    { content: words, style: tone },
    { content: range && h("code", {}, `${shortSha(range.start)}..${shortSha(range.end)}`) },
    { content: verify ?? "", style: verify === "failed" ? "bad" : "" },
    { content: review?.outcome ?? "" },
    { content: test?.outcome ?? "" },
    { content: builds === 0 ? "" : String(builds), style: "number" },
    { content: lagMs === undefined ? "" : formatDuration(Math.max(0, lagMs)), style: "number" },
  ];
}

/** Each finding and bug, and how it was closed. */
export function itemTable({ items }: ReportView): Element | null {
  const heads = ["id", "level", "what", "where", "by", "how it was closed"];
  return tableOf("item-table", heads, items.map(itemCells));
}

function itemCells(item: ReportItem): readonly Cell[] {
  const { id, level, brief, place, by, isOpen, issue, suggestion } = item;
  const details = [issue, suggestion].filter((text) => text !== "" && text !== brief);
  const what =
    details.length === 0
      ? brief
      : h(
          "details",
          {},
          h("summary", {}, brief),
          details.map((text) => h("p", {}, text)),
        );
  return [
    { content: h("code", {}, id) },
    { content: level, style: isOpen && level === "blocking" ? "bad" : "" },
    { content: what },
    { content: place === "" ? "" : h("code", {}, place) },
    { content: by },
    { content: closingWords(item), style: isOpen ? "ask" : "" },
  ];
}

/** What the builder and the reviewer reported to be different from the request. */
export function divergenceTable({ divergences }: ReportView): Element | null {
  const rows = divergences.map(({ what, reason, milestone = "" }) => [
    { content: what },
    { content: reason },
    { content: milestone },
  ]);
  return tableOf("divergence-table", ["what", "why", "milestone"], rows);
}

/** What the turns used, by role, milestone, engine and model. */
export function costTables({ cost }: ReportView): Element | null {
  const used = cost.filter(({ rows }) => rows.length > 0);
  if (used.length === 0) return null;
  return h("div", {}, used.map(costTable));
}

function costTable(view: CostView): Element | null {
  const rows = view.rows.map((one) => [
    { content: nameOf(one, view.by), style: "strong" },
    ...amountCells(one).map((content) => ({ content, style: "number" })),
  ]);
  return tableOf(`cost-${view.by}`, [view.by, ...AMOUNTS], rows);
}
