import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../../src/base/assert.ts";
import { claudeEvents } from "../../../src/engines/claude/claude-events.ts";
import { codexEvents } from "../../../src/engines/codex/codex-events.ts";
import { copilotEvents } from "../../../src/engines/copilot/copilot-events.ts";
import type { EngineEvent, ParseLine } from "../../../src/engines/events/engine-event.ts";
import { EventReader } from "../../../src/engines/events/event-reader.ts";
import type { TurnFailure } from "../../../src/engines/judge/failure-class.ts";
import { geminiEvents } from "../../../src/engines/gemini/gemini-events.ts";
import { whyFailed, type TurnEnd } from "../../../src/engines/judge/judge-end.ts";
import { opencodeEvents } from "../../../src/engines/opencode/opencode-events.ts";
import {
  addEvent,
  NOTHING_REPORTED,
  type TurnReport,
} from "../../../src/engines/events/turn-report.ts";

const DIRECTORY = join(import.meta.dirname, "../../fixtures/transcripts");

const PARSERS: Readonly<Record<string, ParseLine>> = {
  claude: claudeEvents,
  codex: codexEvents,
  copilot: copilotEvents,
  gemini: geminiEvents,
  opencode: opencodeEvents,
};

export const NOW_MS = Date.parse("2026-11-21T00:00:00Z");

/** All transcripts, by name without the extension. */
export function transcriptNames(): readonly string[] {
  return readdirSync(DIRECTORY).flatMap((name) =>
    name.endsWith(".jsonl") ? [name.slice(0, -".jsonl".length)] : [],
  );
}

export function transcript(name: string): Uint8Array {
  return readFileSync(join(DIRECTORY, `${name}.jsonl`));
}

function engineOf(name: string): string {
  return present(name.split("-")[0], "a transcript's name begins with its CLI");
}

export function eventsIn(name: string, bytes = transcript(name)): readonly EngineEvent[] {
  const reader = new EventReader(present(PARSERS[engineOf(name)], `${name} has a parser`));
  return [...reader.push(bytes), ...reader.end()];
}

export function reportOf(name: string, bytes?: Uint8Array): TurnReport {
  const steps = engineOf(name) === "opencode" ? "sum" : "last";
  return eventsIn(name, bytes).reduce(
    (report, event) => addEvent(report, event, steps),
    NOTHING_REPORTED,
  );
}

export function exited(exitCode: number): TurnEnd {
  return { kind: "exited", exitCode };
}

/** Why the turn of a transcript failed, had it ended so; `undefined` for a success. */
export function judged(
  name: string,
  end: TurnEnd,
  { bytes, stderr = "" }: { bytes?: Uint8Array; stderr?: string } = {},
): TurnFailure | undefined {
  return whyFailed({ report: reportOf(name, bytes), end, stderr, nowMs: NOW_MS });
}
