import type {
  EventLine,
  ItemFacts,
  MilestoneFacts,
  RoleFacts,
  ScreenFacts,
} from "../views/screen/screen-facts.ts";
import { shareRows } from "../views/rows/share-rows.ts";
import { row, span, type Row, type Style } from "../views/rows/styled-row.ts";

/** The summary of a session in at most so many rows: what matters most is given room first. */
export function summaryRows(facts: ScreenFacts, rows: number): readonly Row[] {
  const top = [
    ...headRows(facts),
    ...facts.roles.map(roleRow),
    countsRow(facts),
    ...facts.notices.map(({ style, text }) => row(span(style, text))),
  ];
  const sections = [
    { title: "Milestones", rows: facts.milestones.map(milestoneRow), from: currentAt(facts) },
    { title: "Open", rows: facts.openItems.map(itemRow), from: 0 },
    { title: "Events", rows: facts.events.map(eventRow), from: facts.events.length },
  ].filter((section) => section.rows.length > 0);
  const given = shareRows(
    rows - top.length,
    // Its title, and a blank row above it.
    sections.map((section) => section.rows.length + 2),
  );
  const shown = sections.map((section, index) => sectionRows(section, given[index] ?? 0));
  return [...top, ...shown.flat()].slice(0, Math.max(rows, 0));
}

function headRows({ session, phase, branch, spent, milestones }: ScreenFacts): readonly Row[] {
  const done = milestones.filter(({ isFinished }) => isFinished).length;
  const sum = (of: "tasks" | "tasksDone") => milestones.reduce((total, one) => total + one[of], 0);
  const progress =
    milestones.length === 0
      ? "no plan yet"
      : `${done}/${milestones.length} milestones, ${sum("tasksDone")}/${sum("tasks")} tasks`;
  const used = spent === undefined ? "" : `, used ${spent}`;
  return [
    row(span("strong", session), "  ", span("strong", phase), "  ", span("faint", progress)),
    row(span("faint", `branch ${branch}${used}`)),
  ];
}

const ROLE_STYLES: Readonly<Record<RoleFacts["state"], Style>> = {
  works: "plain",
  interrupted: "ask",
  waits: "faint",
  due: "plain",
  ended: "faint",
  failed: "bad",
};

const ROLE_CHARS = 10;

function roleRow({ role, state, isRunning, says }: RoleFacts): Row {
  const isGone = !isRunning && state !== "ended" && state !== "failed";
  return row(
    "  ",
    span(role, role.padEnd(ROLE_CHARS)),
    span(ROLE_STYLES[state], `${says}${isGone ? " (not running)" : ""}`),
  );
}

function countsRow({ reviewed, openItems }: ScreenFacts): Row {
  const open = (kind: ItemFacts["kind"]) => openItems.filter((item) => item.kind === kind).length;
  return row(
    `Reviewed ${reviewed.commits} / ${reviewed.of} commits, `,
    `open: ${counted(open("finding"), "finding")}, ${counted(open("bug"), "bug")}`,
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const BAR_CHARS = 10;

function milestoneRow(milestone: MilestoneFacts): Row {
  const { name, tasks, tasksDone, isFinished, isReviewed, isTested, stall = "" } = milestone;
  const share = tasks === 0 ? 0 : Math.floor((tasksDone / tasks) * BAR_CHARS);
  const bar = "#".repeat(share).padEnd(BAR_CHARS, ".");
  const seen = [...(isReviewed ? ["reviewed"] : []), ...(isTested ? ["tested"] : [])].join(", ");
  return row(
    "  ",
    span(isFinished ? "good" : "faint", `[${bar}]`),
    ` ${tasksDone}/${tasks} ${name}`,
    span("faint", seen === "" ? "" : `  ${seen}`),
    span("ask", stall === "" ? "" : `  ${stall}`),
  );
}

function itemRow({ id, level, brief, isBlocking }: ItemFacts): Row {
  return row("  ", span(isBlocking ? "bad" : "plain", `${id}  ${level}  ${brief}`));
}

const SPEAKER_CHARS = "reviewer".length;

function eventRow({ speaker, style, text }: EventLine): Row {
  return row(
    "  ",
    span(speaker, speaker.padEnd(SPEAKER_CHARS)),
    span("faint", " | "),
    span(style, text),
  );
}

/** The milestone that is worked at. */
function currentAt({ milestones }: ScreenFacts): number {
  const at = milestones.findIndex(
    ({ isFinished, isSetAside }) => !isFinished && isSetAside !== true,
  );
  return at === -1 ? milestones.length : at;
}

interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The row that is to be seen. */
  readonly from: number;
}

function sectionRows({ title, rows, from }: Section, given: number): readonly Row[] {
  const heading = row(span("strong", title));
  if (given <= 1) return given === 1 ? rows.slice(-1) : [];
  const shown = given === 2 ? 1 : given - 2;
  const before = given === 2 ? [heading] : [row(""), heading];
  // The row in question, what was before it, and as much as fits of what follows.
  const first = Math.max(0, Math.min(from - 1, rows.length - shown));
  return [...before, ...rows.slice(first, first + shown)];
}
