import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../../src/base/assert.ts";
import type { CodingCli } from "../../../src/engines/coding-cli.ts";
import { codingCli } from "../../../src/engines/coding-clis.ts";
import type { EngineEvent } from "../../../src/engines/events/engine-event.ts";
import { EventReader } from "../../../src/engines/events/event-reader.ts";
import type { TurnFailure } from "../../../src/engines/judge/failure-class.ts";
import { whyFailed, type TurnEnd } from "../../../src/engines/judge/judge-end.ts";
import {
  addEvent,
  NOTHING_REPORTED,
  type TurnReport,
} from "../../../src/engines/events/turn-report.ts";

const DIRECTORY = join(import.meta.dirname, "../../fixtures/transcripts");

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

/** A transcript's name begins with its CLI's. */
function cliOf(name: string): CodingCli {
  return present(codingCli(name.replace(/-.*$/u, "")), `${name} is of a CLI that is known`);
}

export function eventsIn(name: string, bytes = transcript(name)): readonly EngineEvent[] {
  const reader = new EventReader(cliOf(name).parse);
  return [...reader.push(bytes), ...reader.end()];
}

export function reportOf(name: string, bytes?: Uint8Array): TurnReport {
  const { usageSteps } = cliOf(name);
  return eventsIn(name, bytes).reduce(
    (report, event) => addEvent(report, event, usageSteps),
    NOTHING_REPORTED,
  );
}

export function exited(exitCode: number): TurnEnd {
  return { kind: "exited", exitCode };
}

/** Why the turn of a transcript failed, assuming that it ended like this; `undefined` for a success. */
export function judged(
  name: string,
  end: TurnEnd,
  { bytes, stderr = "" }: { bytes?: Uint8Array; stderr?: string } = {},
): TurnFailure | undefined {
  const status = end.kind === "exited" ? cliOf(name).statusOf?.(end.exitCode) : undefined;
  return whyFailed({ report: reportOf(name, bytes), end, stderr, status, at: { nowMs: NOW_MS } });
}
