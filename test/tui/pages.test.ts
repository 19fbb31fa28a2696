import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../src/tui/key.ts";
import { pressKey } from "../../src/tui/press-key.ts";
import { keyGround, screenRows } from "../../src/tui/screen-rows.ts";
import { FIRST_STATE, type ScreenEffect, type ScreenState } from "../../src/tui/screen-state.ts";
import { widthOf } from "../../src/views/rows/cells.ts";
import { plainText } from "../../src/views/rows/row.ts";
import type { FindingView } from "../../src/views/findings/findings-view.ts";
import { findingPage, findingsPage } from "../../src/views/screen/findings-page.ts";
import { commitPage, commitsPage, commitStandings } from "../../src/views/screen/commits-page.ts";
import { factsOf, oid } from "../cli/session-states.ts";
import type { PlanView } from "../../src/views/plan/plan-view.ts";
import { planPage } from "../../src/views/screen/plan-page.ts";
import { sessionsPage } from "../../src/views/screen/sessions-page.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import type { PageFacts } from "../../src/views/screen/page-facts.ts";
import { FACTS, textOf } from "./screen-of-facts.ts";

const SIZE = { columns: 80, rows: 24 };
const HOSTILE = "Off \u001B[2J\u001B[31mby one\u0007 日本語 \u202Eevil";

function finding(id: string, change: Partial<FindingView> = {}): FindingView {
  return {
    ...{ id, brief: `Brief of ${id}`, issue: "The loop ends too early.\nSee the last row." },
    ...{ suggestion: "Use <=", level: "blocking", category: "logic", reviewer: "correctness" },
    ...{ kind: "finding", state: "open", isOpen: true, isBlocking: true, fixes: [] },
    ...{ file: "src/api.ts", line: 12, refusal: undefined, dismissal: undefined },
    ...change,
  };
}

const MANY = Array.from({ length: 30 }, (_, at) => finding(`COR-${String(at + 1)}`));

/** The screen after keys; the page that is open has the facts that `pageOf` makes of it. */
function pressed(
  words: readonly string[],
  pageOf: (state: ScreenState) => PageFacts | undefined,
  first = FIRST_STATE,
): { readonly state: ScreenState; readonly effect: ScreenEffect | undefined; rows: string[] } {
  let now: ReturnType<typeof pressKey> = { state: first, effect: undefined };
  const facts = () => ({ ...FACTS, page: pageOf(now.state) });
  for (const word of words) {
    now = pressKey(now.state, keyOf(word), keyGround(facts(), now.state, SIZE));
  }
  return { ...now, rows: [...textOf(screenRows(facts(), now.state, SIZE))] };
}

const NAMED = ["enter", "escape", "up", "down", "page-down", "home", "end", "tab"] as const;

function keyOf(word: string): Key {
  const kind = NAMED.find((one) => one === word);
  return kind === undefined ? { kind: "text", text: word } : { kind };
}

function onFindings(findings: readonly FindingView[], ...ids: readonly string[]) {
  const record = { findings, dismissed: new Set(ids) };
  return ({ pages }: ScreenState): PageFacts | undefined => {
    const page = pages.at(-1)?.page;
    if (page?.kind === "findings") return findingsPage(record);
    return page?.kind === "finding" ? findingPage(page.id, record) : undefined;
  };
}

test("f lists findings and bugs, j and k choose, enter opens one, and esc goes back to it", () => {
  const list = onFindings(MANY);
  const opened = pressed(["f"], list);
  expect(opened.rows[0]).toContain("invoices  RUNNING");
  expect(opened.rows[1]).toMatch(/^╭─▸Findings and bugs: 30 findings, 30 open.* 1 of 30 ─╮$/u);
  expect(opened.rows[2]).toMatch(/^│ ▸ COR-1 +open {2}blocking {2}Brief of COR-1 \(src/u);
  expect(opened.rows[3]).toMatch(/^│ {3}COR-2 /u);
  expect(opened.rows.at(-1)).toContain("enter open  d dismiss");

  const moved = pressed(["f", "j", "down", "k"], list);
  expect(moved.rows[3]).toMatch(/^│ ▸ COR-2 /u);
  const last = pressed(["f", "G"], list);
  expect(last.rows.at(-3)).toMatch(/^│ ▸ COR-30 /u);
  expect(pressed(["f", "G", "j", "k", "k"], list).rows.at(-5)).toMatch(/^│ ▸ COR-28 /u);

  const text = pressed(["f", "j", "enter"], list);
  expect(text.rows.join("\n")).toMatch(/╭─▸Finding ─.*COR-2 {2}open {2}Brief.*The loop ends/su);
  expect(pressed(["f", "j", "enter", "escape"], list).rows[3]).toMatch(/^│ ▸ COR-2 /u);
  expect(pressed(["f", "j", "enter", "escape", "escape"], list).state).toEqual({
    ...FIRST_STATE,
    remark: undefined,
  });
  expect(pressed(["f", "f"], list).state.pages).toEqual([]);
  expect(pressed(["f", "t"], list).state).toMatchObject({ pages: [], mode: "tail" });
});

test("the chosen finding stays chosen when others come before it, and what is read is said so", () => {
  const { state } = pressed(["f", "j"], onFindings(MANY));
  const more = [finding("COR-31"), ...MANY];
  expect(pressed([], onFindings(more), state).rows[4]).toMatch(/^│ ▸ COR-2 /u);
  expect(pressed(["f"], () => undefined).rows[2]).toMatch(/^│ Reading… /u);
  expect(pressed(["f"], onFindings([])).rows[2]).toMatch(/^│ Nothing has been found yet\. /u);
});

test("d dismisses the chosen finding only with a reason, and only after y", () => {
  const list = onFindings(MANY);
  const asked = pressed(["f", "j", "d"], list);
  expect(asked.rows.join("\n")).toContain("Why is COR-2 dismissed?");
  expect(pressed(["f", "j", "d", "enter"], list).state.prompt).toBeDefined();
  expect(pressed(["f", "j", "d", "it is wanted", "escape"], list)).toMatchObject({
    state: { prompt: undefined },
    effect: undefined,
  });
  const sure = pressed(["f", "j", "d", "it is wanted", "enter"], list);
  expect(sure.rows.join("\n")).toContain("Dismiss COR-2 for good, because: it is wanted (y/n)");
  expect(sure.effect).toBeUndefined();
  expect(pressed(["f", "j", "d", "it is wanted", "enter", "n"], list).effect).toBeUndefined();
  expect(pressed(["f", "j", "d", "it is wanted", "enter", "y"], list).effect).toEqual({
    ...{ kind: "dismiss", id: "COR-2", why: "it is wanted" },
  });
  // What was typed after the reason and arrived with it does not confirm it.
  expect(pressed(["f", "d", "it is wanted", "enter", "yes"], list).effect).toBeUndefined();
  const tooLong = pressed(["f", "d", "a".repeat(1_001), "enter"], list);
  expect(tooLong.rows.join("\n")).toContain("longer than 1000 characters");
  expect(tooLong.state.prompt).toMatchObject({ kind: "reason" });
});

test("what is closed cannot be dismissed, and letters of the summary do nothing on a page", () => {
  const closed = onFindings([finding("COR-1", { state: "closed", isOpen: false })]);
  const shown = pressed(["f", "d"], closed);
  expect(shown.state.prompt).toBeUndefined();
  expect(shown.rows.join("\n")).toContain("There is nothing here to dismiss.");
  expect(shown.rows.at(-1)).not.toContain("d dismiss");
  const noted = pressed(["f", "d"], onFindings([finding("COR-1")], "COR-1"));
  expect(noted.state.prompt).toBeUndefined();
  expect(noted.rows[2]).toMatch(/▸ dismissed by you COR-1 +open/u);
  expect(pressed(["f", "a"], closed)).toMatchObject({
    effect: undefined,
    state: { prompt: undefined },
  });
});

test("/ finds findings in the list and words in the text, and n goes on", () => {
  const list = onFindings(MANY);
  const found = pressed(["f", "/", "cor-17", "enter"], list);
  expect(found.rows.join("\n")).toMatch(/^│ ▸ COR-17 /mu);
  expect(pressed(["f", "/", "cor-1", "enter", "n"], list).rows.join("\n")).toMatch(/▸ COR-10 /u);
  const long = Array.from({ length: 90 }, (_, at) => `Line ${String(at)}.`).join("\n");
  const text = onFindings([finding("COR-1", { issue: long })]);
  const line = pressed(["f", "enter", "/", "line 70", "enter"], text);
  expect(line.rows[2]).toMatch(/^│ +Line 70\./u);
  expect(pressed(["f", "enter", "/", "nowhere", "enter"], text).rows.join("\n")).toContain(
    "Nothing here contains that text.",
  );
});

test("pages show hostile text as text, at every size, without anything wider than the screen", () => {
  const size = fc.record({
    columns: fc.integer({ min: 4, max: 200 }),
    rows: fc.integer({ min: 1, max: 60 }),
  });
  const hostile = fc.oneof(fc.constant(HOSTILE), fc.string({ unit: "binary" }));
  const keys = fc.constantFrom(["f"], ["f", "j"], ["f", "enter"], ["f", "enter", "G"], ["f", "d"]);
  fc.assert(
    fc.property(size, hostile, keys, (on, text, words) => {
      const findings = [finding("COR-1", { brief: text, issue: text, file: text }), ...MANY];
      const { state } = pressed(words, onFindings(findings));
      const facts = { ...FACTS, page: onFindings(findings)(state) };
      const rows = screenRows(facts, state, on);
      expect(rows).toHaveLength(on.rows);
      for (const one of rows) {
        expect(widthOf(plainText([one]))).toBeLessThanOrEqual(on.columns);
        expect(plainText([one])).not.toMatch(/[\p{Cc}\u202E]/u);
      }
    }),
  );
});

test("c lists the commits of the session, newest first, and opens one at the begin of its diff", () => {
  const state = { ...factsOf({ commits: [oid("1"), oid("2")] }).state };
  const commits = [
    { sha: oid("1"), subject: "First" },
    { sha: oid("2"), subject: HOSTILE },
  ];
  const git = { subject: HOSTILE, author: "A", time: "2026-11-20T12:00:00Z", files: [] };
  const diff = `diff --git a/x b/x\n@@ -0,0 +1,9000 @@\n${"+a\tline\n".repeat(9_000)}`;
  const pageOf = ({ pages }: ScreenState): PageFacts | undefined => {
    const page = pages.at(-1)?.page;
    if (page?.kind === "commits") return commitsPage(commits, state);
    const standing = commitStandings(state)(oid("2"));
    return commitPage({ sha: oid("2"), git, ...standing, diff, isWhole: true });
  };
  const list = pressed(["c"], pageOf).rows;
  expect(list[1]).toContain("▸Commits: 2 commits");
  expect(list[2]).toMatch(/^│ ▸ 2{10} {2}not reviewed {2}Off by one 日本語 evil/u);
  expect(list[3]).toMatch(/^│ {3}1{10} {2}not reviewed {2}First /u);
  const text = pressed(["c", "enter"], pageOf).rows;
  expect(text[1]).toMatch(/╭─▸Commit 2{10} ─+ line 1 of 5006 ─╮/u);
  expect(text.join("\n")).toContain("│ +a    line ");
  expect(pressed(["c", "enter", "G"], pageOf).rows.join("\n")).toContain("The diff goes on.");
  expect(pressed(["c", "enter", "d"], pageOf).state.prompt).toBeUndefined();
  expect(textOf(commitsPage([], state).rows)).toEqual([]);
});

test("a plan that waits is approved or rejected by the digest that is shown, and one in force is not", () => {
  const sha256 = "ab".repeat(32);
  const plan: PlanView = {
    ...{ schema: "wisp.plan/1", session: "invoices", status: "waiting", sha256 },
    milestones: [{ name: HOSTILE, state: "open", tasks: [] }],
    ...{ dropped: [], remarks: [], tasksLeft: 0 },
    estimate: { costUsd: undefined, durationMs: undefined },
  };
  const waiting = () => planPage(plan);
  const shown = pressed(["p"], waiting);
  expect(shown.rows[1]).toContain("▸Plan, waiting for your approval ─");
  expect(shown.rows.join("\n")).toContain("Off by one 日本語 evil");
  expect(shown.rows.at(-1)).toMatch(/^a approve {2}r reject /u);
  expect(pressed(["p", "a"], waiting).rows.join("\n")).toContain("the digest abababababab, and");
  expect(pressed(["p", "a", "y"], waiting).effect).toEqual({ kind: "approve", plan: sha256 });
  expect(pressed(["p", "a", "n"], waiting).effect).toBeUndefined();
  // What the person was asked about counts, whatever the page shows by then.
  const { state } = pressed(["p", "a"], waiting);
  const changed = () => planPage({ ...plan, sha256: "cd".repeat(32) });
  expect(pressed(["y"], changed, state).effect).toEqual({ kind: "approve", plan: sha256 });
  const rejected = pressed(["p", "r", "Smaller", "enter", "y"], waiting).effect;
  expect(rejected).toEqual({ kind: "reject", plan: sha256, text: "Smaller" });
  const inForce = () => planPage({ ...plan, status: "in-force" });
  for (const key of ["a", "r"]) {
    expect(pressed(["p", key], inForce).state.prompt).toBeUndefined();
    expect(pressed(["p", key], inForce).effect).toBeUndefined();
  }
});

test("while a plan waits, the keys name its page first", () => {
  const facts = { ...FACTS, isPlanWaiting: true };
  const keys = textOf(screenRows(facts, FIRST_STATE, SIZE)).at(-1);
  expect(keys).toMatch(/^p approve the plan {2}t output/u);
});

test("s lists the sessions, enter shows one, and what cannot be read is not shown", () => {
  const view = statusView(factsOf({ commits: [oid("1")] }));
  const lines = [
    { id: "invoices", ageMs: 5_000, view },
    { id: "日本語の長い名前".repeat(9), ageMs: 3_600_000, view },
    { id: "broken", ageMs: 90_000, view: undefined },
  ];
  const list = () => sessionsPage(lines, "invoices");
  const shown = pressed(["s"], list).rows;
  expect(shown[1]).toContain("▸Sessions: state, progress, cost, age, place ─");
  expect(shown[4]).toMatch(/broken .* 1m 30s +│$/u);
  expect(shown[2]).toMatch(/^│ ▸ invoices \(shown\) /u);
  expect(shown[3]).toMatch(/^│ {3}日本語.*… +START .* │$/u);
  const at = (word: string) => pressed(["s", "j", "/", word, "enter", "enter"], list);
  expect(at("broken").effect).toBeUndefined();
  expect(at("invoices")).toMatchObject({
    effect: { kind: "follow", session: "invoices" },
    state: FIRST_STATE,
  });
});

test("the list of sessions says where each runs, and which places are out of reach", () => {
  const view = statusView(factsOf({ commits: [oid("1")] }));
  const on = (executor: string, isHeard: boolean) => ({
    id: executor,
    ageMs: 1_000,
    view: {
      ...view,
      elsewhere: { executor, place: "p1", mirrorRef: "refs/wisp/mirror/p1", isHeard },
    },
  });
  const lines = [on("box", true), on("farm", false), { id: "here", ageMs: 1_000, view }];
  const { rows } = pressed(["s"], () => sessionsPage(lines, "here"));
  expect(rows[2]).toMatch(/ box +START \S+ started\) .* on box +│$/u);
  expect(rows[3]).toMatch(/ farm +OUT OF REACH \(last START\) .* on farm +│$/u);
  expect(rows[4]).not.toContain(" on ");
});

test("another session is shown read-only: no key decides anything, and esc goes back to the own one", () => {
  const page = onFindings([finding("COR-1")]);
  const questions = [{ id: "builder-1", role: "builder", ask: "?" }] as const;
  const press = (...words: readonly string[]) => {
    let now: ReturnType<typeof pressKey> = { state: FIRST_STATE, effect: undefined };
    const facts = () => ({ ...FACTS, questions, isReadOnly: true, page: page(now.state) });
    for (const word of words) {
      now = pressKey(now.state, keyOf(word), keyGround(facts(), now.state, SIZE));
    }
    return { ...now, keys: textOf(screenRows(facts(), now.state, SIZE)).at(-1) };
  };
  for (const words of [["S"], ["a"], ["enter"], ["f", "d"], ["f", "a"], ["f", "enter", "d"]]) {
    const { state, effect } = press(...words);
    expect(state.prompt).toBeUndefined();
    expect(effect).toBeUndefined();
    expect(state.remark).toContain("read-only");
  }
  expect(press("f").keys).not.toContain("dismiss");
  expect(press().keys).toBe(
    "esc back  t output  s,f,c,p pages  j,k scroll  / search  q leave  ? help",
  );
  expect(press("escape").effect).toEqual({ kind: "return" });
  expect(press("f", "escape").effect).toBeUndefined();
  expect(press("q").effect).toEqual({ kind: "background" });
});
