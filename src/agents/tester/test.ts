import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/repo.ts";
import type { Finding } from "../../fs-protocol/finding.ts";
import { decodeFindingsBlocks } from "../../fs-protocol/findings-block.ts";
import type { SessionState } from "../../fs-protocol/session-state.ts";
import type { TesterStep } from "../../streams/step.ts";
import { attemptUnit, type Attempted, type UnitEnd } from "../attempt-unit.ts";
import { ensureSetup } from "../clone-setup.ts";
import { judgeTurn } from "../judge-turn.ts";
import { publishUnit } from "../publish-unit.ts";
import { answerTo } from "../questions.ts";
import type { RoleContext } from "../role-context.ts";
import { clip, type Turn } from "../run-turn.ts";
import { sayOmitted } from "../say-omitted.ts";
import { takeFindings } from "../take-findings.ts";
import { testPathMatcher } from "./test-paths.ts";

export type TestStep = Extract<TesterStep, { kind: "test" | "final-test" }>;

/** What testing came to: bugs, and the tests that now are on the branch. */
export interface Tested {
  readonly bugs: readonly Finding[];
  readonly commits: readonly Oid[];
  /** HEAD that was tested, own commits included. */
  readonly at: Oid;
}

/** What a unit works on. */
interface TestPlace {
  readonly at: Oid;
  /** Tests of this unit that were published before an interruption: nothing more is committed (I4). */
  readonly kept: readonly Oid[];
}

/** Tests a milestone at its end, or the whole at HEAD, up to the policy's attempts. */
export async function runTests(
  context: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  kept: readonly Oid[],
): Promise<UnitEnd<Tested>> {
  const { journal, hub, session } = context;
  const head = (await hub.head(session.branch)) ?? session.base;
  const at = kept.at(-1) ?? (step.kind === "test" ? step.milestone.end : head);
  journal.append({ kind: "unit.begin", time: journal.time(), unit: step.unit, base: at });
  const own = state.tester;
  const open = own.openUnit?.unit === step.unit ? own.openUnit : undefined;
  const unit = { key: step.unit, failures: open?.failures ?? 0, lastFailure: open?.lastFailure };
  return attemptUnit(context, unit, (attempt, lastFailure) =>
    testOnce(context, state, { step, attempt, lastFailure, place: { at, kept } }),
  );
}

interface Once {
  readonly step: TestStep;
  readonly attempt: number;
  readonly lastFailure: string | undefined;
  readonly place: TestPlace;
}

async function testOnce(
  context: RoleContext<"tester">,
  state: SessionState,
  { step, attempt, lastFailure, place }: Once,
): Promise<Attempted<Tested>> {
  const { at, kept } = place;
  const clone = await context.clone();
  // What an attempt before this one left behind is saved, not mixed in.
  need(await clone.rescueAndReset());
  need(await clone.syncTo(at));
  const setup = await ensureSetup(context, clone);
  if (setup.kind === "stopped") return setup;
  if (setup.kind === "failed") return { kind: "failed", reason: `setup: ${setup.reason}` };
  const looked = await judgeTurn(context, {
    turn: await turnOf(context, state, step, { attempt, at, clone }),
    clone,
    at,
    read: (output) => decodeFindingsBlocks(output, { root: clone.directory }),
  });
  if (looked.kind !== "done") return looked;
  sayOmitted(context, looked.value.output);
  const finder = { kind: "bug", reviewer: "tester", level: "blocking", clone, at } as const;
  const bugs = await takeFindings(looked.value.output, finder);
  if (kept.length > 0) {
    need(await clone.syncTo(at));
    return { kind: "done", value: { bugs, commits: kept, at } };
  }
  const isLastTry = lastFailure === CONFLICT;
  return publishTests(context, step, { clone, at, bugs, isLastTry });
}

/** The turn is run once more for it, from the same commit; then it ends without commits. */
const CONFLICT = "the tests do not fit on the branch any more";

async function turnOf(
  { templates, home }: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  { attempt, at, clone }: { readonly attempt: number; readonly at: Oid; readonly clone: Clone },
): Promise<Omit<Turn, "ask" | "cwd">> {
  const start = step.kind === "test" ? step.milestone.start : state.branch.base;
  const changed = need(await clone.changedPaths(start, at));
  const milestone = step.kind === "test" ? step.milestone.name : undefined;
  const purpose = step.kind;
  return {
    purpose,
    unit: step.unit,
    attempt,
    prompt: templates.render(purpose, {
      request: home.request,
      milestone: milestone ?? "",
      start_sha: start,
      end_sha: at,
      changed_files: changed.map(({ path }) => `- ${path}`).join("\n"),
      answers: answerTo(step.unit, state.tester.questions, state.human.answers),
    }),
    about: { milestone, startSha: start, endSha: at },
  };
}

interface Found {
  readonly clone: Clone;
  readonly at: Oid;
  readonly bugs: readonly Finding[];
  readonly isLastTry: boolean;
}

/** What the turn left in test paths becomes one commit; work outside them is refused, and saved. */
async function publishTests(
  context: RoleContext<"tester">,
  step: TestStep,
  found: Found,
): Promise<Attempted<Tested>> {
  const { clone, at, bugs } = found;
  const made = await clone.squashSince(at, subjectOf(step));
  if (!made.ok) {
    return { kind: "failed", reason: `what the turn left is no commit: ${made.failure.message}` };
  }
  const none: Attempted<Tested> = { kind: "done", value: { bugs, commits: [], at } };
  if (made.value === undefined) return none;
  const outside = await pathsOutside(context, found, made.value);
  if (outside.length > 0) {
    await refuse(context, clone, `a tester may only commit tests, not ${outside.join(", ")}`);
    return none;
  }
  const { journal } = context;
  const published = await publishUnit(context, {
    unit: step.unit,
    clone,
    intend: (shas) => {
      const time = journal.time();
      journal.append({ kind: "push.intent", time, unit: step.unit, shas: [...shas] });
    },
  });
  switch (published.kind) {
    case "stopped":
      return published;
    case "published":
      return { kind: "done", value: { bugs, commits: published.shas, at: published.head } };
    default:
      await refuse(context, clone, CONFLICT);
      return found.isLastTry ? none : { kind: "failed", reason: CONFLICT };
  }
}

/** Looked at in both directions: a file that is moved among the tests is named by where it went. */
async function pathsOutside(
  { session }: RoleContext<"tester">,
  { clone, at }: Found,
  made: Oid,
): Promise<readonly string[]> {
  const isTest = testPathMatcher(session.testPaths);
  const changed = [
    ...need(await clone.changedPaths(at, made)),
    ...need(await clone.changedPaths(made, at)),
  ];
  return [...new Set(changed.map(({ path }) => path))].filter((path) => !isTest(path));
}

async function refuse(
  { journal }: RoleContext<"tester">,
  clone: Clone,
  reason: string,
): Promise<void> {
  const { rescue = "nothing" } = need(await clone.rescueAndReset());
  // The reference first: names of files may be many.
  const text = clip(`refused, and saved as ${rescue}: ${reason}`);
  journal.append({ kind: "note", time: journal.time(), text });
}

function subjectOf(step: TestStep): string {
  return step.kind === "test"
    ? clip(`test: cover ${step.milestone.name}`)
    : "test: cover the whole";
}
