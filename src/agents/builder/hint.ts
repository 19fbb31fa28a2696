import { need } from "../../base/fatal.ts";
import { HINT_CHARS_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import { lastMessageLines } from "../../fs-protocol/findings/last-message.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { clip } from "../work/clip.ts";
import type { RoleContext } from "../work/role-context.ts";
import { withRefusals } from "../turn/name-refusals.ts";
import { runTurn } from "../turn/run-turn.ts";
import { beginAtHead } from "./attempt.ts";
import { askForHint } from "./hint-prompt.ts";

type HintStep = Extract<BuilderStep, { kind: "hint" }>;

/**
 * A turn that looks for why attempts at a milestone stall. It helps or it does not: what it leaves in the
 * clone is thrown away, and where it fails, or asks, the next attempt follows all the same.
 */
export async function hint(
  context: RoleContext<"builder">,
  state: SessionState,
  step: HintStep,
): Promise<void> {
  const { journal } = context;
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
    about: { milestone: milestone.name, startSha: base },
  });
  if (outcome.kind === "stopped") return;
  await putBack(clone, base);
  journal.append({
    kind: "hint.end",
    time: journal.time(),
    unit,
    m: milestone.name,
    attempts,
    stalled,
    ...named(context, unit, saidBy(outcome)),
  });
}

function named(context: RoleContext<"builder">, unit: string, said: Said): Said {
  if (said.outcome === "hint") return said;
  return { ...said, reason: withRefusals(context, unit, said.reason) };
}

/** As it was. What cannot be put back so, in the midst of a rebase, is mended first. */
async function putBack(clone: Clone, base: Oid): Promise<void> {
  const synced = await clone.syncTo(base);
  if (!synced.ok) need(await clone.rescueAndReset());
}

type Said =
  | { readonly outcome: "hint"; readonly text: string }
  | { readonly outcome: "none"; readonly reason: string };

function saidBy(outcome: Exclude<TurnOutcome, { kind: "stopped" }>): Said {
  switch (outcome.kind) {
    case "failed":
      return { outcome: "none", reason: clip(outcome.reason) };
    case "needs-input":
    case "blocked":
      // Nobody is waited for: whoever builds on may ask it again.
      return { outcome: "hint", text: cleaned(`A person is to be asked: ${outcome.question}`) };
    case "ended": {
      const text = cleaned(withoutWord(outcome.text)) || cleaned(outcome.summary);
      return text === ""
        ? { outcome: "none", reason: "it said nothing" }
        : { outcome: "hint", text };
    }
  }
}

function cleaned(text: string): string {
  return cleanText(text, { charsMax: HINT_CHARS_MAX, lines: "many" });
}

/** What stands before the last word, which is for wisp. */
function withoutWord(text: string): string {
  const lines = text.split("\n");
  const word = lastMessageLines(lines);
  return word === undefined ? text : lines.slice(0, word.first).join("\n");
}
