import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { PlanAnswer } from "../../src/session/state/fold-planner.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import type { BuilderStep } from "../../src/session/steps/step.ts";
import { builderRecovery, ownCommits } from "./builder-turn.ts";
import { baseMoves } from "./base-moves.ts";
import type { Move } from "./move.ts";
import { BASE, NOTHING, TIME } from "./names.ts";
import { sessionState, type State, type World } from "./world.ts";

/**
 * The moves to which the builder's next step may lead. Record fields that no fold reads and no decision depends on
 * (the roles that were waited for, the items open at the end) stay empty: they would only make equal states look
 * different.
 */
export function builderMoves(world: World, state: State, step: BuilderStep): readonly Move[] {
  if (step.kind === "base") return baseMoves(state, step, world.policy.redBase);
  const move = builderMove(world, state, step);
  return move === undefined ? [] : [move];
}

function builderMove(
  world: World,
  state: State,
  step: Exclude<BuilderStep, { readonly kind: "base" }>,
): Move | undefined {
  switch (step.kind) {
    case "wait":
    case "exit":
      return undefined;
    case "recover":
      return state.build.unit && builderRecovery(world, state, state.build.unit);
    case "fix": {
      const { ids, attempt, unit } = step;
      const build = world.builds.at({ kind: "fix", unit, ids, attempt }, "turn");
      return { label: `B begin fix ${ids.join("+")}`, build };
    }
    case "build":
      return beginBuild(world, state, step);
    case "hint": {
      const { milestone, attempts, stalled, unit } = step;
      const hint = { kind: "hint", unit, m: milestone.name, attempts, stalled } as const;
      return { label: `B begin hint ${milestone.name}`, build: world.builds.at(hint, "turn") };
    }
    case "remote": {
      const build = world.builds.at({ kind: "remote", unit: step.unit }, "turn");
      return { label: `B begin ${step.unit}`, build };
    }
    default:
      return { label: labelOf(step), builder: state.builder.grow(recordOf(state, step)) };
  }
}

/**
 * A killed builder whose unit left no commits adopts a person's edit before it runs the unit again, because the unit
 * may no longer be in the plan.
 */
export function editAfterRecovery(world: World, state: State): readonly Move[] {
  const { unit, open } = state.build;
  if (unit === undefined || open === undefined || state.human.fold.edit === undefined) return [];
  const isTurn = builderRecovery(world, state, unit).build?.stage === "turn";
  const session = sessionState(world, state);
  const builder = { ...session.builder, open: { ...open, isRecovered: true } };
  const step = coordinate("builder", { ...session, builder }, 0);
  if (!isTurn || step.kind !== "adopt-edit") return [];
  const label = `${labelOf(step)} instead of ${unit.unit}`;
  return [{ label, builder: state.builder.grow(recordOf(state, step)), build: world.builds.idle }];
}

type Appends = Exclude<
  BuilderStep,
  { readonly kind: "wait" | "exit" | "recover" | "fix" | "build" | "hint" | "base" | "remote" }
>;

function beginBuild(
  world: World,
  state: State,
  { milestone, unit }: Extract<BuilderStep, { kind: "build" }>,
): Move {
  const ticked = state.builder.fold.ticks.get(milestone.name)?.size ?? 0;
  const own = ownCommits(state.branch, milestone.name);
  const build = world.builds.at({ kind: "build", unit, milestone, ticked, own }, "turn");
  return { label: `B begin build ${milestone.name}`, build };
}

function recordOf(state: State, step: Appends): BuilderRecord {
  const at = { time: TIME };
  const head = state.branch.fold.head ?? BASE;
  switch (step.kind) {
    case "reopen":
      return { kind: "reopen", ...at, human: step.human, by: NOTHING };
    case "adopt":
      return adoptRecord(step.answer);
    case "refuse": {
      const plan = step.answer.staged?.plan ?? NOTHING;
      const { reason, request } = step;
      const seen = request === undefined ? {} : { request };
      return { kind: "plan.refuse", ...at, seq: step.answer.seq, plan, reason, ...seen };
    }
    case "adopt-edit": {
      const { index: human, plan, request, milestones } = step.edit;
      const ticks = [...step.ticks];
      return {
        kind: "plan.adopt",
        ...at,
        human,
        plan,
        request,
        milestones: [...milestones],
        ticks,
      };
    }
    case "refuse-edit": {
      const { index: human, plan } = step.edit;
      return { kind: "plan.refuse", ...at, human, plan, reason: step.reason };
    }
    case "accept-base": {
      const { unit, question: by, isBefore } = step;
      const how = isBefore ? ({ how: "settings" } as const) : {};
      return { kind: "base.end", ...at, unit, at: BASE, outcome: "accepted", by, ...how };
    }
    case "leave-remote":
      return { kind: "remote.push", ...at, unit: step.unit, at: head, outcome: "left" };
    case "halt":
      return { kind: "halt", ...at, reason: step.why, explanation: NOTHING };
    case "close": {
      const batches = step.batches.map((batch) => batch.join("+"));
      const round = { fix: [...step.fix], ...(batches.length > 0 && { batches }) };
      return { kind: "drain.close", ...at, cause: step.cause, waiting: [], ...round };
    }
    case "final":
      return { kind: "final.open", ...at, n: step.n, at: BASE };
    case "done": {
      const { how, human } = step;
      const ending = { how, head, open: [], gaveup: [], failed: [...step.failed] };
      return { kind: "done", ...at, ...ending, human, reason: NOTHING };
    }
  }
}

/** The record that puts a staged plan into force. */
export function adoptRecord({ seq, request, staged }: PlanAnswer): BuilderRecord {
  const milestones = [...(staged?.milestones ?? [])];
  const plan = staged?.plan ?? NOTHING;
  return { kind: "plan.adopt", time: TIME, seq, plan, request, milestones };
}

function labelOf(step: Appends): string {
  switch (step.kind) {
    case "adopt":
    case "refuse": {
      const names = step.answer.staged?.milestones.map(({ name }) => name) ?? [];
      return `B ${step.kind} plan ${names.join()}`;
    }
    case "adopt-edit":
    case "refuse-edit":
      return `B ${step.kind} ${step.edit.milestones.map(({ name }) => name).join()}`;
    case "halt":
      return `B gives up: ${step.why}`;
    case "close":
      return `B close window (${step.cause}) fix=[${step.fix.join()}]`;
    case "final":
      return `B open final ${step.n}`;
    case "done":
      return `B done ${step.how}${step.failed.map((role) => `, no ${role}`).join("")}`;
    default:
      return `B ${step.kind}`;
  }
}
