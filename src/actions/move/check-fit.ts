import { isAbsolute, relative } from "node:path";
import { need, CannotGoOn } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import type { Executor, Place } from "../../base/ports/executor.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { userGit } from "../../git/command/git.ts";
import { askFar, farCommand, type FarProgram } from "../../remote/far-program.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { RefusedThere } from "../elsewhere/say-there.ts";
import { FitAnswer, type FitAsk } from "./fit.ts";

/** A place lacks a program that the roles of a session run. */
export const ProgramMissingThere = refusal(
  "program-missing-there",
  EXIT.failure,
  ({ executor, program }: { readonly executor: string; readonly program: string }) => [
    `${shown(executor)} has no ${shown(program)}, which this session runs. The session is where it was.`,
    "Install it there, on the PATH of a login shell, then run the same command again.",
  ],
);

/** Something else that a session runs with does not work at a place. */
export const UnfitThere = refusal(
  "unfit-there",
  EXIT.failure,
  ({ executor, trouble }: { readonly executor: string; readonly trouble: string }) => [
    `This session cannot run on ${shown(executor)}: ${shown(trouble)}. The session is where it was.`,
    "Correct that there, then run the same command again.",
  ],
);

/** An engine is a file of the checkout that a place would not have. */
export const EngineNotCommitted = refusal(
  "engine-not-committed",
  EXIT.failure,
  ({ program }: { readonly program: string }) => [
    `${shown(program)}, which this session runs, is not in the commit that the session started from, so no other machine has it. The session is where it was.`,
    "Let it end there; commit the file before you start another one.",
  ],
);

/** Where a session is to run. */
interface Reach {
  readonly executor: Executor;
  readonly place: Place;
  readonly program: FarProgram;
}

/**
 * Checks that the engines of a session are at a place, and that git and its sandbox work there. An engine that is a file of the
 * repository comes with it.
 */
export async function checkFit(world: World, session: SessionJson, reach: Reach): Promise<void> {
  const { engines, sandbox, repository, base } = session;
  const first = new Set(Object.values(engines).flatMap(({ argv }) => argv.slice(0, 1)));
  const own = [...first].filter((name) => isBelow(repository, name));
  for (const name of own) {
    const path = relative(repository, name);
    const printed = await userGit(gitContext(world), repository).must([
      ...["ls-tree", "--full-tree", base, "--"],
      path,
    ]);
    if (need(printed) === "") throw new CannotGoOn(EngineNotCommitted({ program: path }));
  }
  const programs = [...first].filter((name) => !own.includes(name));
  const { executor } = reach;
  const { missing, trouble } = await ask(reach, { version: 1, programs, sandbox });
  const [program] = missing;
  if (program !== undefined) {
    throw new CannotGoOn(ProgramMissingThere({ executor: executor.name, program }));
  }
  if (trouble !== null) throw new CannotGoOn(UnfitThere({ executor: executor.name, trouble }));
}

function isBelow(repository: string, path: string): boolean {
  return isAbsolute(path) && path.startsWith(`${repository}/`);
}

async function ask({ executor, place, program }: Reach, asked: FitAsk): Promise<FitAnswer> {
  const command = farCommand(place, program, { cwd: place.root, words: ["far", "fit"] });
  const options = { stdin: `${JSON.stringify(asked)}\n`, timeoutMs: FAR_COMMAND_MS_MAX };
  const { end, stdout } = need(await askFar(executor, place, command, options));
  const answer = FitAnswer.safeParse(jsonOf(stdout));
  if (end.kind === "exited" && end.exitCode === 0 && answer.success) return answer.data;
  const said = end.stderr.trim().split("\n");
  throw new CannotGoOn(RefusedThere({ executor: executor.name, said }));
}
