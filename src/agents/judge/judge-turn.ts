import { inSentences } from "../../base/words/in-sentences.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import type { Unparseable } from "../../fs-protocol/findings/findings-judge.ts";
import { asAttempted, type Attempted } from "../../work/unit.ts";
import { runTurn } from "../../work/turn/run-turn.ts";
import type { RoleTurn, TurnContext } from "../../work/turn/turn.ts";

/** A turn of the reviewer or tester, and how its output is read. */
export interface JudgeTurn<T> {
  readonly turn: Omit<RoleTurn, "ask" | "cwd">;
  readonly clone: Clone;
  readonly at: Oid;
  readonly read: (output: string) => Result<T, Unparseable>;
}

/**
 * Runs a turn whose output must parse. If it does not, asks once more and names the reason; a second unreadable
 * output is a failed attempt, never a pass.
 */
export async function judgeTurn<T>(
  context: TurnContext,
  { turn, clone, at, read }: JudgeTurn<T>,
): Promise<Attempted<{ readonly output: T; readonly summary: string }>> {
  const first = await askOnce(context, { turn, clone, at, read }, { ask: 1, remark: "" });
  if (first.kind !== "unreadable") return first;
  const remark = `\n\n${reaskText(first.reason)}`;
  const second = await askOnce(context, { turn, clone, at, read }, { ask: 2, remark });
  if (second.kind !== "unreadable") return second;
  return { kind: "failed", reason: `its output could not be read: ${second.reason}` };
}

type Asked<T> =
  | Attempted<{ readonly output: T; readonly summary: string }>
  | { readonly kind: "unreadable"; readonly reason: string };

async function askOnce<T>(
  context: TurnContext,
  { turn, clone, at, read }: JudgeTurn<T>,
  { ask, remark }: { readonly ask: number; readonly remark: string },
): Promise<Asked<T>> {
  // The second ask is only about the form of the answer, so the clone stays as the first turn left it.
  if (ask === 1) need(await clone.syncTo(at));
  const prompt = `${turn.prompt}${remark}`;
  const outcome = await runTurn(context, { ...turn, ask, prompt, cwd: clone.directory });
  if (outcome.kind !== "ended") return asAttempted(outcome);
  const output = read(outcome.text);
  if (!output.ok) return { kind: "unreadable", reason: output.failure.reason };
  return { kind: "done", value: { output: output.value, summary: outcome.summary } };
}

function reaskText(reason: string): string {
  return inSentences(
    `Your last answer could not be read: ${reason}`,
    "Answer again, in exactly the format above",
  );
}
