import type { FindingView } from "../findings/findings-view.ts";
import { findingRows, findingsRows, findingsSummary } from "../findings/findings-rows.ts";
import { row, span, type Row } from "../rows/row.ts";
import { untabbed, type ListPage, type PageItem, type TextPage } from "./page-facts.ts";

/** What the pages of findings are made from. */
export interface FindingsOnRecord {
  readonly findings: readonly FindingView[];
  /** The ids that a person has dismissed, also those that no role has taken note of yet. */
  readonly dismissed: ReadonlySet<string>;
}

/** All findings and bugs, to choose from. */
export function findingsPage(record: FindingsOnRecord): ListPage {
  const { findings } = record;
  const isEmpty = findings.length === 0;
  const rows = isEmpty ? [] : findingsRows(findings);
  return {
    kind: "list",
    page: { kind: "findings" },
    title: isEmpty ? "Findings and bugs" : `Findings and bugs: ${findingsSummary(findings)}`,
    rows: rows.map((one, at) => noted(one, findings[at], record)),
    items: findings.map((one) => ({ id: one.id, acts: ["open", ...actsOf(one, record)] })),
    ifNone: "Nothing has been found yet.",
  };
}

/** One finding or bug, with everything on record about it. */
export function findingPage(id: string, record: FindingsOnRecord): TextPage {
  const finding = record.findings.find((one) => one.id === id);
  const page = { kind: "finding", id } as const;
  if (finding === undefined) {
    const lines = [row(span("ask", "The session does not have this finding any more."))];
    return { kind: "text", page, title: "Finding", lines, item: undefined };
  }
  const [first = row(""), ...others] = findingRows(finding);
  return {
    kind: "text",
    page,
    title: finding.kind === "bug" ? "Bug" : "Finding",
    lines: untabbed([noted(first, finding, record), ...others]),
    item: { id, acts: actsOf(finding, record) },
  };
}

/** A role that works takes note of a dismissal at its next step. */
function noted(whole: Row, finding: FindingView | undefined, record: FindingsOnRecord): Row {
  const isWaiting = finding?.isOpen === true && record.dismissed.has(finding.id);
  return isWaiting ? row(span("ask", "dismissed by you "), ...whole) : whole;
}

function actsOf({ id, isOpen }: FindingView, { dismissed }: FindingsOnRecord): PageItem["acts"] {
  return isOpen && !dismissed.has(id) ? ["dismiss"] : [];
}
