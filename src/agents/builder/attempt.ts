import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { withRefusals } from "../../work/turn/name-refusals.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { beginUnit, questionFields } from "../../work/unit.ts";

/** Begins a unit of the builder at the head of the branch, and returns that commit. */
export async function beginAtHead(context: RoleContext<"builder">, unit: string): Promise<Oid> {
  const { hub, session } = context;
  const base = (await hub.head(session.branch)) ?? session.base;
  beginUnit(context, unit, base);
  return base;
}

/** Saves what a failed attempt left in the clone, and returns the reason of the failure for its end record. */
export async function saveFailed(
  context: RoleContext<"builder">,
  unit: string,
  reason: string,
): Promise<string> {
  const clone = await context.clone();
  const { rescue } = need(await clone.rescueAndReset());
  const full = rescue === undefined ? reason : `${reason} (saved as ${rescue})`;
  return withRefusals(context, unit, full);
}

/**
 * Saves what a turn that asks a person left in the clone, and returns the fields of its end record.
 *
 * @param done names what is saved, for the record
 */
export async function saveAsking(
  context: RoleContext<"builder">,
  { builder }: SessionState,
  turn: Extract<TurnOutcome, { kind: "needs-input" | "blocked" }>,
  done: string,
) {
  const clone = await context.clone();
  const { rescue } = need(await clone.rescueAndReset());
  return {
    outcome: turn.kind === "blocked" ? ("blocked" as const) : ("needs_input" as const),
    reason: rescue === undefined ? undefined : `${done} is saved as ${rescue}`,
    ...questionFields("builder", builder.questions.length, turn.question),
  };
}

/**
 * For the next attempt, after a reason without a full stop: where the commits are that an engine made on a branch of its
 * own; "" if there are none.
 */
export async function besideWords(
  { session }: Pick<RoleContext<"builder">, "session">,
  clone: Pick<Clone, "branchBeside">,
  base: Oid,
): Promise<string> {
  const beside = await clone.branchBeside(base);
  if (!beside.ok || beside.value === undefined) return "";
  const [name, own] = [shown(beside.value), shown(session.branch)];
  return `. The branch ${name} of this clone has commits that ${own} lacks, and only those on ${own} count: if they are the work, bring them over with git merge ${shellWord(beside.value)}`;
}
