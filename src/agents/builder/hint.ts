import { need } from "../../base/fatal.ts";
import { HINT_CHARS_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import { lastMessageLines } from "../../fs-protocol/findings/last-message.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { hintEngine } from "../../session/rules/attempt-engine.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { withRefusals } from "../../work/turn/name-refusals.ts";
import { runTurn } from "../../work/turn/run-turn.ts";
import { beginAtHead } from "./attempt.ts";
import { askForHint } from "./hint-prompt.ts";

type HintStep = Extract<BuilderStep, { kind: "hint" }>;

/**
 * Runs a turn that finds out why attempts at a milestone stall. Its changes in the clone are discarded, and the next
 * attempt follows even if it fails or asks a question.
 */
export async function hint(
  context: RoleContext<"builder">,
  state: SessionState,
  step: HintStep,
): Promise<void> {
  const { journal, session } = context;
  const { unit, milestone, attempts, stalled } = step;
  const base = await beginAtHead(context, unit);
  const clone = await context.clone();
  need(await clone.syncTo(base));
  const outcome = await runTurn(context, {
    purpose: "stuck-hint",
    unit,
    attempt: 1,
    ask: 1,
    ...askForHint(context, state, step),
    cwd: clone.directory,
    milestone: milestone.name,
    ...hintEngine(session.engines.builder.attempts),
    about: { milestone: milestone.name, startSha: base },
  });
  if (outcome.kind === "stopped") return;
  await resetClone(clone, base);
  journal.append({
    kind: "hint.end",
    time: journal.time(),
    unit,
    m: milestone.name,
    attempts,
    stalled,
    ...withRefusedCommands(context, unit, resultOf(outcome)),
  });
}

function withRefusedCommands(
  context: RoleContext<"builder">,
  unit: string,
  result: HintResult,
): HintResult {
  if (result.outcome === "hint") return result;
  return { ...result, reason: withRefusals(context, unit, result.reason) };
}

/** Resets the clone to `base`. If that fails, for example during an unfinished rebase, repairs the clone. */
async function resetClone(clone: Clone, base: Oid): Promise<void> {
  const synced = await clone.syncTo(base);
  if (!synced.ok) need(await clone.rescueAndReset());
}

type HintResult =
  | { readonly outcome: "hint"; readonly text: string }
  | { readonly outcome: "none"; readonly reason: string };

function resultOf(outcome: Exclude<TurnOutcome, { kind: "stopped" }>): HintResult {
  switch (outcome.kind) {
    case "failed":
      return { outcome: "none", reason: clip(outcome.reason) };
    case "needs-input":
    case "blocked":
      // The session does not wait for an answer: the next build turn may ask the question itself.
      return { outcome: "hint", text: cleaned(`A person is to be asked: ${outcome.question}`) };
    case "ended": {
      const text = cleaned(withoutAgentWord(outcome.text)) || cleaned(outcome.summary);
      return text === ""
        ? { outcome: "none", reason: "it said nothing" }
        : { outcome: "hint", text };
    }
  }
}

function cleaned(text: string): string {
  return cleanText(text, { charsMax: HINT_CHARS_MAX, lines: "many" });
}

/** The text before the agent's last word, which is meant for wisp. */
function withoutAgentWord(text: string): string {
  const lines = text.split("\n");
  const word = lastMessageLines(lines);
  return word === undefined ? text : lines.slice(0, word.first).join("\n");
}
