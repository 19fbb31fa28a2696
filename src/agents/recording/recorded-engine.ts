import type { Engine, TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import type { RecordingOptions } from "./record-turn.ts";
import { recordingDirectory } from "./recording-mark.ts";

/**
 * An engine whose turns are recorded while the session says so: what each did to its clone and to the
 * plan, and what it said, as a turn of a cassette. A turn is one file, written whole when it has ended,
 * and the cassette is made of all of them: whatever is killed, it holds all turns that had ended before
 * the last one. What cannot be recorded is left out; it never keeps a turn from being taken.
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
  // Imported when first recorded: sessions that record nothing do not pay for loading it.
  const { recordTurn } = await import("./record-turn.ts");
  return recordTurn(engine, request, { ...options, directory });
}
