import type { Oid } from "../base/oid.ts";
import type { Clone } from "../base/repo.ts";
import type { Result } from "../base/result.ts";
import type { Unparseable } from "../fs-protocol/findings-judge.ts";
import type { Journal } from "./journal.ts";
import type { Attempted } from "./attempt-unit.ts";
import { runTurn, type Turn } from "./run-turn.ts";
import type { RoleContext } from "./role-context.ts";
import type { z } from "zod";
import type { commonRecords } from "../fs-protocol/common-records.ts";

type CommonRecord = z.infer<(typeof commonRecords)[number]>;

/** A turn of reviewer or tester and how its output is read. */
export interface JudgeTurn<T> {
  readonly turn: Omit<Turn, "ask" | "cwd">;
  readonly clone: Clone;
  readonly at: Oid;
  readonly read: (output: string) => Result<T, Unparseable>;
}

/**
 * Runs a turn whose output must parse: what does not is asked for once more with the reason, and then
 * counts as a failed attempt. Never as a pass.
 */
export async function judgeTurn<T>(
  context: Omit<RoleContext, "journal"> & { readonly journal: Journal<CommonRecord> },
  { turn, clone, at, read }: JudgeTurn<T>,
): Promise<Attempted<{ readonly output: T; readonly summary: string }>> {
  let reason = "";
  for (const ask of [1, 2]) {
    const synced = await clone.syncTo(at);
    if (!synced.ok) return { kind: "failed", reason: synced.failure.message };
    const prompt = reason === "" ? turn.prompt : `${turn.prompt}\n\n${reaskText(reason)}`;
    const outcome = await runTurn(context, { ...turn, ask, prompt, cwd: clone.directory });
    switch (outcome.kind) {
      case "stopped":
        return outcome;
      case "failed":
        return outcome;
      case "needs-input":
        return { kind: "question", outcome: "needs_input", question: outcome.question };
      case "blocked":
        return { kind: "question", outcome: "blocked", question: outcome.question };
      case "ended": {
        const output = read(outcome.text);
        if (output.ok) {
          return { kind: "done", value: { output: output.value, summary: outcome.summary } };
        }
        reason = output.failure.reason;
      }
    }
  }
  return { kind: "failed", reason: `its output could not be read: ${reason}` };
}

function reaskText(reason: string): string {
  return `Your last answer could not be read: ${reason}. Answer again, in exactly the format above.`;
}
