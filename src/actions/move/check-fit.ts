import { isAbsolute, relative } from "node:path";
import { need, CannotGoOn } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import type { Executor, Place } from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { ROLES } from "../../base/role.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { userGit } from "../../git/command/git.ts";
import { askFar, farCommand, type FarProgram } from "../../remote/far-program.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { enginePrograms } from "../settings/session-engines.ts";
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
 * Checks that the engines of a session are at a place, and that git and its sandbox work there. What engines run of the files
 * of the repository comes with it.
 */
export async function checkFit(world: World, session: SessionJson, reach: Reach): Promise<void> {
  const { engines, sandbox, repository } = session;
  const words = ROLES.flatMap((role) => {
    const { fallbacks = [], named = [], ...own } = engines[role];
    return [own, ...fallbacks, ...named].flatMap(({ argv }) => argv);
  });
  const here = [...new Set(words)].filter((word) => isBelow(repository, word));
  const carried = await carriedOf(world, session, here);
  const programs = enginePrograms(engines).filter((name) => !carried.has(name));
  const { executor } = reach;
  const { missing, trouble } = await ask(reach, { version: 1, programs, sandbox });
  const [program] = missing;
  if (program !== undefined) {
    const refusal = here.includes(program)
      ? EngineNotCommitted({ program: relative(repository, program) })
      : ProgramMissingThere({ executor: executor.name, program });
    throw new CannotGoOn(refusal);
  }
  const left = here.find((word) => !carried.has(word) && !programs.includes(word));
  if (left !== undefined && world.host.files.stat(left) !== undefined) {
    throw new CannotGoOn(EngineNotCommitted({ program: relative(repository, left) }));
  }
  if (trouble !== null) throw new CannotGoOn(UnfitThere({ executor: executor.name, trouble }));
}

/** Which of these paths the commit has that the session started from. */
async function carriedOf(
  world: World,
  { repository, base }: SessionJson,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const git = userGit(gitContext(world), repository);
  const carried = new Set<string>();
  for (const path of paths) {
    const words = ["ls-tree", "--full-tree", base, "--", relative(repository, path)];
    if (need(await git.must(words)) !== "") carried.add(path);
  }
  return carried;
}

/** What a person is told if the command there printed no reason. */
const SILENT: Readonly<Record<ProgramEnd["kind"], string>> = {
  exited: "it gave no answer about what the session needs",
  killed: "what tries what the session needs was killed there",
  "timed-out": "it did not say in a minute what of the session's needs it has",
  stopped: "it was stopped",
};

function isBelow(repository: string, path: string): boolean {
  return isAbsolute(path) && path.startsWith(`${repository}/`);
}

async function ask({ executor, place, program }: Reach, asked: FitAsk): Promise<FitAnswer> {
  const command = farCommand(place, program, { cwd: place.root, words: ["far", "fit"] });
  const options = { stdin: `${JSON.stringify(asked)}\n`, timeoutMs: FAR_COMMAND_MS_MAX };
  const { end, stdout } = need(await askFar(executor, place, command, options));
  const answer = FitAnswer.safeParse(jsonOf(stdout));
  if (end.kind === "exited" && end.exitCode === 0 && answer.success) return answer.data;
  const lines = end.stderr.split("\n").filter((line) => line.trim() !== "");
  const said = lines.length > 0 ? lines : [SILENT[end.kind]];
  throw new CannotGoOn(RefusedThere({ executor: executor.name, said }));
}
