import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { verifyKey, type VerifyResult } from "../../session/state/builder-state.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { commandKey } from "../verify/command-key.ts";
import { fewerTests, type VerifiedEnds } from "../harness/fewer-tests.ts";
import { redAtBase } from "../verify/red-at-base.ts";
import type { RoleContext } from "../work/role-context.ts";
import { changedTests, type ChangedTests } from "./changed-tests.ts";
import { askedByFixes } from "./asked-by-fixes.ts";
import { describeTampering } from "./describe-tampering.ts";
import { harnessFiles } from "../harness/old-tests.ts";
import { hiddenFindings, oldTestFindings, unassertedFindings } from "./test-findings.ts";
import {
  redBefore,
  tryOldTests,
  waysToRun,
  type NewFailures,
  type OldRan,
} from "./try-old-tests.ts";

/** A range of commits whose tests are checked. */
export interface TestRange {
  /** Key of the open unit, for the records of what was run. */
  readonly unit: string;
  readonly start: Oid;
  readonly end: Oid;
  /** Name of the milestone. */
  readonly m: string;
  /** Texts of the milestone's tasks: changes to tests that they ask for are allowed. */
  readonly tasks: readonly string[];
}

export type TestsCheck =
  | {
      readonly kind: "checked";
      /** What was done to tests and their settings, for the prompt of the reviewer `tests`; "" if nothing. */
      readonly evidence: string;
      /**
       * Findings that need no reviewer's judgement, in the name of the reviewer `tests`. All are blocking,
       * except those about new tests that check nothing. Their ids are the same when the check is repeated. The
       * caller must record them in the unit's `end` record together with the reviewers' findings, without
       * checking their places.
       */
      readonly findings: readonly Finding[];
    }
  | { readonly kind: "stopped" };

/** Bounds the texts of projects and programs, so that they cannot crowd out the rest of the prompt. */
const EVIDENCE_CHARS_MAX = 8_000;

/**
 * Checks what a range did to the tests: tests that vanished or check less, settings that let more pass, and
 * whether the tests from the start of the range still pass at its end.
 *
 * Reads commits of the role's clone, whose work tree it leaves alone: must be awaited after `unit.begin` and before
 * turns begin in the clone. Results of commands are recorded and reused for the same trees. Never fails because a
 * project's tests cannot be run: the evidence then reports that.
 */
export async function checkTests(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: TestRange,
): Promise<TestsCheck> {
  const { session } = context;
  const { start, end } = range;
  const tasks = [...range.tasks, ...askedByFixes(state, range)];
  const clone = await context.clone();
  need(await clone.bring(end));
  const changed = need(await changedTests(clone, range, session));
  const hidden = [
    ...hiddenFindings(changed.tampering, tasks, range),
    ...unassertedFindings(changed.unasserted, range),
  ];
  const ends = await verifiedEnds(session, state, clone, range);
  const fewer = fewerTests(context, changed, ends, { ...range, tasks });
  const evidence = [comparedWords(changed), fewer.evidence];
  const found = [...hidden, ...fewer.findings];
  const ways = session.verify.length === 0 ? [] : waysToRun(changed, tasks);
  const before = async () =>
    redBefore(need(await redAtBase(session, state, clone)), [ends.start, ends.end]);
  const tried = await tryOldTests(context, state.reviewer.ran, {
    ...{ unit: range.unit, start, end, changed, ways, before },
    isSoleJudge: false,
  });
  if (tried.kind === "stopped") return tried;
  for (const { by, ran, newFailures, files, isInconclusive } of tried.tries) {
    evidence.push(
      ranWords(ran, newFailures, { ...range, files }),
      isInconclusive ? INCONCLUSIVE : "",
    );
    if (isInconclusive || !newFailures.isBlamed) continue;
    const harness = by === "old-harness" ? harnessFiles(changed) : [];
    const failures = { ...changed, harness, failing: newFailures.failing, tail: ran.tail };
    found.push(...oldTestFindings(failures, tasks, range));
  }
  return { kind: "checked", evidence: joined(evidence), findings: found };
}

const INCONCLUSIVE = "They could not be loaded or run like that, which says nothing of the code.";

function comparedWords({ tampering, omittedCount }: ChangedTests): string {
  const omitted =
    omittedCount === 0 ? "" : `\n${String(omittedCount)} more files were not compared.`;
  if (tampering.length === 0) return omitted.trim();
  return `wisp compared the tests of this range, and their settings, with those before it:\n${describeTampering(tampering)}${omitted}`;
}

/** The recorded results of verify at both ends of a range; undefined where it was not run. */
export async function verifiedEnds(
  { verify }: RoleContext["session"],
  { builder }: SessionState,
  clone: Clone,
  { start, end }: Pick<TestRange, "start" | "end">,
): Promise<VerifiedEnds> {
  const at = async (oid: Oid): Promise<VerifyResult | undefined> => {
    const tree = need(await clone.treeOf(oid));
    return builder.verified.get(verifyKey(commandKey(verify), tree));
  };
  return { start: await at(start), end: await at(end) };
}

function ranWords(
  ran: OldRan,
  { failing }: NewFailures,
  { start, end, files }: TestRange & { readonly files: readonly string[] },
): string {
  const named = files.slice(0, FILES_NAMED_MAX).join(", ");
  const more =
    files.length > FILES_NAMED_MAX ? ` and ${String(files.length - FILES_NAMED_MAX)} more` : "";
  const by = named === "" ? "" : `, by the test commands that stood in ${named}${more} then`;
  const what = `wisp ran the tests as they stood at ${abbreviate(start)} on the tree of ${abbreviate(end)}${by}`;
  switch (ran.outcome) {
    case "passed":
      return `${what}: they pass.`;
    case "unstarted":
      return `${what}: they could not be run (${ran.reason}).`;
    case "failed": {
      const names = failing.map((name) => `- ${name}`).join("\n");
      return `${what}: they fail (${ran.reason}).\n${names === "" ? ran.tail.slice(-TAIL_CHARS_MAX) : names}`;
    }
  }
}

const TAIL_CHARS_MAX = 2_000;
const FILES_NAMED_MAX = 20;

function joined(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join("\n\n");
  return cleanText(text, { charsMax: EVIDENCE_CHARS_MAX, lines: "many" });
}
