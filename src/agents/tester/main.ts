import { logFolds } from "../../session/state/session-logs.ts";
import type { Oid } from "../../base/oid.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { Exit, TesterStep, Wait } from "../../session/steps/step.ts";
import { roleProjector } from "../../work/role-projector.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { note } from "../../work/journal.ts";
import type { RoleMain } from "../../work/role.ts";
import { clip } from "../../work/clip.ts";
import { undoneFields, type UnitEnd } from "../../work/unit.ts";
import { judgeMain } from "../judge/judge-main.ts";
import { baseTestsNotes } from "../../evidence/base-tests/listed-base-tests.ts";
import { testerProjections } from "./projections.ts";
import { judgeByCommand } from "./verify-bug.ts";
import { END_RULES } from "../../evidence/rules/all-rules.ts";
import { lookElsewhere } from "../../evidence/look/look-elsewhere.ts";
import { checkWithCanary } from "../../evidence/canary/check-with-canary.ts";
import type { Tested, TestStep } from "./publish-tests.ts";
import { runTests } from "./run-tests.ts";

type Work = Exclude<TesterStep, Wait | Exit>;

/**
 * The tester: tests every milestone, the whole at the end, and every fix of one of its bugs. It commits only
 * tests.
 */
export function testerMain(context: RoleContext<"tester">): RoleMain<Work> {
  const { home, session } = context;
  const project = testerProjections(home, session);
  const projector = roleProjector(context, { ...logFolds(session).tester, project });
  return judgeMain<TestStep>(context, projector, {
    judgeWork: (state, step) => test(context, state, step, []),
    resume: (state, unit) => resume(context, state, unit),
    computeVerdict: (state, step) => judgeByCommand(context, state, step),
  });
}

/**
 * Resumes an interrupted unit. If its tests are already on the branch, they stay, and the turn runs again
 * without committing; otherwise the unit starts again as usual.
 */
function resume(
  context: RoleContext<"tester">,
  state: SessionState,
  unit: string,
): (() => Promise<void>) | undefined {
  const shas = state.tester.openUnit?.intent?.shas ?? [];
  const last = shas.at(-1);
  if (last === undefined || !state.branch.places.has(last)) return undefined;
  const step = stepOf(state, unit);
  return step && (() => test(context, state, step, shas));
}

/** The step behind a unit's key, if it is still due as it began. */
function stepOf({ builder }: SessionState, key: string): TestStep | undefined {
  const { reopens, milestones, finalN } = builder;
  const unit = decodeUnit(key);
  if (unit?.kind === "final" && unit.n === finalN) {
    return { kind: "final-test", n: finalN, unit: key, reopens };
  }
  if (unit?.kind !== "test" || (unit.reopens ?? reopens) !== reopens) return undefined;
  const milestone = milestones.find(({ name, end }) => name === unit.milestone && end === unit.end);
  return milestone && { kind: "test", milestone, unit: key, reopens };
}

async function test(
  context: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  published: readonly Oid[],
): Promise<void> {
  const { journal, hub, session } = context;
  if (step.kind === "test" && isEmpty(step.milestone)) {
    const ended = { kind: "test.end", time: journal.time(), unit: step.unit } as const;
    const m = step.milestone.name;
    journal.append({ ...ended, m, outcome: "skipped", bugs: [], commits: [] });
    return;
  }
  const ran = await runTests(context, state, step, published);
  const end = step.kind === "final-test" ? await trusted(context, state, step, ran) : ran;
  if (end.kind === "stopped") return;
  const head = (await hub.head(session.branch)) ?? session.base;
  const tested =
    end.kind === "done" ? end.value : { ...NOTHING_TESTED, commits: published, at: head };
  const { baseTests = [] } = tested;
  for (const text of [...tested.refused, ...baseTestsNotes(baseTests)]) {
    note(context, text);
  }
  const fields = {
    time: journal.time(),
    unit: step.unit,
    bugs: [...tested.bugs],
    commits: [...tested.commits],
    ...(end.kind === "done"
      ? { outcome: "tested" as const }
      : undoneFields(end, "tester", state.tester.questions.length)),
    ...(tested.refused.length > 0 ? { reason: refusalsOf(tested) } : {}),
    reopens: step.reopens,
  };
  if (step.kind === "test") journal.append({ kind: "test.end", m: step.milestone.name, ...fields });
  else {
    const { at, verify } = tested;
    const failed = baseTests.length === 0 ? {} : { basetests: [...baseTests] };
    journal.append({ kind: "final.end", n: step.n, at, verify, ...failed, ...fields });
  }
}

const NOTHING_TESTED: Pick<Tested, "bugs" | "refused" | "verify" | "baseTests"> = {
  bugs: [],
  refused: [],
};
/** Looks whether a pass that found nothing can be trusted: by a failing test, and elsewhere. */
async function trusted(
  context: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  end: UnitEnd<Tested>,
): Promise<UnitEnd<Tested>> {
  const seen = await withCanary(context, state, step, end);
  if (seen.kind !== "done" || seen.value.bugs.length > 0) return seen;
  const { at } = seen.value;
  const looked = await lookElsewhere(context, { unit: step.unit, at });
  return looked === "stopped" ? { kind: "stopped" } : seen;
}

/**
 * Plants the canary only where the session would otherwise be complete: the green of a verify that misses a
 * failing test does not count.
 */
async function withCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit }: TestStep,
  end: UnitEnd<Tested>,
): Promise<UnitEnd<Tested>> {
  if (end.kind !== "done" || end.value.bugs.length > 0) return end;
  const checked = await checkWithCanary(context, state, { unit, at: end.value.at });
  if (checked.kind === "stopped") return checked;
  const { session } = context;
  const seen = { session, at: end.value.at, canary: checked.planted };
  const bugs = END_RULES.flatMap((rule) => rule.find(seen));
  return { kind: "done", value: { ...end.value, bugs } };
}

/**
 * A milestone that a person ticked, or that was finished together with the previous one, has no commits to
 * test.
 */
function isEmpty({ start, end }: Extract<TestStep, { kind: "test" }>["milestone"]): boolean {
  return start === end;
}

/** The notes before this record name each refused bug and the reason. */
function refusalsOf({ bugs, refused }: Tested): string {
  const all = bugs.length + refused.length;
  const [first = ""] = refused;
  return clip(`${String(refused.length)} of ${String(all)} bugs refused: ${first}`);
}
