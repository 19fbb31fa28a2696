import { join } from "node:path";
import { lastValueFrom, tap } from "rxjs";
import { assert } from "../../base/assert.ts";
import { REFUSED_CHARS_MAX } from "../../base/limits.ts";
import { traced, tracing, type SpanFacts } from "../../base/ports/trace.ts";
import type { Role } from "../../base/role.ts";
import { refusedWords } from "../../engines/events/call-words.ts";
import type { Engine, TurnOutcome, TurnRecord, TurnRequest } from "../../engines/engine.ts";
import { turnEvents } from "../../engines/events/turn-events.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { TurnUsage, usedByRun, type UsageBefore } from "../../fs-protocol/records/turn-usage.ts";
import type { TurnView } from "../../session/steps/turn-gate.ts";
import { clip } from "../clip.ts";
import { earlierTurns, turnsOfOthers } from "./earlier-turns.ts";
import { noteBrokenServers } from "./note-broken-servers.ts";
import { noteDivergence } from "./note-divergence.ts";
import { noteMeanwhile } from "./note-meanwhile.ts";
import { needRoom } from "./need-room.ts";
import { runIdOf } from "../role-context.ts";
import type { RoleTurn, TurnContext } from "./turn.ts";
import { createTurnFolder, pathIn, RANGE_FILE, removeFolder } from "./turn-folder.ts";

/** One call of an engine. */
export interface EngineCall {
  readonly engine: Engine;
  /** The model that it is asked for; undefined: that of its setting. */
  readonly model: string | undefined;
  /** The engine's session to resume, if any. */
  readonly resume: string | undefined;
  /** How often this turn was run before. */
  readonly retries: number;
  readonly view: TurnView;
}

const STOPPED: TurnOutcome = { kind: "stopped" };

/** Runs an engine once. Records the begin and the end of the turn. */
export function askEngine(
  context: TurnContext,
  turn: RoleTurn,
  call: EngineCall,
): Promise<TurnOutcome> {
  const trace = tracing();
  if (trace === undefined) return runOnce(context, turn, call);
  const { purpose, unit, attempt, part } = turn;
  const facts = { unit, purpose, attempt, part, engine: call.engine.name };
  const of = { category: "turn", name: purpose, facts } as const;
  return trace.span(of, () => runOnce(context, turn, call), outcomeOf);
}

function outcomeOf({ kind }: TurnOutcome): SpanFacts {
  return { outcome: kind };
}

async function runOnce(
  context: TurnContext,
  turn: RoleTurn,
  call: EngineCall,
): Promise<TurnOutcome> {
  const { journal, home, role, signal } = context;
  const { purpose, unit, attempt, part, stalled = 0 } = turn;
  const { engine, resume } = call;
  const output = outputName(role, turn, { time: journal.time(), retries: call.retries });
  createTurnFolder(context.ports, turn.folder);
  journal.append({
    kind: "turn.begin",
    time: journal.time(),
    unit,
    purpose,
    attempt,
    engine: engine.name,
    model: cleanName(call.model),
    stalled: stalled === 0 ? undefined : stalled,
    m: turn.milestone,
    part,
    resume,
    output,
  });
  const before = await context.meanwhile?.begin("turn");
  const request = requestOf(context, turn, { ...call, output });
  const ended = await traced(
    { category: "engine", name: engine.name, facts: { unit, purpose } },
    () => runToEnd(context, engine, request),
  );
  // What cannot be removed now is removed when the next turn begins in this folder, or when the role starts.
  removeFolder(context.ports, turn.folder);
  await noteMeanwhile(context, unit, { before, during: "turn" });
  // The signal that ends this process may also have ended the engine: that is an interruption, not a failure.
  const outcome = ended.kind === "failed" && signal.aborted ? { ...ended, ...STOPPED } : ended;
  if (outcome.kind === "failed") needRoom(context.ports.files, home);
  noteBrokenServers(context, engine.name, outcome);
  noteDivergence(context, turn, outcome);
  journal.append({
    kind: "turn.end",
    time: journal.time(),
    unit,
    output,
    outcome: outcome.kind,
    failure: outcome.kind === "failed" ? outcome.failure : undefined,
    ...recordFields(outcome, usageBefore(call, role, outcome)),
    reason: reasonOf(outcome),
  });
  return outcome;
}

/** Runs the turn to its end. Notes once if the engine has to retry, while the turn still runs. */
async function runToEnd(
  { journal }: TurnContext,
  engine: Engine,
  request: TurnRequest,
): Promise<TurnOutcome> {
  let hasNoted = false;
  const last = await lastValueFrom(
    turnEvents(engine, request).pipe(
      tap((output) => {
        if (output.kind !== "event" || output.event.kind !== "retry" || hasNoted) return;
        hasNoted = true;
        const { message } = output.event.trouble;
        const text = clip(
          `${engine.name} tries again by itself${message === "" ? "" : `: ${message}`}`,
        );
        journal.append({ kind: "note", time: journal.time(), text });
      }),
    ),
    { defaultValue: undefined },
  );
  assert(last?.kind === "outcome", "a turn's last output is its outcome");
  return last.outcome;
}

function requestOf(
  context: TurnContext,
  turn: RoleTurn,
  { engine, model, resume, view, output }: EngineCall & { readonly output: string },
): TurnRequest {
  const { session, home, role, signal } = context;
  const { purpose, unit, attempt, ask, cwd, lane, prompt } = turn;
  const history =
    resume === undefined
      ? earlierTurns(view.facts, role, turn)
      : [GOING_ON, turnsOfOthers(view.facts, role, turn, engine.name)];
  return {
    role,
    purpose,
    session: session.id,
    home: home.directory,
    unit,
    attempt,
    ask,
    // The history comes last: the prompt then begins with what all turns of a purpose share, which providers can cache.
    prompt: [prompt, history]
      .flat()
      .filter((text) => text !== "")
      .join("\n\n"),
    cwd,
    folder: turn.folder.directory,
    range: pathIn(turn.folder, RANGE_FILE) || undefined,
    ...turn.about,
    model,
    resume: resume === undefined ? undefined : { session: resume },
    outputBase: join(home.turns, output),
    runId: runIdOf(home, role, lane),
    isIsolated: session.namespaces ?? true,
    timeoutMs: session.engines[role].turnTimeoutMs,
    signal,
  };
}

/** For a resumed session: an interrupted turn's leftovers are saved and removed before its unit starts again. */
const GOING_ON =
  "You have worked on this before, in this conversation. The working tree may have been set back " +
  "since: see what is there before you go on.";

/** The usage that the engine's session had reported before; undefined if the session began with this turn. */
function usageBefore(
  { engine, resume, view }: EngineCall,
  role: Role,
  { session = resume }: TurnRecord,
): UsageBefore {
  if (resume === undefined || session === undefined) return undefined;
  return { usage: view.facts.reportedBy(role, { engine: engine.name, session: resume }) };
}

/** Reported costs above this are an engine's mistake. */
const USD_MAX = 1_000_000;

/** An engine's report about a turn as fields of a record. Leaves out values that cannot be true. */
export function recordFields(report: TurnRecord, before: UsageBefore) {
  const parsed = TurnUsage.safeParse(report.usage, { jitless: true });
  const usage = parsed.success ? parsed.data : undefined;
  const used = usage === undefined ? undefined : usedByRun(usage, before);
  const isSum = usage !== undefined && (usage.tokensBasis !== "run" || usage.costBasis !== "run");
  const { costUsd } = used ?? {};
  return {
    session: cleanName(report.session),
    model: cleanName(report.model),
    cost: costUsd !== undefined && costUsd < USD_MAX ? costUsd : undefined,
    tokens: used?.tokens,
    reported: isSum ? usage : undefined,
    ...refusalFields(report),
  };
}

function refusalFields({ denials = [] }: TurnRecord) {
  const refused = cleanText(refusedWords(denials), { charsMax: REFUSED_CHARS_MAX, lines: "one" });
  if (denials.length === 0) return {};
  return { denied: denials.length, refused: refused === "" ? undefined : refused };
}

const NAME_CHARS_MAX = 200;

/** The name of a session or a model, if it is safe to record as it is. */
export function cleanName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const clean = cleanText(text, { charsMax: NAME_CHARS_MAX, lines: "one" });
  return clean === "" || clean !== text ? undefined : clean;
}

/** Name of a turn's output files: sorts by time, describes the turn, and is safe whatever the unit's key holds. */
function outputName(
  role: Role,
  { unit, part, ask }: RoleTurn,
  { time, retries }: { readonly time: string; readonly retries: number },
): string {
  const slug = unit.replace(/[^A-Za-z0-9.-]+/g, "_").slice(0, 80);
  const words = [
    time.replace(/[:.]/g, "-"),
    role,
    slug,
    ...(part === undefined ? [] : [part.slice(0, 60)]),
    ...(ask === 1 ? [] : [`ask${String(ask)}`]),
    ...(retries === 0 ? [] : [`retry${String(retries)}`]),
  ];
  return words.join("-");
}

function reasonOf(outcome: TurnOutcome): string | undefined {
  switch (outcome.kind) {
    case "ended":
      return outcome.summary === "" ? undefined : clip(outcome.summary);
    case "needs-input":
    case "blocked":
      return clip(outcome.question);
    case "failed":
      return clip(outcome.reason);
    case "stopped":
      return undefined;
  }
}
