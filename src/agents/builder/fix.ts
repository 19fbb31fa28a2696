import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, Clone } from "../../base/ports/repo.ts";
import { present } from "../../base/assert.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { branchOf, previousOf, type SessionState } from "../../session/state/session-state.ts";
import { encodeBatch, kindOfItem, openerOf } from "../../fs-protocol/records/item-id.ts";
import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { milestoneUnderway } from "../../session/steps/step-turn.ts";
import { publishUnit, type Published } from "../../work/publish-unit.ts";
import { ensureSetup } from "../../evidence/verify/clone-setup.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { clip } from "../../work/clip.ts";
import { runTurn } from "../../work/turn/run-turn.ts";
import { beginAtHead, saveAsking, saveFailed, besideWords } from "./attempt.ts";
import { applyHeldTests, type HeldTests } from "./apply-held-tests.ts";
import { askToFix } from "./prompts.ts";
import { titled } from "./revision-subjects.ts";
import { unknownQuestion } from "../../evidence/look/unknown-question.ts";
import { isLastFix, whyWorse, type WorseFix } from "./judge-fix.ts";

type FixStep = Extract<BuilderStep, { kind: "fix" }>;

/** The largest number of changed files that the record of a fix names. */
const FILES_NAMED_MAX = 100;

/** A fix unit that is being worked on: of one finding or bug, or of several findings of one reviewer. */
export interface FixUnit extends FixStep {
  readonly base: Oid;
  readonly findings: readonly Finding[];
  /** The held tests that were applied before the turn. */
  readonly held?: HeldTests | undefined;
  /** The turn's own summary of the fix, for the opener of the items. */
  readonly summary?: string | undefined;
}

/** The findings or bugs with these ids, as their openers recorded them. */
export function itemsOf(state: SessionState, ids: readonly string[]): readonly Finding[] {
  return ids.map((id) =>
    present(state[openerOf(id)].items.get(id), "an item on the fix list is on record"),
  );
}

/**
 * Makes one attempt at a finding, a bug, or a batch of findings: turn, one commit, verify, and only then publish and
 * end. It counts as an attempt at each of them, and each is judged by its opener.
 */
export async function fix(
  context: RoleContext<"builder">,
  state: SessionState,
  step: FixStep,
): Promise<void> {
  const findings = itemsOf(state, step.ids);
  const base = await beginAtHead(context, step.unit);
  const unit = { ...step, base, findings };
  const clone = await context.clone();
  need(await clone.syncTo(base));
  // If it fails, the turn starts nevertheless: the engine can find out why, and verify fails, too.
  const setup = await ensureSetup(context, clone);
  if (setup.kind === "stopped") return;
  const held = await applyHeldTests(clone, unit.findings);
  const outcome = await runTurn(context, {
    purpose: "fix",
    unit: unit.unit,
    attempt: unit.attempt,
    ask: 1,
    ...askToFix(context, state, { ...unit, held }),
    cwd: clone.directory,
    milestone: milestoneUnderway(state),
    resumes: resumedBy(state, step),
    about: { finding: encodeBatch(unit.ids), startSha: base },
  });
  switch (outcome.kind) {
    case "stopped":
      return;
    case "failed":
      await endFailed(context, unit, outcome.reason);
      return;
    case "needs-input":
    case "blocked":
      await endAsking(context, state, unit, outcome);
      return;
    case "ended":
      await commitFix(context, state, { ...unit, held }, outcome.summary);
  }
}

/** The units whose engine session the turn may resume: earlier attempts, newest first, then the latest build. */
function resumedBy({ builder }: SessionState, { ids }: FixStep): string[] {
  const tried = ids.flatMap((id) => builder.fixes.get(id) ?? []);
  const newestFirst = [...tried].sort((one, other) => other.attempt - one.attempt);
  const before = [...new Set(newestFirst.map(({ unit }) => unit))];
  const milestone = builder.milestones.at(-1)?.name;
  const attempt = milestone === undefined ? 0 : (builder.buildAttempts.get(milestone) ?? 0);
  if (milestone === undefined || attempt === 0) return before;
  return [...before, encodeUnit({ kind: "build", milestone, attempt })];
}

async function commitFix(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: FixUnit,
  summary: string,
): Promise<void> {
  const clone = await context.clone();
  const made = await clone.squashSince(
    unit.base,
    titled(context.session, fixSubject(unit.findings)),
  );
  if (!made.ok) {
    await endFailed(context, unit, `what the turn left is no commit: ${made.failure.message}`);
    return;
  }
  if (made.value === undefined || (await hasOnlyHeldTests(clone, unit.held, made.value))) {
    const reason = summary === "" ? "the turn found nothing to change" : summary;
    const beside = await besideWords(context, clone, unit.base);
    if (beside !== "") {
      await endFailed(context, unit, `the session's branch has no change${beside}`);
      return;
    }
    endUnchanged(context, unit, unit.base, reason);
    return;
  }
  await publishFix(context, state, summary === "" ? unit : { ...unit, summary }, clone);
}

/** Whether a commit contains the held tests that the fix began with, and nothing else. */
async function hasOnlyHeldTests(
  clone: Clone,
  held: HeldTests | undefined,
  made: Oid,
): Promise<boolean> {
  if (held === undefined) return false;
  return need(await clone.treeOf(held.commit)) === need(await clone.treeOf(made));
}

function endUnchanged(
  context: RoleContext<"builder">,
  unit: FixUnit,
  sha: Oid,
  reason: string,
): void {
  context.journal.append({
    ...endOf(context, unit),
    outcome: "nochange",
    sha,
    files: [],
    reason: clip(reason),
  });
}

/** `fix(review): [reviewer] - [id]+[id] - [brief]` (seed 002, FR-011); bugs are `fix(bug): [id] - [brief]`. */
function fixSubject(findings: readonly Finding[]): string {
  const { id, reviewer } = firstOf(findings);
  const ids = encodeBatch(findings.map((finding) => finding.id));
  const brief = findings.map((finding) => finding.brief).join("; ");
  const what = kindOfItem(id) === "bug" ? "fix(bug):" : `fix(review): ${reviewer} -`;
  return clip(`${what} ${ids} - ${brief}`);
}

function firstOf(findings: readonly Finding[]): Finding {
  return present(findings[0], "a fix is of something");
}

/**
 * Publishes a fix, unless it makes verify worse: wisp verifies it after each rebase, before it reaches the branch. Its
 * `end` record follows the publishing at once, instead of `push.done`, so that the reviewer treats the commit as a fix
 * to judge and not as one more commit to review.
 */
export async function publishFix(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: FixUnit,
  clone: Clone,
): Promise<void> {
  const { journal } = context;
  const files = await changedFiles(clone, unit);
  const why = unit.summary === undefined ? {} : { reason: clip(unit.summary) };
  let worse: WorseFix | undefined;
  const published = await publishUnit(context, {
    unit: unit.unit,
    clone,
    beforePublish: async (head, onto) => {
      worse = await whyWorse(context, state, { ...unit, onto, head });
      // Verifying the commit before it may have moved the clone, and a refused fix is saved from the clone's HEAD.
      need(await clone.syncTo(head));
      return worse?.reason;
    },
    intend: (shas) => {
      journal.append({
        kind: "push.intent",
        time: journal.time(),
        unit: unit.unit,
        shas: [...shas],
        ticks: [],
        splits: [],
        ...(unit.summary === undefined ? {} : { said: clip(unit.summary) }),
      });
    },
    announce: (head, shas) => {
      if (shas.length > 0) {
        journal.append({ ...endOf(context, unit), outcome: "fixed", sha: head, files, ...why });
      } else {
        endUnchanged(context, unit, head, "somebody else has made the same change");
      }
    },
  });
  switch (published.kind) {
    case "stopped":
    case "published":
      return;
    case "conflict":
      await endFailed(context, unit, "conflict: the fix does not fit on the branch any more");
      return;
    case "unfiltered":
    case "refused":
      if (!context.signal.aborted)
        await endRefused(context, state, unit, { refused: published, worse });
  }
}

type Refused = Extract<Published, { kind: "refused" | "unfiltered" }>;

/**
 * Ends a fix that may not be published: it failed, or a person is asked, because verify says nothing of it or the last
 * attempt made what only a person may commit.
 */
async function endRefused(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: FixUnit,
  { refused, worse }: { readonly refused: Refused; readonly worse: WorseFix | undefined },
): Promise<void> {
  const isLast = refused.kind === "unfiltered" && isLastFix(state, unit.ids);
  const unknown = worse?.kind === "unknown" ? unknownQuestion(worse.at, worse.reason) : undefined;
  const question = isLast ? refused.question : unknown;
  if (question === undefined) await endFailed(context, unit, refused.reason, worse?.output);
  else await endAsking(context, state, unit, { kind: "needs-input", question });
}

/** Ends a fix with a question to a person; what was done is saved. */
async function endAsking(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: FixUnit,
  asked: Parameters<typeof saveAsking>[2],
): Promise<void> {
  const asking = await saveAsking(context, state, asked, "what was done");
  context.journal.append({ ...endOf(context, unit), files: [], ...asking });
}

/** The files that the fix changes, found before it is rebased. */
async function changedFiles(clone: Clone, { base }: FixUnit): Promise<string[]> {
  const head = need(await clone.head());
  return fileNames(need(await clone.changedPaths(base, head)));
}

/** File names for people: a limited number, so that their record always fits into a line. */
function fileNames(changed: readonly ChangedPath[]): string[] {
  const names = changed.slice(0, FILES_NAMED_MAX).map(({ path }) => clip(path));
  const more = changed.length - names.length;
  return more > 0 ? [...names, `and ${String(more)} more`] : names;
}

/** Ends a fix that was found on the branch after an interruption. */
export async function endFixed(
  context: RoleContext<"builder">,
  unit: FixUnit,
  clone: Clone,
  sha: Oid,
): Promise<void> {
  const { hub, session } = context;
  need(await clone.syncTo(sha));
  const commits = need(await hub.commits(session.base, sha));
  const parent = previousOf(branchOf(session.base, sha, commits), sha);
  const changed = need(await clone.changedPaths(parent, sha));
  const files = fileNames(changed);
  const why = unit.summary === undefined ? {} : { reason: clip(unit.summary) };
  context.journal.append({ ...endOf(context, unit), outcome: "fixed", sha, files, ...why });
}

async function endFailed(
  context: RoleContext<"builder">,
  unit: FixUnit,
  reason: string,
  output?: string,
): Promise<void> {
  const full = await saveFailed(context, unit.unit, reason);
  const failed = { ...endOf(context, unit), outcome: "failed", reason: full, output } as const;
  context.journal.append({ ...failed, files: [] });
}

function endOf({ journal }: RoleContext<"builder">, { unit, attempt, findings }: FixUnit) {
  const { id, reviewer: by, brief } = firstOf(findings);
  const others = findings.slice(1).map((other) => ({ id: other.id, brief: other.brief }));
  const also = others.length === 0 ? {} : { also: others };
  return { kind: "fix.end", time: journal.time(), unit, id, attempt, by, brief, ...also } as const;
}
