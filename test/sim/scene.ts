import type { FreeSpace } from "../../src/base/ports/directories.ts";
import type { Sandbox } from "../../src/base/ports/sandbox.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import type { Random } from "../rig/random.ts";
import type { AskedQuestion } from "./append-checks.ts";
import {
  BUG_COMMAND,
  bugRun,
  engineTurn,
  steadyTurn,
  type EngineWorld,
  type Play,
} from "./engine-turn.ts";
import type { Troubles } from "./fate.ts";
import type { Tree } from "./sim-repository.ts";
import type { SimEngines } from "./role-process.ts";
import { sessionOf, steadily } from "./sim-settings.ts";

/** A command of the project's, or of a bug, that a role runs. */
export interface CommandWorld {
  readonly argv: readonly string[];
  /** The files of the tree in which it runs. */
  readonly work: Tree;
  /** The mark of its processes, which tells whose it is. */
  readonly runId: string;
  /** Whether no other program's ports are in its way. */
  readonly hasOwnLoopback: boolean;
  readonly random: Random;
}

/** What differs between the kinds of simulated sessions: the project, what programs do, what people say, what fails. */
export interface Scene {
  /** The files of the session's base; absent: one for each byte value, as places for remarks. */
  readonly files?: Tree;
  readonly session: (base: string) => SessionJson;
  /** What fails besides programs. */
  readonly troubles: Troubles;
  /** Whether people do more than answer questions. */
  readonly hasPeople: boolean;
  readonly turn: (world: EngineWorld) => Play;
  /** Undefined: the program is an engine. */
  readonly command: (world: CommandWorld) => Play | undefined;
  /** What a person answers; undefined if nobody answers: then the session may end with the question. */
  readonly answerTo: (question: AskedQuestion) => string | undefined;
  readonly spaceAt?: () => FreeSpace | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** When it begins, in milliseconds since 1970, and the time zone of the machine. */
  readonly startMs?: number;
  readonly zone?: string;
  /** Absent: a program of the user's own. */
  readonly engines?: SimEngines | undefined;
}

/** Everything fails and people interfere, as the seed decides. */
export function wildScene(seed: number): Scene {
  return {
    session: (base) => sessionOf(seed, base),
    troubles: "all",
    hasPeople: true,
    turn: engineTurn,
    command: wildCommand,
    answerTo: () => "Yes.",
  };
}

/** Nothing fails, nobody interferes, and no findings are made. */
export function steadyScene(plan: string): Scene {
  return {
    session: (base) => steadily(sessionOf(1, base)),
    troubles: "none",
    hasPeople: false,
    turn: (world) => steadyTurn(world, plan),
    command: wildCommand,
    answerTo: () => "Yes.",
  };
}

/** The project's commands, and those of bugs. */
function wildCommand({ argv, work, random }: CommandWorld): Play | undefined {
  const [executable, name = ""] = argv;
  if (executable === "verify") return verifyRun(work, random);
  return executable === BUG_COMMAND ? bugRun(work, name, random) : undefined;
}

function* verifyRun(work: Tree, random: Random): Play {
  yield random.between(5, 200);
  const isRed = work.has("broken");
  return { exitCode: isRed ? 1 : 0, stdout: isRed ? "not ok 1 - broken\n" : "ok\n" };
}
