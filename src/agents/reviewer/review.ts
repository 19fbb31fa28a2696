import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/finding.ts";
import { judgedKey, type JudgeFold } from "../../fs-protocol/fold-judge.ts";
import { decodeFindingsBlocks } from "../../fs-protocol/findings-block.ts";
import type { ReviewerRecord } from "../../fs-protocol/reviewer-log.ts";
import { placeOf, previousOf, type SessionState } from "../../fs-protocol/session-state.ts";
import type { ReviewerStep } from "../../streams/step.ts";
import { attemptUnit, type UnitEnd } from "../attempt-unit.ts";
import { checkPlaces, describeRefused } from "../check-places.ts";
import { judgeTurn } from "../judge-turn.ts";
import { answerTo, questionFields } from "../questions.ts";
import type { RoleContext } from "../role-context.ts";
import { clip, type Turn } from "../run-turn.ts";
import { sayOmitted } from "../say-omitted.ts";
import { takeFindings } from "../take-findings.ts";
import { describeOpen } from "./describe-open.ts";

/** Name and weight of the reviewer that the shipped prompts describe. */
const REVIEWER = "correctness";

type CommitStep = Extract<ReviewerStep, { kind: "review-commit" }>;
type MilestoneStep = Extract<ReviewerStep, { kind: "review-milestone" }>;

/** Reviews one commit, or consecutive ones of a person, and moves the checkpoint: both are one append (R3). */
export async function reviewCommit(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { first, sha, unit, reopens }: CommitStep,
): Promise<void> {
  const { journal } = context;
  if (isCovered(state, sha)) {
    const time = journal.time();
    journal.append({
      kind: "review.end",
      time,
      unit,
      checkpoint: sha,
      outcome: "covered",
      findings: [],
    });
    return;
  }
  const end = await review(context, state, {
    unit,
    at: sha,
    purpose: "review-commit",
    about: { startSha: previousOf(state.branch, first), endSha: sha },
  });
  if (end.kind === "stopped") return;
  journal.append({
    kind: "review.end",
    time: journal.time(),
    unit,
    checkpoint: sha,
    ...fieldsOf(state, end, reopens),
  });
  const place = placeOf(state.branch, sha);
  const text = `Reviewed ${String(place)} / ${String(state.branch.commits.length)} commits`;
  journal.append({ kind: "note", time: journal.time(), text });
}

/** A verdict on a fix counts as the review of its commit. */
function isCovered({ builder, reviewer }: SessionState, sha: Oid): boolean {
  return [...builder.fixes.values()]
    .flat()
    .some(
      (fix) =>
        fix.outcome === "fixed" &&
        fix.sha === sha &&
        reviewer.judged.has(judgedKey(fix.id, fix.attempt)),
    );
}

/** Reviews the range of a milestone. */
export async function reviewMilestone(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { milestone, unit, reopens }: MilestoneStep,
): Promise<void> {
  const { journal } = context;
  const { name, start, end: endSha } = milestone;
  const end = await review(context, state, {
    unit,
    at: endSha,
    purpose: "review-milestone",
    about: { milestone: name, startSha: start, endSha },
  });
  if (end.kind === "stopped") return;
  journal.append({
    kind: "review.end",
    time: journal.time(),
    unit,
    m: name,
    ...fieldsOf(state, end, reopens),
  });
}

type ReviewEnd = Extract<ReviewerRecord, { kind: "review.end" }>;
type EndFields = Pick<
  ReviewEnd,
  "outcome" | "findings" | "reason" | "reopens" | "question" | "ask"
>;

function fieldsOf(
  state: SessionState,
  end: Exclude<UnitEnd<readonly Finding[]>, { kind: "stopped" }>,
  reopens: number,
): EndFields {
  switch (end.kind) {
    case "gaveup":
      return { outcome: "gaveup", findings: [], reason: end.reason, reopens };
    case "question": {
      const asked = state.reviewer.questions.length;
      const question = questionFields("reviewer", asked, end.question);
      return { outcome: end.outcome, findings: [], ...question };
    }
    case "done":
      return { outcome: "reviewed", findings: [...end.value] };
  }
}

interface Range extends Pick<Turn, "purpose"> {
  readonly unit: string;
  readonly at: Oid;
  readonly about: NonNullable<Turn["about"]>;
}

async function review(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { unit, at, purpose, about }: Range,
): Promise<UnitEnd<readonly Finding[]>> {
  const { journal, templates, home } = context;
  journal.append({ kind: "unit.begin", time: journal.time(), unit, base: at });
  const own = state.reviewer;
  const open = own.openUnit?.unit === unit ? own.openUnit : undefined;
  const prompt = templates.render(purpose, {
    request: home.request,
    milestone: about.milestone ?? "",
    start_sha: about.startSha ?? "",
    end_sha: at,
    reviewer: REVIEWER,
    open_findings: describeOpen(own),
    answers: answerTo(unit, own.questions, state.human.answers),
  });
  return attemptUnit(
    context,
    { key: unit, failures: open?.failures ?? 0, lastFailure: open?.lastFailure },
    async (attempt) => {
      const clone = await context.clone();
      const turn = { purpose, unit, attempt, prompt, about };
      const read = (output: string) => decodeFindingsBlocks(output, { root: clone.directory });
      const looked = await judgeTurn(context, { turn, clone, at, read });
      if (looked.kind !== "done") return looked;
      sayOmitted(context, looked.value.output);
      const { blocks, refused } = need(await checkPlaces(looked.value.output, { clone, at }));
      for (const each of refused) {
        const text = clip(describeRefused(each));
        journal.append({ kind: "note", time: journal.time(), text });
      }
      // Whoever finds something, and all of it nowhere, has not passed what it looked at.
      if (refused.length > 0 && blocks.every(({ findings }) => findings.length === 0)) {
        return { kind: "failed", reason: "all its findings are about places that there are not" };
      }
      const finder = { kind: "finding", reviewer: REVIEWER, level: "blocking", clone, at } as const;
      const taken = await takeFindings(blocks, { ...finder, known: openItems(own) });
      return { kind: "done", value: taken };
    },
  );
}

function openItems({ open, items }: JudgeFold): ReadonlyMap<string, Finding> {
  return new Map([...items].filter(([id]) => open.has(id)));
}
