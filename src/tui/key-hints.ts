import { ROLES } from "../base/role.ts";
import { row, span, type Row } from "../views/rows/row.ts";
import type { QuestionFacts, ScreenFacts } from "../views/screen/screen-facts.ts";
import { fitHints, type Hint } from "./fit-hints.ts";
import { pageHints } from "./pages/page-hints.ts";
import { sureHint } from "./pages/page-prompt.ts";
import type { Prompt, ScreenState } from "./screen-state.ts";

/** What the keys do now, in one row; as many hints as fit, in their order. */
export function hintsRow(facts: ScreenFacts, state: ScreenState, columns: number): Row {
  return row(span("faint", fitHints(hints(facts, state), columns)));
}

function hints(
  facts: ScreenFacts,
  { mode, prompt, isHelpOpen, pages, search }: ScreenState,
): readonly Hint[] {
  const { questions } = facts;
  const open = pages.at(-1);
  const searchHints: readonly Hint[] = search === undefined ? [] : [[2, "n next"]];
  if (isHelpOpen) return [[0, "any key closes this"]];
  if (prompt !== undefined) return promptHints(prompt, questions);
  if (open === undefined && facts.isReadOnly === true) return [...searchHints, ...GUEST_HINTS];
  if (open !== undefined) return [...searchHints, ...pageHints(open, facts)];
  return [
    ...(questions.length > 0 ? [[0, "enter answer"] as const] : []),
    ...searchHints,
    ...(facts.isPlanWaiting === true ? [[0, "p approve the plan"] as const] : []),
    ...(mode === "tail" ? TAIL_HINTS : SUMMARY_HINTS),
    [6, "a attach"],
    [4, "S stop"],
    [2, mode === "tail" ? "q leave" : "q leave it running"],
    [1, "? help"],
  ];
}

const SUMMARY_HINTS: readonly Hint[] = [
  [3, "t output"],
  [8, "j,k scroll"],
  [7, "tab pane"],
  [9, "/ search"],
  [5, "s,f,c,p pages"],
];

/** While another session is shown than the one that the command runs. */
const GUEST_HINTS: readonly Hint[] = [
  [0, "esc back"],
  [3, "t output"],
  [4, "s,f,c,p pages"],
  [5, "j,k scroll"],
  [6, "/ search"],
  [1, "q leave"],
  [2, "? help"],
];

const TAIL_HINTS: readonly Hint[] = [
  [3, "t,d summary"],
  [7, `1-${String(ROLES.length)} role`],
  [5, "j,k scroll"],
  [8, "/ search"],
];

function promptHints(prompt: Prompt, questions: readonly QuestionFacts[]): readonly Hint[] {
  switch (prompt.kind) {
    case "stop":
      return sureHints("y stop it");
    case "attach":
      return sureHints("y interrupt it");
    case "search":
      return [
        [0, "enter search"],
        [1, "esc cancel"],
      ];
    case "reason":
      return [
        [0, "enter goes on"],
        [1, "esc cancel"],
      ];
    case "sure":
      return sureHints(sureHint(prompt.effect));
    case "answered":
      return [[0, "enter or esc closes this"]];
    case "answer": {
      const more: readonly Hint[] = questions.length > 1 ? [[3, "tab another question"]] : [];
      return [[0, "enter send"], [2, "alt-enter new line"], [1, "esc not now"], ...more];
    }
  }
}

function sureHints(sure: string): readonly Hint[] {
  return [
    [0, sure],
    [1, "any other key: cancel"],
  ];
}

/** All keys. Short enough for the smallest terminal in practical use. */
export const HELP: readonly Row[] = [
  row(span("strong", "Keys")),
  row("  j k      scroll; also up, down"),
  row("  b space  by pages; also page up, down"),
  row("  g G      go to start; follow end"),
  row("  tab      the next pane"),
  row("  s f c p  sessions, findings, commits, plan"),
  row("  / n N    search; next match, previous"),
  row("  t        engine output, or back"),
  row(`  1-${String(ROLES.length)}      whose output; also left, right`),
  row("  d        back to the summary"),
  row("  a        attach; asks during a turn"),
  row("  enter    answer a question"),
  row("  S        stop it, after asking"),
  row("  q        leave it running"),
  row("  Ctrl-Z   suspend; Ctrl-L draws all again"),
  row("  esc      close what is open, else leave"),
  row(""),
  row("  Ctrl-C stops without asking; twice stops at once. To come back: wisp up"),
  row("  a attaches to the builder's engine, or to the one that t shows."),
];
