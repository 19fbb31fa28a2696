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
  readonly clone: Clone;
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
  const clone = await context.clone();
  const own = state.tester;
  const open = own.openUnit?.unit === step.unit ? own.openUnit : undefined;
  const unit = { key: step.unit, failures: open?.failures ?? 0, lastFailure: open?.lastFailure };
  return attemptUnit(context, unit, (attempt) =>
    testOnce(context, state, { step, attempt, place: { clone, at, kept } }),
  );
}

interface Once {
  readonly step: TestStep;
  readonly attempt: number;
  readonly place: TestPlace;
}

async function testOnce(
  context: RoleContext<"tester">,
  state: SessionState,
  { step, attempt, place }: Once,
): Promise<Attempted<Tested>> {
  const { clone, at, kept } = place;
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
  return publishTests(context, step, { clone, at, bugs });
}

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
}

/** What the turn left in test paths becomes one commit; work outside them is refused, and saved. */
async function publishTests(
  context: RoleContext<"tester">,
  step: TestStep,
  { clone, at, bugs }: Found,
): Promise<Attempted<Tested>> {
  const { journal, session } = context;
  const made = need(await clone.squashSince(at, subjectOf(step)));
  if (made === undefined) return { kind: "done", value: { bugs, commits: [], at } };
  const isTest = testPathMatcher(session.testPaths);
  const outside = need(await clone.changedPaths(at, made)).filter(({ path }) => !isTest(path));
  if (outside.length > 0) {
    const { rescue } = need(await clone.rescueAndReset());
    const paths = outside.map(({ path }) => path).join(", ");
    const text = clip(`refused: a tester may only commit tests, not ${paths} (saved as ${rescue})`);
    journal.append({ kind: "note", time: journal.time(), text });
    return { kind: "done", value: { bugs, commits: [], at } };
  }
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
    default: {
      need(await clone.rescueAndReset());
      return { kind: "failed", reason: "the tests do not fit on the branch any more" };
    }
  }
}

function subjectOf(step: TestStep): string {
  return step.kind === "test"
    ? clip(`test: cover ${step.milestone.name}`)
    : "test: cover the whole";
}
