import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { jsonOf } from "../../src/base/words/json-text.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { PlaceJson } from "../../src/fs-protocol/home/place-json.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { mayWriteHere } from "../../src/session/rules/handover.ts";
import type { Ended, ProcessSession } from "../rig/process-session.ts";

/** The session that is moved. */
export const MOVED_SESSION = "hello";

const LOADED = pathToFileURL(join(import.meta.dirname, "../fixtures/move/kill-at-point.mjs")).href;

/** A point that a process of a move passes: the index counts from the last change of what the protocol is about. */
export interface MovePoint {
  readonly stage: number;
  readonly index: number;
  /** `mover`, or what the wisp at the place was asked. */
  readonly who: string;
  readonly failpoint: string;
}

/** A move that was killed at a point, or ran through. */
export interface KilledMove {
  readonly ended: Ended;
  /** The points that were passed, of which the last ones may be of a process that the killed one left. */
  readonly points: readonly MovePoint[];
  /** Whether the point was reached. */
  readonly isKilled: boolean;
  /** Which process reached it, and was killed: two run at the same time. */
  readonly who: string | undefined;
}

/** Runs `wisp move`, and kills the process that reaches a point; without one it runs through. */
export async function moveKilledAt(
  rig: ProcessSession,
  to: string,
  point?: Pick<MovePoint, "stage" | "index">,
): Promise<KilledMove> {
  const log = join(rig.root, "points.log");
  rmSync(log, { force: true });
  Object.assign(rig.env, {
    ...{ NODE_OPTIONS: `--import=${LOADED}`, MOVE_POINTS_ROOT: rig.root, MOVE_POINTS_LOG: log },
    ...(point && { MOVE_POINTS_KILL: `${String(point.stage)}:${String(point.index)}` }),
  });
  const ended = await rig.wisp("move", MOVED_SESSION, to);
  for (const name of ["NODE_OPTIONS", "MOVE_POINTS_ROOT", "MOVE_POINTS_LOG", "MOVE_POINTS_KILL"]) {
    Reflect.deleteProperty(rig.env, name);
  }
  const points = pointsIn(log);
  const reached = points.find(({ stage, index }) => {
    return stage === point?.stage && index === point.index;
  });
  return { ended, points, isKilled: reached !== undefined, who: reached?.who };
}

function pointsIn(log: string): readonly MovePoint[] {
  const lines = readFileSync(log, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [stage, index, who = "", failpoint = ""] = line.split(" ");
    return { stage: Number(stage), index: Number(index), who, failpoint };
  });
}

/** The points right before and right after each change of what the protocol is about. */
export function pointsOfChanges(points: readonly MovePoint[]): readonly MovePoint[] {
  return points.filter(({ stage, index }, at) => {
    const next = points[at + 1];
    return (index === 0 && stage > 0) || (next !== undefined && next.stage !== stage);
  });
}

/** The homes of the session: the one here, then those at places. */
export function homesOf(rig: ProcessSession): readonly string[] {
  const places = join(String(rig.env["HOME"]), ".local/state/wisp/places");
  const names = existsSync(places) ? readdirSync(places) : [];
  const far = names.map((name) => join(places, name, "repository/.wisp/sessions", MOVED_SESSION));
  return [rig.home(MOVED_SESSION), ...far];
}

/** The homes of the session that may be written, as the protocol says. */
export function ownersOf(rig: ProcessSession): readonly string[] {
  return homesOf(rig).filter((home) => {
    const log = textOf(join(home, "logs/human.log"));
    if (log === undefined) return false;
    const text = textOf(join(home, "place.json"));
    const place = text === undefined ? undefined : PlaceJson.parse(jsonOf(text));
    return mayWriteHere({ lastMoved: movesIn(log).at(-1), place });
  });
}

/** The `moved` records in the text of a `human.log`. */
export function movesIn(log: string): readonly { readonly to: string; readonly id: string }[] {
  return log.split("\n").flatMap((line) => {
    const decoded = decodeRecord(HumanRecord, line);
    return decoded.ok && decoded.value.kind === "moved" ? [decoded.value] : [];
  });
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
