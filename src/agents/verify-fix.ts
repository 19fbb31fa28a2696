import { present } from "../base/assert.ts";
import { isSpent } from "../fs-protocol/builder-state.ts";
import { decodeVerdict, type FixVerdict } from "../fs-protocol/findings-block.ts";
import type { JudgeFold } from "../fs-protocol/fold-judge.ts";
import { previousOf, type SessionState } from "../fs-protocol/session-state.ts";
import type { VerifyStep } from "../streams/step.ts";
import { attemptUnit, type UnitEnd } from "./attempt-unit.ts";
import { describeItem } from "./describe-item.ts";
import { judgeTurn } from "./judge-turn.ts";
import { answerTo, questionFields } from "./questions.ts";
import type { RoleContext } from "./role-context.ts";
import { clip } from "./run-turn.ts";

/** The look at a fix by the role that opened the item: nothing else closes it (I6). */
export async function verifyFix(
  context: RoleContext<"reviewer"> | RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: VerifyStep,
): Promise<void> {
  const { journal, role } = context;
  const own = state[role];
  const sha = present(fix.sha, "a fix to judge names a commit");
  journal.append({ kind: "unit.begin", time: journal.time(), unit, base: sha });
  const end = await lookAt(context, state, { kind: "verify", fix, unit });
  const at = { kind: "verify.end", time: journal.time(), unit, id: fix.id, sha } as const;
  const attempt = fix.attempt;
  const { builder, policy } = state;
  const exhausted = isSpent(builder, fix.id, policy) ? policy.fixAttemptsMax : undefined;
  switch (end.kind) {
    case "stopped":
      return;
    case "gaveup":
      journal.append({ ...at, attempt, verdict: "gaveup", reason: end.reason, exhausted });
      return;
    case "question": {
      const question = questionFields(role, own.questions.length, end.question);
      journal.append({ ...at, attempt, verdict: end.outcome, ...question });
      return;
    }
    case "done": {
      if (end.value.kind === "closed") {
        journal.append({ ...at, attempt, verdict: "closed" });
        return;
      }
      const reason = clip(end.value.reason);
      journal.append({ ...at, attempt, verdict: "reopened", reason, exhausted });
    }
  }
}

async function lookAt(
  context: RoleContext<"reviewer"> | RoleContext<"tester">,
  state: SessionState,
  { fix, unit }: VerifyStep,
): Promise<UnitEnd<FixVerdict>> {
  const { templates, home } = context;
  const own: JudgeFold = state[context.role];
  const item = present(own.items.get(fix.id), "an item of one's own is on record");
  const sha = present(fix.sha, "a fix to judge names a commit");
  const open = own.openUnit?.unit === unit ? own.openUnit : undefined;
  return attemptUnit(
    context,
    { key: unit, failures: open?.failures ?? 0, lastFailure: open?.lastFailure },
    async (attempt) => {
      const clone = await context.clone();
      const looked = await judgeTurn(context, {
        turn: {
          purpose: "verify-fix",
          unit,
          attempt,
          prompt: templates.render("verify-fix", {
            request: home.request,
            item: describeItem(item),
            id: item.id,
            end_sha: sha,
            start_sha: previousOf(state.branch, sha),
            claim:
              fix.outcome === "nochange" ? `No change: ${fix.reason ?? ""}` : `Fixed in ${sha}`,
            answers: answerTo(unit, own.questions, state.human.answers),
          }),
          about: { finding: fix.id, endSha: sha },
        },
        clone,
        at: sha,
        read: decodeVerdict,
      });
      return looked.kind === "done" ? { kind: "done", value: looked.value.output } : looked;
    },
  );
}
