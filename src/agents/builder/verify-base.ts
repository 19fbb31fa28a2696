import { join, relative } from "node:path";
import { isRedUnnamed } from "../../session/state/base-outcome.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { clip } from "../../work/clip.ts";
import { namedForCommands } from "../../evidence/verify/command-environment.ts";
import { questionFields } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { outputTail } from "../../evidence/verify/output-tail.ts";
import { reachesTree } from "../../evidence/verify-tree/tree-environment.ts";
import {
  SEARCH_BOUNDS,
  mentionedVariables,
  withheldVariables,
} from "../../evidence/verify/withheld-variables.ts";
import { baseQuestion } from "./base-question.ts";
import { REFERENCE, verifyAt, type Verified } from "../../evidence/verify/verify-at.ts";

type BaseResult = Extract<Verified, { readonly kind: "verified" }>;

/**
 * Runs verify at the session's base, so that nothing is blamed for what was red from the start. If verify is red and
 * names no test, later results could not be compared with it, so a person is asked. If the builder is killed between
 * the result and the question, it asks when it is started again.
 */
export async function verifyBase(
  context: RoleContext<"builder">,
  { builder }: SessionState,
  { unit, isAgain }: Extract<BuilderStep, { kind: "base" }>,
): Promise<void> {
  const { journal, session } = context;
  const at = session.base;
  // What is red at the base excuses the same later, so it is confirmed first.
  const purpose = isAgain ? { ...REFERENCE, isJudged: true } : REFERENCE;
  const result = await verifyAt(context, builder, at, purpose);
  if (result.kind === "stopped") return;
  const end = { kind: "base.end", unit, at } as const;
  if (isRedUnnamed(result)) {
    const question = await questionAbout(context, result);
    const asked = questionFields("builder", builder.questions.length, question);
    journal.append({ ...end, time: journal.time(), outcome: "needs_input", ...asked });
    return;
  }
  if (isAgain) journal.append({ ...end, time: journal.time(), outcome: "judged" });
  if (result.failing === undefined) return;
  const text = clip(`verify was red at the base already: ${result.failing.join(", ")}`);
  journal.append({ kind: "note", time: journal.time(), text });
}

/** Records that a person accepted a red base: from now on, red without names after red without names is no worse. */
export function acceptBase(
  { journal, session }: RoleContext<"builder">,
  { unit, question: by }: Extract<BuilderStep, { kind: "accept-base" }>,
): void {
  const at = session.base;
  journal.append({ kind: "base.end", time: journal.time(), unit, at, outcome: "accepted", by });
}

async function questionAbout(
  context: RoleContext<"builder">,
  { output, unknown }: BaseResult,
): Promise<string> {
  const { session, home } = context;
  const lines = outputTail(context, output).split("\n");
  const path = output && relative(session.repository, join(home.turns, `${output}.out`));
  return baseQuestion({
    at: session.base,
    session: session.id,
    // The last line usually shows why it failed.
    reason: lines.findLast((line) => line.trim() !== "")?.trim() ?? "",
    output: path,
    isOfCommit: unknown === undefined,
    mentioned: await missedAt(context),
  });
}

/** Names of variables that the project's commands may lack; none if its files cannot be read. */
async function missedAt(context: RoleContext<"builder">): Promise<readonly string[]> {
  const { session, role, env } = context;
  const withheld = withheldVariables(env, namedForCommands(session, role)).filter(reachesTree);
  if (withheld.length === 0) return [];
  const clone = await context.clone();
  const files = await clone.textsAt(session.base, SEARCH_BOUNDS);
  return files.ok ? mentionedVariables(files.value, withheld) : [];
}
