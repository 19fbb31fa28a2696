import { encodeAnsweredMilestone } from "../../fs-protocol/answered-milestone.ts";
import type { JudgeFold } from "../../fs-protocol/fold-judge.ts";
import type { Home } from "../../fs-protocol/home.ts";
import { encodeFinalPass } from "../../fs-protocol/tester-final.ts";
import type { TesterRecord } from "../../fs-protocol/tester-log.ts";
import { exhaustedFix } from "../exhausted-fix.ts";
import { itemLines } from "../item-lines.ts";
import type { Project, Projection } from "../projector.ts";

/** What the tester's journal puts into PROGRESS.txt, BUGS.md, tester.milestone and tester.final. */
export function testerProjections(home: Home): Project<TesterRecord, JudgeFold> {
  return (record, before, after) => {
    const lines = itemLines(record, before, after).map((text) => ({
      path: home.bugs,
      text,
      isShared: false,
    }));
    if (record.kind !== "test.end" && record.kind !== "final.end") {
      return [...exhaustedFix(home, record, after), ...lines];
    }
    if (record.outcome === "needs_input" || record.outcome === "blocked") return lines;
    return [...lines, answer(home, record)];
  };
}

function answer(
  home: Home,
  record: Extract<TesterRecord, { kind: "test.end" | "final.end" }>,
): Projection {
  const gaveUp = record.outcome === "gaveup";
  if (record.kind === "test.end") {
    const text = encodeAnsweredMilestone({ name: record.m, gaveUp });
    return { path: home.testerMilestone, text, isShared: false };
  }
  const text = encodeFinalPass({ n: record.n, at: record.at, gaveUp });
  return { path: home.testerFinal, text, isShared: false };
}
