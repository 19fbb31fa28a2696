import { encodeAnsweredMilestone } from "../../fs-protocol/projections/answered-milestone.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { encodeFindingsBlock } from "../../fs-protocol/findings/findings-block.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { encodeGaveUp } from "../../fs-protocol/projections/story-entries.ts";
import { encodeFinalPass } from "../../fs-protocol/projections/tester-final.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { judgeProjections, type EntrySettings } from "../judge/judge-projections.ts";
import type { Project, Projection } from "../../home/projector.ts";

type TestEnd = Extract<TesterRecord, { kind: "test.end" | "final.end" }>;

/** Projects the tester's journal into PROGRESS.txt, BUGS.md, tester.milestone and tester.final. */
export function testerProjections(
  home: Home,
  told: EntrySettings,
): Project<TesterRecord, JudgeFold> {
  return judgeProjections(home, told, isTestEnd, {
    items: home.bugs,
    entries: (end) => entry(home, told, end),
    evidence: (end, isOpened) => end.bugs.filter(isOpened).map(evidenceLines),
    answers: (end) => [answer(home, end)],
  });
}

function isTestEnd(record: TesterRecord): record is TestEnd {
  return record.kind === "test.end" || record.kind === "final.end";
}

/** How much of the end of a command's output a line of BUGS.md shows. */
const SHOWN_CHARS_MAX = 300;

/** The lines below a bug in BUGS.md: its command and the end of its output. */
function evidenceLines(bug: Finding): string[] {
  const oneLine = (text: string) => cleanText(text, { charsMax: 3_000, lines: "one" });
  const command = oneLine(bug.command ?? "");
  const output = oneLine(bug.output ?? "");
  const cut = output.length <= SHOWN_CHARS_MAX ? output : `… ${output.slice(-SHOWN_CHARS_MAX)}`;
  return [
    ...(command === "" ? [] : [`    $ ${command}\n`]),
    ...(output === "" ? [] : [`    > ${oneLine(cut)}\n`]),
  ];
}

/**
 * The bugs as a block of PROGRESS.txt, with their commands and output, for the builder that fixes them. The
 * block also reports that there are none, or that the tester gave up, except in the first form of PROGRESS.txt.
 */
function entry(
  { progress: path }: Home,
  { progress: form }: EntrySettings,
  record: TestEnd,
): readonly Projection[] {
  const { time, bugs, outcome, reason = "" } = record;
  const level = "blocking";
  const isShown = bugs.length > 0 || (form !== undefined && outcome === "tested");
  const found = encodeFindingsBlock({ time, reviewer: "tester", level, findings: bugs });
  const what = `Test ${record.kind === "test.end" ? `the milestone ${record.m}` : `the whole at ${record.at}`}.`;
  const gaveUp = encodeGaveUp({ time, who: "tester", what, reason });
  return [
    ...(isShown ? [{ path, text: found }] : []),
    ...(form !== undefined && outcome === "gaveup" ? [{ path, text: gaveUp }] : []),
  ];
}

function answer(home: Home, record: TestEnd): Projection {
  const gaveUp = record.outcome === "gaveup";
  if (record.kind === "test.end") {
    const text = encodeAnsweredMilestone({ name: record.m, gaveUp });
    return { path: home.testerMilestone, text };
  }
  const { n, at, verify } = record;
  const text = encodeFinalPass({ n, at, gaveUp, verify });
  return { path: home.testerFinal, text };
}
