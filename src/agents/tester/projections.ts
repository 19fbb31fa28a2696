import { encodeAnsweredMilestone } from "../../fs-protocol/answered-milestone.ts";
import { cleanText } from "../../fs-protocol/clean-text.ts";
import type { Finding } from "../../fs-protocol/finding.ts";
import { encodeFindingsBlock } from "../../fs-protocol/findings-block.ts";
import type { JudgeFold } from "../../fs-protocol/fold-judge.ts";
import type { Home } from "../../fs-protocol/home.ts";
import { encodeFinalPass } from "../../fs-protocol/tester-final.ts";
import type { TesterRecord } from "../../fs-protocol/tester-log.ts";
import { exhaustedFix } from "../exhausted-fix.ts";
import { itemLines } from "../item-lines.ts";
import type { Project, Projection } from "../projector.ts";

type TestEnd = Extract<TesterRecord, { kind: "test.end" | "final.end" }>;

/** What the tester's journal puts into PROGRESS.txt, BUGS.md, tester.milestone and tester.final. */
export function testerProjections(home: Home): Project<TesterRecord, JudgeFold> {
  return (record, before, after) => {
    const toBugs = (text: string): Projection => ({ path: home.bugs, text, isShared: false });
    const lines = itemLines(record, before, after);
    if (record.kind !== "test.end" && record.kind !== "final.end") {
      return [...exhaustedFix(home, record, after), ...lines.map(toBugs)];
    }
    const opened = record.bugs.filter(({ id }) => !before.open.has(id) && after.open.has(id));
    const shown = lines.flatMap((line, index) => [line, ...evidenceLines(opened[index])]);
    const bugs = [...entry(home, record), ...shown.map(toBugs)];
    if (record.outcome === "needs_input" || record.outcome === "blocked") return bugs;
    return [...bugs, answer(home, record)];
  };
}

/** So much of what a command printed, from its end, stands in a line of BUGS.md. */
const SHOWN_CHARS_MAX = 300;

/** Below the line of a bug, for people: the command that shows it, and what it printed last. */
function evidenceLines(bug: Finding | undefined): readonly string[] {
  const oneLine = (text: string) => cleanText(text, { charsMax: 3_000, lines: "one" });
  const command = oneLine(bug?.command ?? "");
  const output = oneLine(bug?.output ?? "");
  const cut = output.length <= SHOWN_CHARS_MAX ? output : `… ${output.slice(-SHOWN_CHARS_MAX)}`;
  return [
    ...(command === "" ? [] : [`    $ ${command}\n`]),
    ...(output === "" ? [] : [`    > ${oneLine(cut)}\n`]),
  ];
}

/** The bugs as a block, with their commands and what these printed: the fix reads it there. */
function entry({ progress }: Home, { time, bugs }: TestEnd): readonly Projection[] {
  if (bugs.length === 0) return [];
  const level = "blocking";
  const text = encodeFindingsBlock({ time, reviewer: "tester", level, findings: bugs });
  return [{ path: progress, text, isShared: true }];
}

function answer(home: Home, record: TestEnd): Projection {
  const gaveUp = record.outcome === "gaveup";
  if (record.kind === "test.end") {
    const text = encodeAnsweredMilestone({ name: record.m, gaveUp });
    return { path: home.testerMilestone, text, isShared: false };
  }
  const { n, at, verify } = record;
  const text = encodeFinalPass({ n, at, gaveUp, verify });
  return { path: home.testerFinal, text, isShared: false };
}
