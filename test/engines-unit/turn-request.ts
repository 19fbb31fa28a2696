import type { TurnRequest } from "../../src/engines/engine.ts";

/** A turn with every optional field absent, run in `directory`. */
export function turnRequest(directory: string, fields: Partial<TurnRequest> = {}): TurnRequest {
  return {
    role: "builder",
    purpose: "build",
    session: "demo",
    home: `${directory}/home`,
    unit: "build:API:1",
    attempt: 1,
    ask: 1,
    prompt: "Build the API.",
    cwd: directory,
    outputBase: `${directory}/turn`,
    runId: directory,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...fields,
  };
}
