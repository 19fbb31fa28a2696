import { logFolds } from "../../session/state/session-logs.ts";
import type { Oid } from "../../base/oid.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { Exit, TesterStep, Wait } from "../../session/steps/step.ts";
import { roleProjector } from "../home/role-projector.ts";
import type { RoleContext } from "../work/role-context.ts";
import { note } from "../work/journal.ts";
import type { RoleMain } from "../work/role.ts";
import { clip } from "../work/clip.ts";
import { undoneFields, type UnitEnd } from "../work/unit.ts";
import { judgeMain } from "../judge/judge-main.ts";
import { baseTestsNotes } from "./listed-base-tests.ts";
import { testerProjections } from "./projections.ts";
import { judgeByCommand } from "./verify-bug.ts";
import { lookWithCanary } from "./look-with-canary.ts";
import type { Tested, TestStep } from "./publish-tests.ts";
import { runTests } from "./test.ts";

type Work = Exclude<TesterStep, Wait | Exit>;

/** The tester: every milestone, the whole at the end, every fix of a bug of its own. Commits tests only. */
export function testerMain(context: RoleContext<"tester">): RoleMain<Work> {
  const { home, session } = context;
  const project = testerProjections(home, session);
  const projector = roleProjector(context, { ...logFolds(session).tester, project });
  return judgeMain<TestStep>(context, projector, {
    look: (state, step) => test(context, state, step, []),
    goOn: (state, unit) => goOn(context, state, unit),
    firstLook: (state, step) => judgeByCommand(context, state, step),
  });
}

/**
 * An open begin: tests of the unit that are on the branch are kept and the turn is run again without
 * committing; otherwise the unit is simply taken again (coordination, section 7).
 */
function goOn(
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

/** The step behind a unit's key, where it is still owed as it was begun. */
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
  kept: readonly Oid[],
): Promise<void> {
  const { journal, hub, session } = context;
  if (step.kind === "test" && isEmpty(step.milestone)) {
    const ended = { kind: "test.end", time: journal.time(), unit: step.unit } as const;
    const m = step.milestone.name;
    journal.append({ ...ended, m, outcome: "skipped", bugs: [], commits: [] });
    return;
  }
  const ran = await runTests(context, state, step, kept);
  const end = step.kind === "final-test" ? await withCanary(context, state, step, ran) : ran;
  if (end.kind === "stopped") return;
  const head = (await hub.head(session.branch)) ?? session.base;
  const tested = end.kind === "done" ? end.value : { ...NOTHING_TESTED, commits: kept, at: head };
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
/** Only where the session would be complete: verify has to see a failing test for its green to count. */
async function withCanary(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit }: TestStep,
  end: UnitEnd<Tested>,
): Promise<UnitEnd<Tested>> {
  if (end.kind !== "done" || end.value.bugs.length > 0) return end;
  const looked = await lookWithCanary(context, state, { unit, at: end.value.at });
  if (looked.kind === "stopped") return looked;
  return { kind: "done", value: { ...end.value, bugs: looked.findings } };
}

/** Ticked by a person, or with the milestone before it, which has the commits: nothing to test. */
function isEmpty({ start, end }: Extract<TestStep, { kind: "test" }>["milestone"]): boolean {
  return start === end;
}

/** The notes before the end say which and why. */
function refusalsOf({ bugs, refused }: Tested): string {
  const all = bugs.length + refused.length;
  const [first = ""] = refused;
  return clip(`${String(refused.length)} of ${String(all)} bugs refused: ${first}`);
}
