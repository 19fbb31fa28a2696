import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { STALE_FIXES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import {
  attemptsMaxOf,
  fixesInSameTurn,
  isSpent,
  type FixAttempt,
} from "../../session/state/builder-state.ts";
import { decodeVerdict, type FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import { milestoneUnderway } from "../../session/steps/step-turn.ts";
import {
  answerTo,
  attemptUnit,
  beginUnit,
  undoneFields,
  type Attempted,
  type UnitEnd,
} from "../../work/unit.ts";
import { leavesLinesUnchanged } from "./unchanged-lines.ts";
import { judgeTurn } from "./judge-turn.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Asked } from "../../work/turn/turn.ts";
import { clip } from "../../work/clip.ts";
import { rangeFiles, requestFiles, REQUEST_NAME, textFile } from "../../work/turn/turn-files.ts";
import { folderWords, pathIn, turnFolder } from "../../work/turn/turn-folder.ts";
import type { Asks } from "../../evidence/integrity/check-fix.ts";
import { verifyWords } from "../../evidence/verify/verify-words.ts";

/** The context of either of the two roles that judge the work. */
export type JudgeRoleContext = RoleContext<"reviewer"> | RoleContext<"tester">;

/** What a judge knows about a fix before it asks an engine, and which engine it asks. */
export interface FixEvidence {
  /** Wisp's own verdict on the fix, if it can compute one. */
  readonly computeVerdict: (
    state: SessionState,
    step: VerifyStep,
  ) => Promise<Attempted<FixVerdict> | Asks>;
  /** The engine and model that opened the item; the role's own if absent or undefined. */
  readonly openerOf?: (
    state: SessionState,
    id: string,
  ) => Promise<Pick<Reviewer, "engine" | "model"> | undefined>;
}

/** Judges a fix, as the role that opened the item: nothing else closes an item (I6). */
export async function verifyFix(
  context: JudgeRoleContext,
  state: SessionState,
  step: VerifyStep,
  evidence: FixEvidence,
): Promise<void> {
  const { journal, role } = context;
  const { fix, unit } = step;
  const { builder, policy } = state;
  const sha = shaOf(fix);
  beginUnit(context, unit, sha);
  const end = await judgeFix(context, state, step, evidence);
  if (end.kind === "stopped") return;
  const attemptsMax = attemptsMaxOf(builder, fix.id, policy);
  const max = attemptsMax > policy.fixAttemptsMax ? attemptsMax : undefined;
  const { id, attempt } = fix;
  const at = { kind: "verify.end", time: journal.time(), unit, id, sha, attempt, max } as const;
  const of = fix.outcome === "nochange" ? "nochange" : "fixed";
  const exhausted = isSpent(builder, id, policy) ? attemptsMax : undefined;
  if (end.kind !== "done") {
    const { outcome, ...why } = undoneFields(end, role, state[role].questions.length);
    const rest = outcome === "gaveup" ? ({ exhausted, of } as const) : {};
    journal.append({ ...at, verdict: outcome, ...why, ...rest });
  } else if (end.value.kind === "closed") {
    const reason = end.value.reason && clip(end.value.reason);
    journal.append({ ...at, verdict: "closed", reason, of });
  } else {
    const reason = clip(end.value.reason);
    const stale = await staleness(context, state, fix);
    const isLast = exhausted !== undefined || stale.stale >= STALE_FIXES_MAX;
    const last = isLast ? { exhausted: attemptsMax } : {};
    const staleFields = stale.stale === 0 ? {} : stale;
    journal.append({ ...at, verdict: "reopened", reason, ...last, ...staleFields, of });
  }
}

function shaOf({ sha }: FixAttempt): Oid {
  return present(sha, "a fix to judge names a commit");
}

/** How many fixes of the item in a row, including this one, left its lines unchanged. */
async function staleness(
  context: JudgeRoleContext,
  state: SessionState,
  fix: FixAttempt,
): Promise<{ readonly stale: number; readonly reopens: number }> {
  const { id } = fix;
  const { reopens } = state.builder;
  const own: JudgeFold = state[context.role];
  const item = present(own.items.get(id), "an item of one's own is on record");
  const range = { before: startOf(state, fix), after: shaOf(fix) };
  const isStale = await leavesLinesUnchanged(await context.clone(), item, range);
  const known = own.stale.get(id);
  const earlier = known !== undefined && known.atReopens >= reopens ? known.count : 0;
  return { stale: isStale ? earlier + 1 : 0, reopens };
}

async function judgeFix(
  context: JudgeRoleContext,
  state: SessionState,
  step: VerifyStep,
  { computeVerdict, openerOf }: FixEvidence,
): Promise<UnitEnd<FixVerdict>> {
  const { fix, unit } = step;
  const opener = await openerOf?.(state, fix.id);
  const at = shaOf(fix);
  const own: JudgeFold = state[context.role];
  return attemptUnit(context, unit, own.openUnit, async (attempt) => {
    const computed = await computeVerdict(state, step);
    if (computed.kind !== "asks") return computed;
    const clone = await context.clone();
    need(await clone.bring(at));
    const turn = await judgeTurn(context, {
      turn: {
        purpose: "verify-fix",
        milestone: milestoneUnderway(state),
        ...{ unit, attempt },
        ...(await askAboutFix(context, state, step, computed.evidence)),
        ...{ engine: opener?.engine, model: opener?.model },
        about: { finding: fix.id, startSha: startOf(state, fix), endSha: at },
      },
      ...{ clone, at, read: decodeVerdict },
    });
    return turn.kind === "done" ? { kind: "done", value: turn.value.output } : turn;
  });
}

/** The commit that a fix began at. A fix without a change begins and ends at the same commit. */
function startOf(state: SessionState, fix: FixAttempt): Oid {
  return fix.outcome === "nochange" ? shaOf(fix) : previousOf(state.branch, shaOf(fix));
}

async function askAboutFix(
  context: JudgeRoleContext,
  state: SessionState,
  { fix, unit }: VerifyStep,
  evidence: string,
): Promise<Asked> {
  const { templates, session, role } = context;
  const own: JudgeFold = state[role];
  const item = present(own.items.get(fix.id), "an item of one's own is on record");
  const range = { start: startOf(state, fix), end: shaOf(fix) };
  const folder = turnFolder({ session, role }, [
    ...requestFiles(context),
    textFile(describeItem(item), { name: "item.md", says: "the finding, as it stands above" }),
    ...(await rangeFiles(await context.clone(), range)),
  ]);
  const prompt = templates.render("verify-fix", {
    request: pathIn(folder, REQUEST_NAME),
    files: folderWords(folder),
    verify: verifyWords(session.verify),
    // The reviewer's general instructions would distract from the one finding.
    reviewers: "",
    item: describeItem(item),
    id: item.id,
    end_sha: range.end,
    start_sha: range.start,
    claim: claimOf(state, fix),
    evidence,
    answers: answerTo(unit, own.questions, state.human.answers),
  });
  return { prompt, folder };
}

/** Describes a finding or bug for a prompt. */
function describeItem(item: Finding): string {
  const place = item.file === undefined ? "" : `${item.file}${item.line ? `:${item.line}` : ""}`;
  const lines = [
    `${item.id} (${item.level}, ${item.category}): ${item.brief}`,
    place === "" ? "" : `File: ${place}`,
    `Issue: ${item.issue}`,
    `Suggestion: ${item.suggestion}`,
    item.command === undefined ? "" : `Command that shows it: ${item.command}`,
    // Indented, so that no line of a program's output is mistaken for a line of the prompt.
    item.output === undefined ? "" : `It printed:\n${item.output.replace(/^(?=.)/gm, "    ")}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}

/** The builder's claim about a fix; it also names the other items that the same commit fixes. */
function claimOf({ builder }: SessionState, fix: FixAttempt): string {
  const { outcome, sha = "", reason = "" } = fix;
  if (outcome === "nochange") return `No change: ${reason}`;
  const others = fixesInSameTurn(builder, fix).map(({ id }) => id);
  const also = others.length === 0 ? "" : `, which is also to settle ${others.join(", ")}`;
  const why = reason === "" ? "" : `: ${reason}`;
  return `Fixed in ${sha}${also}${why}`;
}
