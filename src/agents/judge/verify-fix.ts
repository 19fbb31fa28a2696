import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import { STALE_FIXES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import {
  attemptsMaxOf,
  fixedBeside,
  isSpent,
  type FixAttempt,
} from "../../session/state/builder-state.ts";
import { decodeVerdict, type FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import { previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import type { VerifyStep } from "../../session/steps/step.ts";
import { milestoneOf } from "../../session/steps/turn-gate.ts";
import { attemptUnit, type Attempted, type UnitEnd } from "../work/attempt-unit.ts";
import { describeItem } from "./describe-item.ts";
import { leavesLines } from "./leaves-lines.ts";
import { judgeTurn } from "./judge-turn.ts";
import { answerTo, questionFields } from "../work/questions.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { Asked } from "../turn/turn.ts";
import { clip } from "../work/clip.ts";
import { rangeFiles, requestFiles, REQUEST_NAME, textFile } from "../turn/turn-files.ts";
import { folderWords, pathIn, turnFolder } from "../turn/turn-folder.ts";
import { verifyWords } from "../verify/verify-words.ts";

/** The engine has to look; `evidence` is what wisp saw before, for the prompt. */
export interface Asks {
  readonly kind: "asks";
  readonly evidence: string;
}

/** What wisp itself can say of a fix, before an engine is asked. */
export type FirstLook = () => Promise<Attempted<FixVerdict> | Asks>;

/** The look at a fix by the role that opened the item: nothing else closes it (I6). */
export async function verifyFix(
  context: RoleContext<"reviewer"> | RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: VerifyStep,
  first: FirstLook = nothingToSay,
): Promise<void> {
  const { journal, role } = context;
  const own = state[role];
  const sha = present(fix.sha, "a fix to judge names a commit");
  journal.append({ kind: "unit.begin", time: journal.time(), unit, base: sha });
  const end = await lookAt(context, state, { kind: "verify", fix, unit }, first);
  const at = { kind: "verify.end", time: journal.time(), unit, id: fix.id, sha } as const;
  const of = fix.outcome === "nochange" ? "nochange" : "fixed";
  const { builder, policy } = state;
  const max = attemptsMaxOf(builder, fix.id, policy);
  const attempt = { attempt: fix.attempt, ...(max > policy.fixAttemptsMax ? { max } : {}) };
  const exhausted = isSpent(builder, fix.id, policy) ? max : undefined;
  switch (end.kind) {
    case "stopped":
      return;
    case "gaveup":
      journal.append({ ...at, ...attempt, verdict: "gaveup", reason: end.reason, exhausted, of });
      return;
    case "question": {
      const question = questionFields(role, own.questions.length, end.question);
      journal.append({ ...at, ...attempt, verdict: end.outcome, ...question });
      return;
    }
    case "done": {
      if (end.value.kind === "closed") {
        const { reason } = end.value;
        const why = reason === undefined ? {} : { reason: clip(reason) };
        journal.append({ ...at, ...attempt, verdict: "closed", ...why, of });
        return;
      }
      const reason = clip(end.value.reason);
      const stale = await staleness(context, state, fix);
      const isOver = exhausted !== undefined || stale.stale >= STALE_FIXES_MAX;
      const last = isOver ? { exhausted: max } : {};
      const standing = stale.stale === 0 ? {} : stale;
      journal.append({ ...at, ...attempt, verdict: "reopened", reason, ...last, ...standing, of });
    }
  }
}

/** How often in a row, this time included, a fix of the item left its lines as they were. */
async function staleness(
  context: RoleContext<"reviewer"> | RoleContext<"tester">,
  state: SessionState,
  { id, sha, outcome }: FixAttempt,
): Promise<{ readonly stale: number; readonly reopens: number }> {
  const { reopens } = state.builder;
  const own: JudgeFold = state[context.role];
  const item = present(own.items.get(id), "an item of one's own is on record");
  const after = present(sha, "a fix to judge names a commit");
  const before = outcome === "nochange" ? after : previousOf(state.branch, after);
  const isStale = await leavesLines(await context.clone(), item, { before, after });
  const known = own.stale.get(id);
  const earlier = known !== undefined && known.atReopens >= reopens ? known.count : 0;
  return { stale: isStale ? earlier + 1 : 0, reopens };
}

function nothingToSay(): Promise<Asks> {
  return Promise.resolve({ kind: "asks", evidence: "" });
}

async function lookAt(
  context: RoleContext<"reviewer"> | RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: VerifyStep,
  first: FirstLook,
): Promise<UnitEnd<FixVerdict>> {
  const opener = await openerIn(context, fix.id, state);
  const own: JudgeFold = state[context.role];
  const sha = present(fix.sha, "a fix to judge names a commit");
  const open = own.openUnit?.unit === unit ? own.openUnit : undefined;
  return attemptUnit(
    context,
    { key: unit, failures: open?.failures ?? 0, lastFailure: open?.lastFailure },
    async (attempt) => {
      const seen = await first();
      if (seen.kind !== "asks") return seen;
      const clone = await context.clone();
      if (!(await clone.has(sha))) need(await clone.syncTo(sha));
      const start = startOf(state, fix);
      const looked = await judgeTurn(context, {
        turn: {
          purpose: "verify-fix",
          milestone: milestoneOf({ kind: "verify", fix, unit }, state),
          ...{ unit, attempt },
          ...(await askAboutFix(context, state, { fix, unit, clone, evidence: seen.evidence })),
          ...{ engine: opener?.engine, model: opener?.model },
          about: { finding: fix.id, startSha: start, endSha: sha },
        },
        clone,
        at: sha,
        read: decodeVerdict,
      });
      return looked.kind === "done" ? { kind: "done", value: looked.value.output } : looked;
    },
  );
}

/** The commit that a fix began at. Where nothing was changed there is nothing between the two. */
function startOf(state: SessionState, { outcome, sha }: FixAttempt): Oid {
  const end = present(sha, "a fix to judge names a commit");
  return outcome === "nochange" ? end : previousOf(state.branch, end);
}

interface AskedFix {
  readonly fix: FixAttempt;
  readonly unit: string;
  readonly clone: Clone;
  readonly evidence: string;
}

async function askAboutFix(
  context: RoleContext<"reviewer"> | RoleContext<"tester">,
  state: SessionState,
  { fix, unit, clone, evidence }: AskedFix,
): Promise<Asked> {
  const { templates, session, role } = context;
  const own: JudgeFold = state[role];
  const item = present(own.items.get(fix.id), "an item of one's own is on record");
  const range = { start: startOf(state, fix), end: present(fix.sha, "it names a commit") };
  const folder = turnFolder({ session, role }, [
    ...requestFiles(context),
    textFile(describeItem(item), { name: "item.md", says: "the finding, as it stands above" }),
    ...(await rangeFiles(clone, range)),
  ]);
  const prompt = templates.render("verify-fix", {
    request: pathIn(folder, REQUEST_NAME),
    files: folderWords(folder),
    verify: verifyWords(session.verify),
    // It is about the one finding; what the reviewer looks for in general would lead away from that.
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

/** What the builder says of a fix; of one of several in a commit, also which they are. */
function claimOf({ builder }: SessionState, fix: FixAttempt): string {
  const { outcome, sha = "", reason = "" } = fix;
  if (outcome === "nochange") return `No change: ${reason}`;
  const others = fixedBeside(builder, fix).map(({ id }) => id);
  const also = others.length === 0 ? "" : `, which is also to settle ${others.join(", ")}`;
  const said = reason === "" ? "" : `: ${reason}`;
  return `Fixed in ${sha}${also}${said}`;
}

/** The reviewer that opened an item, as its file is now; undefined where there is none, or none to be read. */
async function openerIn(
  { role, reviewers }: RoleContext<"reviewer"> | RoleContext<"tester">,
  id: string,
  state: SessionState,
): Promise<Reviewer | undefined> {
  if (role === "tester") return undefined;
  const read = await reviewers();
  const name = state[role].items.get(id)?.reviewer;
  return read.ok ? read.value.find((reviewer) => reviewer.name === name) : undefined;
}
