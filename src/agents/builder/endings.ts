import { inSentences } from "../../base/words/in-sentences.ts";
import { currentMilestone, setAside, stalledAttempts } from "../../session/rules/build-order.ts";
import { isSpent } from "../../session/state/builder-state.ts";
import { isStalemate } from "../../session/state/fold-judge.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { hasVerifiedNothing, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import { isOnlyReported } from "../../session/steps/log-summaries.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { clip } from "../../work/clip.ts";
import { gaveUpWords } from "./gave-up-words.ts";
import { causesOfItem, causesOfStall } from "./last-causes.ts";
import { haltOf } from "../../session/state/stage.ts";

type Halt = Extract<BuilderStep, { kind: "halt" }>;
type Done = Extract<BuilderStep, { kind: "done" }>;

/** Why a session halts, and what a person can do about it. */
export function explainHalt(
  why: Halt["why"],
  state: SessionState,
): { readonly reason: string; readonly explanation: string } {
  switch (why) {
    case "no-plan": {
      const last = state.planner.answers.at(-1)?.reason ?? "";
      return {
        reason: "the planner gave up: there is no plan",
        explanation: clip(
          inSentences(
            last,
            "See logs/planner.log; fix the request or the planner's engine, then run wisp resume",
          ),
        ),
      };
    }
    case "planner-failed":
      return {
        reason: "the planner's process failed: there is no plan",
        explanation: "See logs/planner.log and logs/supervisor.log, then run wisp up.",
      };
    case "no-progress":
      return explainStall(state);
  }
}

/** Why a session pauses at a milestone that makes no progress: what was tried, where to read more, and what to do. */
function explainStall({ builder, policy }: SessionState): ReturnType<typeof explainHalt> {
  const name = currentMilestone(builder, policy)?.name ?? "";
  const count = String(stalledAttempts(builder, name));
  const last = causesOfStall(builder, name);
  if (policy.stuck === undefined) {
    return {
      reason: clip(`no progress on milestone "${name}"`),
      explanation: clip(
        inSentences(
          `${count} attempts in a row ticked no task`,
          last,
          "See logs/builder.log; make the milestone smaller or fix what is in its way, then run wisp resume",
        ),
      ),
    };
  }
  const aside = setAside(builder, policy).map((milestone) => `"${milestone.name}"`);
  const others = aside.length === 0 ? "" : `Set aside as well: ${aside.join(", ")}`;
  const isKnown = builder.hints.get(name)?.text !== undefined;
  const where = isKnown
    ? "What is in the way is looked into in .stuck-hint.md"
    : "See logs/builder.log";
  return {
    reason: clip(`paused after ${count} attempts at milestone "${name}"`),
    explanation: clip(
      // What to do comes first, because the rest may be cut off.
      inSentences(
        where,
        "Make the milestone smaller in TASKS.md, or fix what is in its way; then run wisp resume",
        last,
        others,
      ),
    ),
  };
}

const COMPLETE = "every milestone is built, reviewed and tested, and nothing is open";

/** The reason of a session's end, as one line for `builder.done`. */
export function explainDone({ how, open, gaveup, failed }: Done, state: SessionState): string {
  if (how === "complete") return withNothingVerified(COMPLETE, hasVerifiedNothing(state));
  const { reported, disputed, spent } = openBy(state, open);
  const halt = haltOf(state.builder);
  const isHalted = halt !== undefined;
  const parts = [
    isHalted ? inSentences(halt.reason, halt.explanation) : "",
    spent.length > 0 ? `Still open after ${attemptsOf(spent)}: ${spent.join(", ")}` : "",
    disputed.length > 0
      ? `Left to you, after fixes that did not close what was found: ${disputed.join(", ")}`
      : "",
    ...[...spent, ...disputed].slice(0, EXPLAINED_MAX).map((id) => causeWords(state, id)),
    reported.length > 0 ? reportedWords(reported) : "",
    ...(gaveup.length === 0 ? [] : gaveUpWords(state, { hasPlanner: !isHalted })),
    failed.length > 0 ? `${failedWords(failed)}. See logs/supervisor.log` : "",
  ];
  return clip(inSentences(...parts));
}

/** The largest number of items whose causes are told. */
const EXPLAINED_MAX = 2;

function causeWords(state: SessionState, id: string): string {
  const causes = causesOfItem(state, id);
  return causes === "" ? "" : `${id}: ${causes}`;
}

function attemptsOf(spent: readonly string[]): string {
  return spent.length === 1 ? "all its attempts" : "all their attempts";
}

/** What `--no-fix` means at the end, and what a person can do then. */
function reportedWords(ids: readonly string[]): string {
  const [left, them] =
    ids.length === 1
      ? ["1 finding is left", "it"]
      : [`${String(ids.length)} findings are left`, "them"];
  return inSentences(
    `With --no-fix ${left} to you: ${ids.join(", ")}`,
    `Have ${them} fixed with wisp resume --fix, which also looks at what you fixed and committed yourself; or close ${them} with wisp findings dismiss`,
  );
}

function failedWords(failed: Done["failed"]): string {
  const roles = failed.map((role) => `the ${role}`).join(" and ");
  const whose = failed.length === 1 ? "its process" : "their processes";
  return `${roles.charAt(0).toUpperCase()}${roles.slice(1)} failed: ${whose} ended again and again`;
}

interface OpenBy {
  /** Only reported, because the session runs with `--no-fix`. */
  readonly reported: readonly string[];
  /** Stalemates: fixes left their lines unchanged, so wisp stopped before the last attempt. */
  readonly disputed: readonly string[];
  /** All their attempts are used up. */
  readonly spent: readonly string[];
}

/** Groups open items by the reason why wisp does nothing more about them. */
export function openBy(state: SessionState, open: readonly string[]): OpenBy {
  const { builder, policy } = state;
  const isReported = (id: string) => isOnlyReported(state[openerOf(id)], id, policy);
  const reported = state.human.fixesAll ? [] : open.filter(isReported);
  const disputed = open.filter(
    (id) => !isSpent(builder, id, policy) && isStalemate(state[openerOf(id)], id, builder.reopens),
  );
  const spent = open.filter((id) => !reported.includes(id) && !disputed.includes(id));
  return { reported, disputed, spent };
}
