import { ROLES } from "../../src/base/role.ts";
import { claude } from "../../src/engines/claude/claude.ts";
import { codex } from "../../src/engines/codex/codex.ts";
import { createCliEngine } from "../../src/engines/run/cli-engine.ts";
import { createNodeDirectories } from "../../src/host/files/node-directories.ts";
import { decodeLogfmt } from "../../src/fs-protocol/codec/logfmt.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import { steadyTurn, type EngineWorld, type Play } from "./engine-turn.ts";
import {
  answerLines,
  limitAt,
  limitLines,
  nightOf,
  type LimitWindow,
  type Night,
} from "./night.ts";
import type { SimEngines } from "./role-process.ts";
import { steadyScene, type Scene } from "./scene.ts";
import { HOME, STATE } from "./sim-home.ts";
import { SimSession } from "./sim-session.ts";

/** A turn in a night, as its role recorded it. */
interface NightTurn {
  readonly engine: string;
  readonly role: string;
  readonly atMs: number;
  readonly attempt: number;
}

/** What happened in a night. */
export interface NightRun {
  readonly seed: number;
  readonly zone: string;
  readonly windows: readonly (LimitWindow & { readonly toldMs: number | undefined })[];
  readonly turns: readonly NightTurn[];
  /** Records that would be an attempt, or a hold until a person comes. */
  readonly charged: readonly string[];
  readonly ending: string | undefined;
  readonly wrong: string | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** No night's work takes longer. */
const NIGHT_MS_MAX = 4 * 24 * HOUR_MS;
const MILESTONES = 20;

const PLAN = Array.from(
  { length: MILESTONES },
  (_, at) => `## Milestone: Part ${String(at + 1)}\n\n- [ ] Do it\n`,
).join("\n");

/** Simulates a session of the seed's night, with claude and codex as their adapters run them. */
export async function simulateNight(seed: number): Promise<NightRun> {
  const night = nightOf(seed);
  const told = new Map<LimitWindow, number>();
  const session = new SimSession(seed, false, nightScene(night, told));
  session.appended = () => {
    const isOver = session.simulator.nowMs > night.startMs + NIGHT_MS_MAX;
    if (isOver) session.broken("L1", "the night does not end");
  };
  await session.run();
  const lines = ROLES.flatMap((role) => linesOf(session, role));
  const { ending, unsafe, late } = session;
  const wrong = unsafe ?? late;
  return {
    ...{ seed, zone: night.zone, ending },
    windows: night.windows.map((one) => ({ ...one, toldMs: told.get(one) })),
    turns: lines.filter(({ kind }) => kind === "turn.begin").map(({ turn }) => turn),
    charged: lines.filter(({ isCharged }) => isCharged).map(({ line }) => line),
    wrong: wrong && `${wrong.invariant}: ${wrong.what}`,
  };
}

function linesOf(session: SimSession, role: (typeof ROLES)[number]) {
  const text = session.disk.textOf(roleLog(HOME, role)) ?? "";
  return text.split("\n").map((line) => {
    const [time = "", kind = ""] = line.split(" ");
    const decoded = decodeLogfmt(line);
    const fields = decoded.ok ? decoded.value : {};
    const { engine = "", attempt = "1", outcome = "" } = fields;
    const isHeldForGood = kind === "limited" && fields["until"] === undefined;
    const isCharged =
      kind === "attempt.failed" || outcome === "stalled" || attempt !== "1" || isHeldForGood;
    const turn = { engine, role, atMs: Date.parse(time), attempt: Number(attempt) };
    return { line, kind, turn, isCharged };
  });
}

function nightScene(night: Night, told: Map<LimitWindow, number>): Scene {
  const scene = steadyScene(PLAN);
  return {
    ...scene,
    ...{ startMs: night.startMs, zone: night.zone, engines },
    session: (base) => {
      const session = scene.session(base);
      const setting = {
        ...session.engines.builder,
        ...{ name: "claude", argv: ["claude"], turnTimeoutMs: 2 * HOUR_MS },
        fallbacks: [{ name: "codex", argv: ["codex"] }],
      };
      const roles = ROLES.map((role) => [role, setting] as const);
      return { ...session, engines: { ...session.engines, ...Object.fromEntries(roles) } };
    },
    turn: (world) => nightTurn(world, night, told),
  };
}

/** The adapters of the CLIs. */
const engines: SimEngines = (ports, role) =>
  [claude, codex].map((profile, at) =>
    createCliEngine({
      ...{ ...ports, profile, argv: [profile.name], model: undefined, variables: [], env: {} },
      ...{ usesSchema: false, idleTimeoutMs: HOUR_MS },
      directories: { ...createNodeDirectories(), ...ports.directories },
      tmpDirectory: `${STATE}/${role}/tmp-${String(at)}`,
    }),
  );

/** A turn, long if it builds, if the engine is not at its limit. */
function* nightTurn(world: EngineWorld, night: Night, told: Map<LimitWindow, number>): Play {
  const engine = world.argv[0] ?? "";
  yield 2_000;
  const limit = limitAt(night, engine, Date.now());
  if (limit !== undefined) {
    if (!told.has(limit)) told.set(limit, Date.now());
    return { exitCode: 1, stdout: printed(limitLines(night, limit, Date.now())) };
  }
  yield (world.env["WISP_PURPOSE"] === "build" ? 14 : 1) * MINUTE_MS;
  const { exitCode, stdout } = yield* steadyTurn(world, PLAN);
  return { exitCode, stdout: printed(answerLines(engine, stdout === "" ? "Done." : stdout)) };
}

function printed(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
