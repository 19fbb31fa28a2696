import fc from "fast-check";
import { expect, test } from "vitest";
import { explainDone } from "../../src/agents/builder/endings.ts";
import { noticesOf } from "../../src/agents/supervisor/notices.ts";
import { listedSession, sessionRows } from "../../src/views/next/session-rows.ts";
import { headline } from "../../src/views/report/headline.ts";
import { doneRows, type DoneView } from "../../src/views/review/done-view.ts";
import { pullRequestText } from "../../src/views/review/pull-request-text.ts";
import { verifyOutcome } from "../../src/views/review/verify-outcome.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { stageWords } from "../../src/views/status/stage-words.ts";
import { summaryRows } from "../../src/views/status/summary-rows.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

/*
 * Each view of a complete session says that nothing was verified if no test ran in it, and only then.
 */

const WORDS = /nothing was verified/iu;
const PLAN = json([{ name: "Parser", tasks: ["a"] }]);
const HASH = "a".repeat(64);

/** How a run of verify went: by how many tests ran, if that is known, and in which form that is on record. */
interface Run {
  readonly ran: number | undefined;
  readonly as: "ran" | "tally";
  readonly outcome: "passed" | "failed";
}

const RUN: fc.Arbitrary<Run> = fc.record({
  ran: fc.constantFrom(0, 0, 3, undefined),
  as: fc.constantFrom("ran" as const, "tally" as const),
  outcome: fc.constantFrom("passed" as const, "passed" as const, "failed" as const),
});

interface Work {
  readonly runs: readonly Run[];
  readonly final: "passed" | "nosuite" | "asbase" | undefined;
  /** Whether the builder of this wisp wrote the end, or that of an older one. */
  readonly isToldByBuilder: boolean;
  readonly hasVerify: boolean;
}

const WORK: fc.Arbitrary<Work> = fc.record({
  runs: fc.array(RUN, { maxLength: 4 }),
  final: fc.constantFrom("passed", "nosuite", "nosuite", "asbase", undefined),
  isToldByBuilder: fc.boolean(),
  hasVerify: fc.boolean(),
});

function resultOf({ ran, as, outcome }: Run, at: number): string {
  const head = `verify.result at=${oid("1")} tree=${oid(String(at + 2))} command=c outcome=${outcome}`;
  if (ran === undefined) return head;
  return as === "ran"
    ? `${head} ran=${String(ran)}`
    : `${head} tally=${json({ rules: 2, passed: ran, failed: 0 })}`;
}

function storyOf({ runs, final }: Work, reason: string): Story {
  const milestones = json([{ name: "Parser", start: oid("0"), end: oid("1") }]);
  return {
    planner: [
      `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${HASH} milestones=${PLAN}`,
    ],
    builder: [
      ...runs.map(resultOf),
      `plan.adopt seq=0 plan=${HASH} request=0 milestones=${PLAN}`,
      `build.end unit=build:Parser:1 m=Parser outcome=milestone ticks=${json([{ m: "Parser", tasks: [1] }])} commits=${oid("1")} milestones=${milestones}`,
      `final.open n=1 at=${oid("1")}`,
      `done how=complete head=${oid("1")} open=- gaveup=- failed=[] human=0 reason=${json(reason)}`,
    ],
    tester: [
      `final.end unit=final:1 n=1 at=${oid("1")} ${final === undefined ? "" : `verify=${final} `}outcome=tested bugs=[] commits=-`,
    ],
    commits: [oid("1")],
  };
}

/** All words of each view. */
function viewsOf(work: Work): readonly (readonly [string, string])[] {
  const plain = factsWith(work, "nothing is open");
  const end = {
    kind: "done",
    how: "complete",
    open: [],
    gaveup: [],
    failed: [],
    human: 0,
  } as const;
  const told = explainDone(end, plain.state);
  const facts = work.isToldByBuilder ? factsWith(work, told) : plain;
  const view = statusView(facts);
  const { session, state } = facts;
  const verify = verifyOutcome(state);
  const done = { ...DONE, verify };
  return [
    ["end", told],
    ["status", plainText(statusRows(view))],
    ["state", stageWords(view)],
    ["summary", plainText(summaryRows(view, session, undefined)).split("\n")[0] ?? ""],
    ["list", plainText(sessionRows([listedSession(facts)]))],
    ["report", headline({ status: view, trouble: [] }).text],
    ["notice", noticesOf(state, session, 0)[0]?.text ?? ""],
    ["pull request", pullRequestText({ session, state, view, request: "", changes: "" }).body],
    ["done", plainText(doneRows({ ...done, isDryRun: false })).split("\n")[0] ?? ""],
    ["done --dry-run", plainText(doneRows({ ...done, isDryRun: true })).split("\n")[0] ?? ""],
  ];
}

function factsWith(work: Work, reason: string) {
  const facts = factsOf(storyOf(work, reason));
  return { ...facts, state: { ...facts.state, hasVerify: work.hasVerify } };
}

/** By the rule, told in another way: some run that is not known to have had no test, or a final pass that ran tests. */
function isVerified({ runs, final, hasVerify }: Work): boolean {
  const mayHaveRun = runs.some(({ ran }) => ran !== 0);
  return (
    (final !== undefined && final !== "nosuite") || (runs.length === 0 ? hasVerify : mayHaveRun)
  );
}

test("each view of a session that verified nothing says so, and none of a session that verified", () => {
  fc.assert(
    fc.property(WORK, (work) => {
      const isSaid = viewsOf(work).map(([name, text]) => [name, WORDS.test(text)]);
      expect(isSaid).toEqual(viewsOf(work).map(([name]) => [name, !isVerified(work)]));
      const { nothingVerified } = statusView(factsWith(work, "nothing is open"));
      expect(nothingVerified).toBe(isVerified(work) ? undefined : true);
    }),
  );
});

const DONE: DoneView = {
  schema: "wisp.done/1",
  session: "api",
  branch: "wisp/api",
  head: oid("1"),
  isDryRun: true,
  remote: undefined,
  pullRequest: undefined,
  page: undefined,
  title: "",
  body: "",
  isBodyShown: false,
  milestones: 1,
  verify: "passed",
  revisions: 0,
  sensitive: [],
  unusual: [],
  edits: [],
  changes: undefined,
  rescues: [],
  left: [],
};
