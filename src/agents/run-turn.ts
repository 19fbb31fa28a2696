import { join } from "node:path";
import { REASON_CHARS_MAX } from "../base/limits.ts";
import type { Role } from "../base/role.ts";
import type { Purpose, TurnOutcome, TurnRequest } from "../engines/engine.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import type { Journal } from "./journal.ts";
import { needRoom } from "./need-room.ts";
import { runIdOf, type RoleContext } from "./role-context.ts";
import type { z } from "zod";
import type { commonRecords } from "../fs-protocol/common-records.ts";

type CommonRecord = z.infer<(typeof commonRecords)[number]>;

/** What differs from turn to turn. */
export interface Turn {
  readonly purpose: Purpose;
  readonly unit: string;
  /** Attempt at the unit, from 1, and which ask of that attempt this is: 2 is a re-ask. */
  readonly attempt: number;
  readonly ask: number;
  readonly prompt: string;
  readonly cwd: string;
  readonly about?: Partial<
    Pick<TurnRequest, "milestone" | "startSha" | "endSha" | "tasksFile" | "finding">
  >;
}

const STOPPED: TurnOutcome = { kind: "stopped" };

/** Runs the role's engine once, on record. */
export async function runTurn(
  context: Omit<RoleContext, "journal"> & { readonly journal: Journal<CommonRecord> },
  turn: Turn,
): Promise<TurnOutcome> {
  const { journal, session, home, role, signal, engine } = context;
  const { purpose, unit, attempt, ask, prompt, cwd } = turn;
  const output = outputName(role, turn, journal.time());
  const name = engine.name;
  journal.append({
    kind: "turn.begin",
    time: journal.time(),
    unit,
    purpose,
    attempt,
    engine: name,
    output,
  });
  const ended = await engine.turn({
    role,
    purpose,
    session: session.id,
    home: home.directory,
    unit,
    attempt,
    ask,
    prompt,
    cwd,
    ...turn.about,
    outputBase: join(home.turns, output),
    runId: runIdOf(home, role),
    timeoutMs: session.engines[role].turnTimeoutMs,
    signal,
  });
  // Whoever ends this process may have ended the engine beside it: an interruption, no failure.
  const outcome = ended.kind === "failed" && signal.aborted ? STOPPED : ended;
  if (outcome.kind === "failed") needRoom(context.ports.files, home);
  journal.append({
    kind: "turn.end",
    time: journal.time(),
    unit,
    outcome: outcome.kind,
    reason: reasonOf(outcome),
  });
  return outcome;
}

/** Sorts by time, tells what it is about, and is a safe file name whatever the unit's key holds. */
function outputName(role: Role, turn: Turn, time: string): string {
  const slug = turn.unit.replace(/[^A-Za-z0-9.-]+/g, "_").slice(0, 80);
  return `${time.replace(/[:.]/g, "-")}-${role}-${slug}`;
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

/** A text of the world as one bounded line of a record. */
export function clip(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}
