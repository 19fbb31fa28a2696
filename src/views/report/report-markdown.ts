import { UNUSUAL_TITLE, unusualLines } from "../../evidence/unusual/unusual-lines.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { AMOUNTS, amountCells, budgetsLine, nameOf, spentWords } from "../cost/cost-rows.ts";
import { inline, plain } from "../review/forge-markdown.ts";
import { differsLines } from "../status/differs-elsewhere.ts";
import { SENSITIVE_TITLE, sensitiveLines } from "../status/sensitive-words.ts";
import { planProgress } from "../status/milestone-status.ts";
import { headline } from "./headline.ts";
import { closingWords, milestoneState } from "./report-words.ts";
import type { ReportView } from "./report-view.ts";
import { troublesOf } from "./troubles.ts";

/** The latest of them. */
const TROUBLES_MAX = 20;

/**
 * The report as Markdown, for a terminal, a pull request or a wiki. What models, people and files say in it shows
 * verbatim: it formats nothing and mentions nobody.
 */
export function reportMarkdown(view: ReportView): string {
  const blocks = [
    [`# ${plain(view.session)}`, "", plain(headline(view).text), "", ...factLines(view)],
    titled("What went wrong", troubleLines(view)),
    titled(SENSITIVE_TITLE, listed(sensitiveLines(view.status?.sensitive ?? [], inline))),
    titled(UNUSUAL_TITLE, listed(unusualLines(view.status?.unusual ?? [], inline))),
    titled("Milestones", milestoneLines(view)),
    titled("Findings and bugs", foundLines(view)),
    titled("Where the work differs from the request", divergenceLines(view)),
    titled(
      "What changed in the repository meanwhile",
      view.meanwhile.map((line) => `- ${plain(line)}`),
    ),
    titled("Cost", costLines(view)),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${text.join("\n\n")}\n`;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines];
}

function listed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `- ${line}`);
}

/** Branch, progress, what was used, and when. */
export function factLines({
  branch,
  status,
  timeline: { fromMs, toMs },
}: ReportView): readonly string[] {
  const times =
    fromMs === undefined || toMs === undefined
      ? []
      : [
          `- began ${new Date(fromMs).toISOString()}, last record ${formatDuration(toMs - fromMs)} later`,
        ];
  if (status === undefined) return [`- branch ${inline(branch)}`, ...times];
  const { milestones, tasks } = planProgress(status.milestones);
  return [
    `- branch ${inline(branch)}`,
    `- ${String(milestones.done)} of ${String(milestones.of)} milestones, ${String(tasks.done)} of ${String(tasks.of)} tasks`,
    `- ${String(status.reviewed.commits)} of ${String(status.reviewed.of)} commits reviewed`,
    `- ${plain(spentWords(status.spent))}`,
    ...(status.budget === undefined ? [] : [`- budget: ${plain(budgetsLine(status.budget))}`]),
    ...differsLines(status.differs, plain).map((line) => `- ${line}`),
    ...times,
  ];
}

function troubleLines(view: ReportView): readonly string[] {
  const troubles = troublesOf(view);
  const shown = troubles
    .slice(0, TROUBLES_MAX)
    .map(({ at, text }) => `- ${at === undefined ? "" : `${at} `}${plain(text)}`);
  const rest = troubles.length - TROUBLES_MAX;
  return rest > 0 ? [...shown, `- and ${String(rest)} more`] : shown;
}

/** A table of the milestones, with the range and results of each. */
export function milestoneLines({ milestones }: ReportView): readonly string[] {
  const rows = milestones.map((one) => {
    const { name, progress, range, verify = "", review, test } = one;
    const tasks = progress ? `${String(progress.tasksDone)} of ${String(progress.tasks)}` : "";
    const where =
      range === undefined ? "" : inline(`${shortSha(range.start)}..${shortSha(range.end)}`);
    const answers = [verify, review?.outcome ?? "", test?.outcome ?? ""];
    return [plain(name), tasks, plain(milestoneState(one).words), where, ...answers];
  });
  return tableOf(["milestone", "tasks", "state", "range", "verify", "review", "test"], rows);
}

/** A table of the findings and bugs, and how each was closed. */
export function foundLines({ items }: ReportView): readonly string[] {
  const rows = items.map((item) => [
    inline(item.id),
    item.level,
    plain(item.brief),
    item.place === "" ? "" : inline(item.place),
    plain(closingWords(item)),
  ]);
  return tableOf(["id", "level", "what", "where", "how it was closed"], rows);
}

function divergenceLines({ divergences }: ReportView): readonly string[] {
  return divergences.map(({ what, reason }) =>
    reason === "" ? `- ${plain(what)}` : `- ${plain(what)} Reason: ${plain(reason)}`,
  );
}

/** Tables of what the turns used, by role, milestone, engine and model. */
export function costLines({ cost }: ReportView): readonly string[] {
  return cost
    .filter(({ rows }) => rows.length > 0)
    .flatMap((view, index) => {
      const rows = view.rows.map((one) => [plain(nameOf(one, view.by)), ...amountCells(one)]);
      return [...(index === 0 ? [] : [""]), ...tableOf([view.by, ...AMOUNTS], rows)];
    });
}

function tableOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  // A code span may hold a bar, which would end its cell.
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/gu, "\\|")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)];
}
