import type { JudgeFold } from "../../fs-protocol/fold-judge.ts";
import type { Home } from "../../fs-protocol/home.ts";
import { encodeName } from "../../fs-protocol/milestone-name.ts";
import type { TesterRecord } from "../../fs-protocol/tester-log.ts";
import { itemLines } from "../item-lines.ts";
import type { Project } from "../projector.ts";

/** What the tester's journal puts into BUGS.md and tester.milestone. */
export function testerProjections(home: Home): Project<TesterRecord, JudgeFold> {
  return (record, before, after) => {
    const lines = itemLines(record, before, after).map((text) => ({
      path: home.bugs,
      text,
      isShared: false,
    }));
    const isAnswer =
      record.kind === "test.end" && (record.outcome === "tested" || record.outcome === "gaveup");
    if (!isAnswer) return lines;
    const gaveUp = record.outcome === "gaveup" ? "|gaveup" : "";
    const text = `${encodeName(record.m)}${gaveUp}\n`;
    return [...lines, { path: home.testerMilestone, text, isShared: false }];
  };
}
