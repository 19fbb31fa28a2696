import { join, relative } from "node:path";
import { rememberKnownRed } from "../../home/known-red.ts";
import { isRedBase, isRedKnown } from "../../session/state/base-outcome.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { clip } from "../../work/clip.ts";
import { sayMissing } from "../../evidence/missing/missing.ts";
import { checkSource } from "../../evidence/canary/source-canary.ts";
import { missingAtBase } from "../../evidence/missing/missing-at-base.ts";
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
 * Runs verify at the session's base, so that nothing is blamed for what was red from the start. If verify is red, a person
 * is asked, unless the settings have their answer already. If the builder is killed between the result and the question,
 * it asks when it is started again. A person is also asked if verify is green there without the code of the product, as far
 * as that can be seen without the suite; what is not seen here, the tester looks at.
 */
export async function verifyBase(
  context: RoleContext<"builder">,
  state: SessionState,
  { unit, isAgain }: Extract<BuilderStep, { kind: "base" }>,
): Promise<void> {
  const { journal, session } = context;
  const { builder } = state;
  const at = session.base;
  const rule = session.policy.redBase;
  // What is red at the base excuses the same later, so it is confirmed first.
  const purpose = isAgain ? { ...REFERENCE, isJudged: true } : REFERENCE;
  const result = await verifyAt(context, builder, at, purpose);
  if (result.kind === "stopped") return;
  const end = { kind: "base.end", unit, at } as const;
  const number = builder.questions.length;
  if (!isRedBase(result, rule)) {
    const seen = await checkSource(context, state, { unit, base: result, isCheap: true });
    if (seen.kind === "stopped") return;
    if (seen.kind === "question") {
      const asked = questionFields("builder", number, seen.question);
      journal.append({ ...end, time: journal.time(), outcome: "needs_input", ...asked });
      return;
    }
    if (isAgain) journal.append({ ...end, time: journal.time(), outcome: "judged" });
    noteRed(context, result);
    return;
  }
  const question = await questionAbout(context, result);
  const asked = questionFields("builder", number, question);
  const asks = { ...end, time: journal.time(), outcome: "needs_input", ...asked } as const;
  const isKnown = rule !== undefined && result.unknown === undefined && isRedKnown(result, rule);
  if (!isKnown) {
    journal.append(asks);
    return;
  }
  // Both in one append: nobody is notified of a question that has an answer.
  const how = howKnown(session, result.failing ?? []);
  const by = asked.question;
  journal.append(asks, { ...end, time: journal.time(), outcome: "accepted", by, how });
  noteRed(context, result);
}

/** Records that a red base is accepted, by a person's answer or by the session's settings: it is the one in view. */
export function acceptBase(
  context: RoleContext<"builder">,
  { builder: { baseline } }: SessionState,
  { unit, question: by, isBefore }: Extract<BuilderStep, { kind: "accept-base" }>,
): void {
  const { journal, session, ports } = context;
  const at = session.base;
  const failing = baseline?.failing ?? [];
  const how = isBefore ? howKnown(session, failing) : undefined;
  // Before it is recorded: a builder that is killed between the two remembers the same names twice.
  if (!isBefore && baseline?.tally?.isCut !== true) {
    rememberKnownRed(ports.files, session, failing);
  }
  const end = { kind: "base.end", unit, at, outcome: "accepted", by, how } as const;
  journal.append({ ...end, time: journal.time() });
  if (baseline !== undefined) noteRed(context, baseline);
}

/** Which of the session's settings has the answer of a person. */
function howKnown(
  { policy: { redBase } }: RoleContext["session"],
  failing: readonly string[],
): "option" | "settings" | "remembered" {
  if (redBase?.accept === true) return "option";
  const named = new Set(redBase?.known);
  return failing.every((name) => named.has(name)) ? "settings" : "remembered";
}

function noteRed(
  { journal }: RoleContext<"builder">,
  { failing }: Pick<BaseResult, "failing">,
): void {
  if (failing === undefined) return;
  const text = clip(`verify was red at the base already: ${failing.join(", ")}`);
  journal.append({ kind: "note", time: journal.time(), text });
}

async function questionAbout(
  context: RoleContext<"builder">,
  { output, unknown, failing, tally }: BaseResult,
): Promise<string> {
  const { session, home } = context;
  const missing = await missingAtBase(context, { at: session.base, output, failing, tally });
  const lines = outputTail(context, output).split("\n");
  const path = output && relative(session.repository, join(home.turns, `${output}.out`));
  return baseQuestion({
    at: session.base,
    anew: session.version < 3 ? session.id : undefined,
    // The last line usually shows why it failed.
    reason: lines.findLast((line) => line.trim() !== "")?.trim() ?? "",
    output: path,
    isOfCommit: unknown === undefined,
    failing: failing ?? [],
    missing: missing.map((one) => sayMissing([one])),
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
