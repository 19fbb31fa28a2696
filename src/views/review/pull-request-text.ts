import { recordedNames } from "../../session/rules/build-order.ts";
import type { Unusual } from "../../evidence/unusual/find-unusual.ts";
import { UNUSUAL_TITLE, unusualLines } from "../../evidence/unusual/unusual-lines.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { BASE_TESTS_TITLE, baseTestsLines } from "../status/base-tests-words.ts";
import { closedItems } from "../status/closed-items.ts";
import { differsLines } from "../status/differs-elsewhere.ts";
import { spentWords } from "../cost/cost-rows.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { FindingView } from "../findings/findings-view.ts";
import { fitted, inline, plain } from "./forge-markdown.ts";
import type { OpenItem } from "../status/open-items.ts";
import type { RevisedWork } from "./revised-work.ts";
import { count } from "../../base/words/sentence.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";
import { SENSITIVE_TITLE, sensitiveLines } from "../status/sensitive-words.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { NOTHING_VERIFIED } from "../../session/rules/nothing-verified.ts";
import { commandsInForce, replacedIn } from "../../session/commands/commands-in-force.ts";
import { verifyOutcome, type VerifyOutcome } from "./verify-outcome.ts";
import type { StatusView } from "../status/status-view.ts";
import { lastEndOf } from "../../session/state/stage.ts";

/** The title and body of a pull request, in Markdown, written only from the record. */
export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** What the text of a pull request is written from. */
export interface WorkRecord {
  readonly session: SessionJson;
  readonly state: SessionState;
  readonly view: StatusView;
  /** The complete revisions of the work, oldest first. */
  readonly revisions?: readonly RevisedWork[] | undefined;
  /** The current request, and how the work differs from it: the text of CHANGES.md, or "". */
  readonly request: string;
  readonly changes: string;
  /** Files that can run code outside the session. */
  readonly sensitive?: readonly SensitiveChange[] | undefined;
  /** What is unusual about the commits. */
  readonly unusual?: readonly Unusual[] | undefined;
  /** The lines of the report, if the settings ask to publish it. */
  readonly report?: readonly string[] | undefined;
}

const TITLE_CHARS_MAX = 100;
const CHANGES_CHARS_MAX = 20_000;
const ITEMS_MAX = 50;
const TASKS_MAX = 200;

/** The title is the request's title; the body says what was done and how it was checked. */
export function pullRequestText(work: WorkRecord): PullRequestText {
  const sections = [
    ["What was done", milestoneLines(work.state)],
    ["What was revised", revisionLines(work)],
    ["How it was checked", checkLines(work)],
    ["What was found and fixed", fixedLines(work)],
    ["What was found and needs no change", unchangedLines(work)],
    [BASE_TESTS_TITLE, baseTestLines(work)],
    [SENSITIVE_TITLE, sensitiveLines(work.sensitive ?? [], inline).map((line) => `- ${line}`)],
    [UNUSUAL_TITLE, unusualLines(work.unusual ?? [], inline).map((line) => `- ${line}`)],
    ["What is still open", leftLines(work.view.openItems)],
    ["What a person dismissed", dismissedLines(work.view)],
    ["Where it differs from the request", changeLines(work.changes)],
    ["What it took", [`${spentWords(work.view.spent)}.`]],
    ["Report", work.report ?? []],
  ] as const;
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n\n${lines.join("\n")}\n`)
    .join("\n");
  return { title: titleOf(work), body: fitted(body, `\`wisp status ${work.session.id}\`.`) };
}

/** The title of a request: its first heading. */
export function titleOf({
  request,
  session,
}: {
  readonly request: string;
  readonly session: Pick<SessionJson, "id">;
}): string {
  // The heading of a milestone names only a part of the request.
  const heading = /^#{1,6}[ \t]+(?!Milestone:)(.+?)[ \t]*#*$/imu.exec(request)?.[1];
  const title = cleanText(heading ?? "", { charsMax: TITLE_CHARS_MAX, lines: "one" });
  return title === "" ? session.id : title;
}

/** The finished milestones with their tasks. Tasks beyond the maximum are only counted. */
function milestoneLines({ builder }: SessionState): readonly string[] {
  let room = TASKS_MAX;
  const recorded = recordedNames(builder);
  return builder.plan
    .filter(({ name }) => recorded.has(name))
    .flatMap(({ name, tasks }) => {
      const listed = tasks.slice(0, Math.max(0, room));
      room -= listed.length;
      const rest = tasks.length - listed.length;
      return [
        `- ${inline(name)} (${count(tasks.length, "task")})`,
        ...listed.map((task) => `  - ${plain(task)}`),
        ...(rest === 0 ? [] : [`  - and ${String(rest)} more`]),
      ];
    });
}

/** The items that were closed in the session and its revisions with this result. */
function closedIn(
  { state, revisions = [] }: WorkRecord,
  of: "fixed" | "unchanged",
): readonly FindingView[] {
  return [state, ...revisions.map((revised) => revised.state)].flatMap(
    (one) => closedItems(one)[of],
  );
}

function fixedLines(work: WorkRecord): readonly string[] {
  return listed(closedIn(work, "fixed"), ({ id, brief, fixes }) => {
    const sha = fixes.findLast(({ verdict }) => verdict === "closed")?.sha;
    return `- ${id}: ${plain(brief)}${sha === undefined ? "" : ` (${shortSha(sha)})`}`;
  });
}

function unchangedLines(work: WorkRecord): readonly string[] {
  return listed(closedIn(work, "unchanged"), ({ id, brief, fixes }) => {
    const why = fixes.findLast(({ verdict }) => verdict === "closed")?.reason ?? "";
    return `- ${id}: ${plain(brief)}${why === "" ? "" : ` (${plain(why)})`}`;
  });
}

/** The lines of a list, up to a maximum; the rest is only counted. */
function listed<T>(all: readonly T[], lineOf: (one: T) => string): readonly string[] {
  const rest = all.length - ITEMS_MAX;
  const lines = all.slice(0, ITEMS_MAX).map(lineOf);
  return rest > 0 ? [...lines, `- and ${String(rest)} more`] : lines;
}

/** What a person found wrong, and what was done about it. */
function revisionLines({ revisions = [] }: WorkRecord): readonly string[] {
  return revisions.flatMap(({ found, view }) => {
    const { asked = [], revision = 0 } = found.session.parent ?? {};
    const items = view.milestones.filter(({ isFinished }) => isFinished);
    return [
      `- Revision ${String(revision)}, ${count(items.length, "item")}`,
      ...asked.slice(0, ITEMS_MAX).map((problem) => `  - Found: ${plain(problem)}`),
      ...items.map(({ name }) => `  - Done: ${inline(name)}`),
    ];
  });
}

function checkLines(work: WorkRecord): readonly string[] {
  const { session, state, view } = work;
  const { reviewed, fixed, redAtBase } = view;
  const tested = view.milestones.filter(({ isTested }) => isTested).length;
  const last = work.revisions?.at(-1);
  return [
    `- Reviewed ${String(reviewed.commits)} of ${count(reviewed.of, "commit")}; ${count(fixed.findings, "finding")} fixed.`,
    `- Tested ${count(tested, "milestone")}; ${count(fixed.bugs, "bug")} fixed.`,
    ...verifyLines(last?.found.session ?? session, last?.state ?? state),
    ...differsLines(view.differs, plain).map((line) => `- ${line.replace(/^v/u, "V")}.`),
    ...(redAtBase === undefined ? [] : redLines(redAtBase.failing)),
  ];
}

/** Tests that fail at the base are excused: this work did not break them. */
function redLines(failing: readonly string[]): readonly string[] {
  const head =
    "- The tests were not all green before this work began; these are not counted against it";
  if (failing.length === 0) return ["- The tests were not all green before this work began."];
  return [`${head}:`, ...listed(failing, (name) => `  - ${inline(name)}`)];
}

/** Of the newest part of the work, with the commands in force there: each part may have other ones. */
function verifyLines(session: SessionJson, state: SessionState): readonly string[] {
  const outcome = verifyOutcome(state);
  const { verify } = commandsInForce(session, replacedIn(session, state));
  const done = lastEndOf(state.builder);
  const command = verify.map((argv) => argv.map(shellWord).join(" ")).join(" && ");
  if (outcome === "none") {
    const why =
      verify.length === 0 ? "there is no verify command" : `${inline(command)} has no tests`;
    return [`- ${NOTHING_VERIFIED.replace(/^n/u, "N")}: ${why}.`];
  }
  const at = done === undefined ? "" : ` at ${shortSha(done.head)}`;
  return [`- ${inline(command)} ${VERIFY_WORDS[outcome]}${at}.`];
}

const VERIFY_WORDS = {
  passed: "passes",
  "no-worse": "fails no worse than before",
  excused: "fails, which a person accepted,",
} as const satisfies Readonly<Record<Exclude<VerifyOutcome, "none">, string>>;

/** Covers the session and its revisions, because each has its own base. */
function baseTestLines({ state, revisions = [] }: WorkRecord): readonly string[] {
  const states = [state, ...revisions.map((revised) => revised.state)];
  const all = states.flatMap(({ tester }) => tester.finalBaseTests);
  return baseTestsLines(all, { name: inline, sentence: plain }).map((line) => `- ${line}`);
}

function leftLines(items: readonly OpenItem[]): readonly string[] {
  return listed(items, ({ id, level, brief, file, line }) => {
    const at = line === undefined ? "" : `:${String(line)}`;
    const place = file === undefined ? "" : ` (${inline(`${file}${at}`)})`;
    return `- ${id}, ${level}: ${plain(brief)}${place}`;
  });
}

function dismissedLines({ dismissed }: StatusView): readonly string[] {
  return listed(dismissed, ({ id, brief, why }) => `- ${id}: ${plain(brief)} (${plain(why)})`);
}

/** The sentences of engines and people, without wisp's internals such as unit keys. */
function changeLines(changes: string): readonly string[] {
  const text = cleanText(changes, { charsMax: CHANGES_CHARS_MAX, lines: "many" });
  if (text.trim() === "") return [];
  return text.split("\n").map((line) => {
    // Headings of CHANGES.md go below those of the body.
    const heading = /^(#{1,4}) (.*)$/u.exec(line);
    if (heading !== null) return `##${heading[1] ?? ""} ${plain(heading[2] ?? "")}`;
    const [, dash = "", rest = ""] = /^(\s*- )?(.*)$/u.exec(line) ?? [];
    return `${dash}${plain(rest.replace(/ \[[a-z-]+:[^\s\]]+\]$/u, ""))}`;
  });
}
