import { present } from "../base/assert.ts";
import { need } from "../base/fatal.ts";
import { REASON_CHARS_MAX } from "../base/limits.ts";
import type { Engine, Purpose, TurnOutcome, TurnRequest } from "../engines/engine.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import { engineFor, turnHold, type TurnView } from "../streams/turn-gate.ts";
import { afterTurn, type AfterTurn } from "./after-turn.ts";
import { askEngine, type Asking } from "./ask-engine.ts";
import type { Journal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";
import type { z } from "zod";
import type { commonRecords } from "../fs-protocol/common-records.ts";

type CommonRecord = z.infer<(typeof commonRecords)[number]>;

/** What a turn needs of its role. */
export type TurnContext = Omit<RoleContext, "journal"> & {
  readonly journal: Journal<CommonRecord>;
};

/** What differs from turn to turn. */
export interface Turn {
  readonly purpose: Purpose;
  readonly unit: string;
  /** Attempt at the unit, from 1, and which ask of that attempt this is: 2 is a re-ask. */
  readonly attempt: number;
  readonly ask: number;
  readonly prompt: string;
  readonly cwd: string;
  /** For which milestone it is counted (`milestoneOf`). */
  readonly milestone: string | undefined;
  /**
   * Units whose engine session it goes on with, after its own: the first that is known. A unit of its own
   * that was begun before is resumed anyway.
   */
  readonly resumes?: readonly string[] | undefined;
  /** Where several run at the same time: which of them, and a word that tells their outputs apart. */
  readonly lane?: number | undefined;
  readonly part?: string | undefined;
  /** Instead of the role's own. */
  readonly model?: string | undefined;
  readonly about?: Partial<
    Pick<TurnRequest, "milestone" | "startSha" | "endSha" | "tasksFile" | "finding">
  >;
}

const STOPPED: TurnOutcome = { kind: "stopped" };

/**
 * Runs a turn of the role's engine, on record: the first of its engines that may be asked, resuming what
 * it can. What is no fault of the work (no login, a limit, a provider that is down) costs no attempt: it
 * is tried again, by another engine, or later. `stopped`: there is no turn for now, and the unit stays open.
 */
export async function runTurn(context: TurnContext, turn: Turn): Promise<TurnOutcome> {
  const { role, ports, signal } = context;
  let isFresh = false;
  for (let retries = 0; ; retries++) {
    const view = need(context.reader.readTurns());
    const nowMs = ports.clock.nowMs();
    const name = engineFor(view, role, nowMs);
    const isHeld = turnHold(view, { role, milestone: turn.milestone }, nowMs) !== undefined;
    if (isHeld || typeof name !== "string" || signal.aborted) return STOPPED;
    const engine = engineNamed(context, name);
    const resume = isFresh ? undefined : sessionFor(view, context, turn, engine);
    const outcome = await askEngine(context, turn, { engine, resume, retries, view });
    const next = decideNext(context, outcome, { engine, resume, retries, view });
    if (next.kind === "take") return outcome;
    if (next.kind === "hold") hold(context, { engine, next, outcome, view });
    else await ports.clock.sleep(next.delayMs, signal);
    isFresh = next.kind === "again" && (isFresh || next.isFresh);
  }
}

function engineNamed({ engines }: TurnContext, name: string): Engine {
  return present(
    engines.find((engine) => engine.name === name) ?? engines[0],
    "a role has an engine",
  );
}

/** The session to go on with: of the unit itself, else of the first of those before it. */
function sessionFor(
  { facts }: TurnView,
  { role }: TurnContext,
  { unit, part, resumes = [] }: Turn,
  engine: Engine,
): string | undefined {
  for (const key of [unit, ...resumes]) {
    const known = facts.sessionOf(role, key, part);
    if (known?.engine === engine.name) return known.session;
  }
  return undefined;
}

function decideNext(
  { role, ports, random }: TurnContext,
  outcome: TurnOutcome,
  { engine, resume, retries, view }: Asking,
): AfterTurn {
  return afterTurn(outcome, {
    isResumed: resume !== undefined,
    retries,
    limits: view.facts.limitsOf(role, engine.name),
    nowMs: ports.clock.nowMs(),
    random: random(),
  });
}

interface Holding {
  readonly engine: Engine;
  readonly next: Extract<AfterTurn, { kind: "hold" }>;
  readonly outcome: TurnOutcome;
  readonly view: TurnView;
}

/** A fact that all roles obey, and that outlives them. */
function hold({ journal }: TurnContext, { engine, next, outcome, view }: Holding): void {
  const { cause, untilMs } = next;
  journal.append({
    kind: "limited",
    time: journal.time(),
    engine: engine.name,
    cause,
    until: untilMs === undefined ? undefined : new Date(untilMs).toISOString(),
    human: view.human.events.length,
    reason: outcome.kind === "failed" ? clip(outcome.reason) : "",
  });
}

/** A text of the world as one bounded line of a record. */
export function clip(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}
