import type { Engine, TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import type { RecordingOptions } from "./record-turn.ts";
import { recordingDirectory } from "./recording-mark.ts";

/**
 * Wraps an engine so that its turns are recorded while recording is on: what each turn did to its clone and to the
 * plan, and its answer, as a turn of a cassette. Each turn is one file, written when the turn has ended, and the cassette is
 * assembled from all of them. If a process is killed, the cassette still holds all turns that had ended before the last
 * one. A turn that cannot be recorded is left out; recording never keeps a turn from running.
 */
export function recordedEngine(engine: Engine, options: RecordingOptions): Engine {
  return { ...engine, turn: (request) => recordedTurn(engine, request, options) };
}

async function recordedTurn(
  engine: Engine,
  request: TurnRequest,
  options: RecordingOptions,
): Promise<TurnOutcome> {
  const directory = recordingDirectory(options.files, options.state);
  if (directory === undefined) return engine.turn(request);
  // Imported on first use: sessions that record nothing do not pay for loading it.
  const { recordTurn } = await import("./record-turn.ts");
  return recordTurn(engine, request, { ...options, directory });
}
