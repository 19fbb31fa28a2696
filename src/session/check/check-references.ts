import { fixedIds } from "../state/fold-builder.ts";
import { addedBy } from "../state/fold-judge.ts";
import type { HomeIssue, HomeProblem, Referred } from "../../fs-protocol/home/home-issue.ts";
import type { Entry, HomeLogs, LogContent } from "../../fs-protocol/home/logs.ts";

/** The names that records of one log may use to refer to records of another. */
interface Known {
  readonly plans: ReadonlySet<string>;
  readonly edits: ReadonlySet<string>;
  readonly milestones: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
  readonly fixes: ReadonlySet<string>;
  readonly finals: ReadonlySet<string>;
  readonly humanItems: ReadonlySet<string>;
  readonly humanCount: number;
}

/**
 * Checks that everything a record refers to exists in the log that it belongs to, and that counted
 * numbers have no gaps. `known` was read after `logs`, because a running role may refer to records
 * that were written in between.
 */
export function checkReferences(logs: HomeLogs, known: HomeLogs): readonly HomeIssue[] {
  const names = knownIn(known);
  return [
    ...placed(logs.planner, planAnswers()),
    ...placed(logs.builder, builderProblems(names)),
    ...placed(logs.reviewer, (record) => judgeProblems(record, names)),
    ...placed(logs.tester, (record) => judgeProblems(record, names)),
    ...placed(logs.human, requestVersions()),
  ];
}

function placed<R>(
  { path, entries }: LogContent<R>,
  problemsOf: (record: R) => readonly HomeProblem[],
): readonly HomeIssue[] {
  return entries.flatMap(({ record, offsetBytes }: Entry<R>) =>
    problemsOf(record).map((problem) => ({ ...problem, path, offsetBytes })),
  );
}

type RecordIn<L extends keyof HomeLogs> = HomeLogs[L]["entries"][number]["record"];

function planAnswers(): (record: RecordIn<"planner">) => readonly HomeProblem[] {
  let answers = 0;
  return (record) => {
    if (record.kind !== "plan.end" || isQuestion(record.outcome)) return [];
    return counted("plan answer", record.seq, answers++);
  };
}

function requestVersions(): (record: RecordIn<"human">) => readonly HomeProblem[] {
  let versions = 0;
  return (record) =>
    record.kind === "update" ? counted("version of the request", record.v, ++versions) : [];
}

function builderProblems(names: Known): (record: RecordIn<"builder">) => readonly HomeProblem[] {
  let finals = 0;
  return (record) => {
    switch (record.kind) {
      case "plan.adopt":
      case "plan.refuse":
        if (record.human !== undefined) {
          return refers("edit", names.edits, `${String(record.human)} ${record.plan}`);
        }
        return refers("plan", names.plans, `${String(record.seq)} ${record.plan}`);
      case "drain.close":
        return record.fix.flatMap((id) => refers("item", names.items, id));
      case "fix.end":
        return fixedIds(record).flatMap((id) => refers("item", names.items, id));
      case "final.open":
        return counted("final pass", record.n, ++finals);
      case "done":
      case "reopen": {
        const name = String(record.human);
        return record.human <= names.humanCount
          ? []
          : [{ kind: "refers-to-nothing", to: "record of human.log", name }];
      }
      default:
        return [];
    }
  };
}

function judgeProblems(
  record: RecordIn<"reviewer"> | RecordIn<"tester">,
  names: Known,
): readonly HomeProblem[] {
  switch (record.kind) {
    case "review.end":
      return record.m === undefined ? [] : refers("milestone", names.milestones, record.m);
    case "test.end":
      return refers("milestone", names.milestones, record.m);
    case "final.end":
      return refers("final pass", names.finals, String(record.n));
    case "verify.end":
      return refers("fix", names.fixes, fixName(record.id, record.attempt, record.sha));
    case "adopt.end":
      return refers("word", names.humanItems, String(record.human));
    default:
      return [];
  }
}

function knownIn({ planner, builder, reviewer, tester, human }: HomeLogs): Known {
  const built = recordsOf(builder);
  const judged = [...recordsOf(reviewer), ...recordsOf(tester)];
  return {
    plans: new Set(
      recordsOf(planner).flatMap((record) =>
        record.kind === "plan.end" && record.plan !== undefined
          ? [`${String(record.seq)} ${record.plan}`]
          : [],
      ),
    ),
    edits: new Set(
      recordsOf(human).flatMap((record, index) =>
        record.kind === "edit" ? [`${String(index)} ${record.plan}`] : [],
      ),
    ),
    milestones: new Set(
      built.flatMap((record) =>
        record.kind === "build.end" ? record.milestones.map(({ name }) => name) : [],
      ),
    ),
    items: new Set(judged.flatMap(itemsIn)),
    fixes: new Set(
      built.flatMap((record) =>
        record.kind === "fix.end" && record.sha !== undefined ? fixNames(record, record.sha) : [],
      ),
    ),
    finals: new Set(
      built.flatMap((record) => (record.kind === "final.open" ? [String(record.n)] : [])),
    ),
    humanItems: new Set(
      recordsOf(human).flatMap(({ kind }, index) =>
        kind === "add" || kind === "dismiss" ? [String(index)] : [],
      ),
    ),
    humanCount: human.entries.length,
  };
}

function itemsIn(record: RecordIn<"reviewer"> | RecordIn<"tester">): readonly string[] {
  switch (record.kind) {
    case "review.end":
      return record.findings.map(({ id }) => id);
    case "test.end":
    case "final.end":
      return record.bugs.map(({ id }) => id);
    case "adopt.end":
      return [addedBy(record)].flatMap((finding) => (finding === undefined ? [] : [finding.id]));
    default:
      return [];
  }
}

function recordsOf<R>({ entries }: LogContent<R>): readonly R[] {
  return entries.map(({ record }) => record);
}

function refers(to: Referred, names: ReadonlySet<string>, name: string): readonly HomeProblem[] {
  return names.has(name) ? [] : [{ kind: "refers-to-nothing", to, name }];
}

function counted(
  what: Extract<HomeProblem, { kind: "number-broken" }>["what"],
  found: number,
  expected: number,
): readonly HomeProblem[] {
  return found === expected ? [] : [{ kind: "number-broken", what, found, expected }];
}

function fixNames(
  record: Extract<RecordIn<"builder">, { kind: "fix.end" }>,
  sha: string,
): readonly string[] {
  return fixedIds(record).map((id) => fixName(id, record.attempt, sha));
}

function fixName(id: string, attempt: number, sha: string): string {
  return `${id} attempt ${String(attempt)} at ${sha}`;
}

function isQuestion(outcome: string): boolean {
  return outcome === "needs_input" || outcome === "blocked";
}
