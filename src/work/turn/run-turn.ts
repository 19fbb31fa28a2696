import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Engine, TurnOutcome } from "../../engines/engine.ts";
import type { WantedEngine } from "../../session/state/session-state.ts";
import { engineFor, turnHold, type TurnView } from "../../session/steps/turn-gate.ts";
import { afterTurn, type AfterTurn } from "./after-turn.ts";
import { askEngine, cleanName, type EngineCall } from "./ask-engine.ts";
import { clip } from "../clip.ts";
import type { RoleTurn, TurnContext } from "./turn.ts";

const STOPPED: TurnOutcome = { kind: "stopped" };

/**
 * Runs and records a turn with the first of the role's engines that is not held, and resumes a session if possible. A
 * failure that is not the fault of the work (no login, a limit, a provider that is down) costs no attempt: the turn is
 * run again, with another engine, or later. Returns `stopped` if no turn is possible now; the unit stays open.
 */
export async function runTurn(context: TurnContext, turn: RoleTurn): Promise<TurnOutcome> {
  const { role, ports, signal } = context;
  let isFresh = false;
  for (let retries = 0; ; retries++) {
    const view = need(context.reader.readTurns());
    const nowMs = ports.clock.nowMs();
    const wanted = { role, ...wantedBy(context, turn) };
    const found = engineFor(view, wanted, nowMs);
    const isHeld = turnHold(view, { ...wanted, milestone: turn.milestone }, nowMs) !== undefined;
    if (isHeld || "kind" in found || signal.aborted) return STOPPED;
    const { model } = found;
    const engine = engineNamed(context, found.engine);
    const resume = isFresh ? undefined : sessionFor(view, context, turn, engine);
    const call = { engine, model, resume, retries, view };
    const outcome = await askEngine(context, turn, call);
    const next = decideNext(context, outcome, call);
    if (next.kind === "accept") return outcome;
    if (next.kind === "hold") recordHold(context, { call, next, outcome });
    else await ports.clock.sleep(next.delayMs, signal);
    if (next.kind === "hold" && next.isAttempt === true) return asAttempt(outcome);
    isFresh = next.kind === "retry" && (isFresh || next.isFresh);
  }
}

/** A failure that counts, although it would not by its class. */
function asAttempt(outcome: TurnOutcome): TurnOutcome {
  if (outcome.kind !== "failed") return outcome;
  const why =
    "it said so too often in a row, with no answer since, for this not to count as an attempt";
  return { ...outcome, reason: `${outcome.reason} (${why})` };
}

/** What the turn asks for. If the session does not have its engine, the model is not asked for either: it belongs to that. */
function wantedBy({ engines }: TurnContext, { engine, model }: RoleTurn): WantedEngine {
  const isThere = engine === undefined || engines.some(({ name }) => name === engine);
  return isThere ? { engine, model } : {};
}

function engineNamed({ engines }: TurnContext, name: string): Engine {
  return present(
    engines.find((engine) => engine.name === name) ?? engines[0],
    "a role has an engine",
  );
}

/**
 * The session to resume: the unit's own, otherwise that of the first known unit in `resumes`. None that was held before
 * the last move: the engine keeps it on the machine that was left.
 */
function sessionFor(
  { facts, human }: TurnView,
  { role }: TurnContext,
  { unit, part, resumes = [], goesOnWith }: RoleTurn,
  engine: Engine,
): string | undefined {
  for (const key of [unit, ...resumes]) {
    const known = facts.sessionOf(role, key, part, engine.name);
    const isHere = (known?.beganMs ?? Infinity) > (human.movedMs ?? -Infinity);
    if (known !== undefined && isHere) return known.session;
  }
  if (human.moved !== undefined) return undefined;
  return goesOnWith?.engine === engine.name ? goesOnWith.session : undefined;
}

function decideNext(
  { role, ports, random }: TurnContext,
  outcome: TurnOutcome,
  { engine, resume, retries, view }: EngineCall,
): AfterTurn {
  return afterTurn(outcome, {
    isResumed: resume !== undefined,
    retries,
    limits: view.facts.limitsOf(role, engine.name),
    wordHolds: view.facts.wordHoldsOf(role, engine.name),
    nowMs: ports.clock.nowMs(),
    random: random(),
  });
}

interface HoldToRecord {
  readonly call: EngineCall;
  readonly next: Extract<AfterTurn, { kind: "hold" }>;
  readonly outcome: TurnOutcome;
}

/** Records a hold. All roles obey it, also after a restart. */
function recordHold({ journal }: TurnContext, { call, next, outcome }: HoldToRecord): void {
  const { engine, model, view } = call;
  const { cause, untilMs, end } = next;
  const isOfModel = outcome.kind === "failed" && outcome.isOfModel === true;
  journal.append({
    kind: "limited",
    time: journal.time(),
    engine: engine.name,
    of: isOfModel ? "model" : undefined,
    model: isOfModel ? cleanName(model) : undefined,
    cause,
    until: untilMs === undefined ? undefined : new Date(untilMs).toISOString(),
    end,
    evidence: outcome.kind === "failed" ? outcome.evidence : undefined,
    human: view.human.events.length,
    reason: outcome.kind === "failed" ? clip(outcome.reason) : "",
  });
}
