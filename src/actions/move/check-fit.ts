import { need, CannotGoOn } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import type { Executor, Place } from "../../base/ports/executor.ts";
import { shown } from "../../base/words/shown.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { askFar, type FarProgram } from "../../remote/far-program.ts";

/** A place lacks a program that the roles of a session run. */
export const ProgramMissingThere = refusal(
  "program-missing-there",
  EXIT.failure,
  ({ executor, program }: { readonly executor: string; readonly program: string }) => [
    `${shown(executor)} has no ${shown(program)}, which this session runs. The session is where it was.`,
    "Install it there, on the PATH of a login shell, then run the same command again.",
  ],
);

/** Checks that the engines of a session, and its sandbox, are at a place. */
export async function checkFit(
  { engines, sandbox }: SessionJson,
  reach: { readonly executor: Executor; readonly place: Place; readonly program: FarProgram },
): Promise<void> {
  const { executor, place, program } = reach;
  const first = Object.values(engines).flatMap(({ argv }) => argv.slice(0, 1));
  const isBoxed = sandbox?.kind === "bubblewrap";
  const names = new Set([...first, ...(isBoxed ? ["bwrap"] : [])]);
  for (const name of names) {
    const argv = ["sh", "-c", 'command -v -- "$1" >/dev/null', "wisp", name] as const;
    const command = { argv, env: { PATH: program.path } };
    const { end } = need(await askFar(executor, place, command, { timeoutMs: FAR_COMMAND_MS_MAX }));
    if (end.kind === "exited" && end.exitCode === 0) continue;
    throw new CannotGoOn(ProgramMissingThere({ executor: executor.name, program: name }));
  }
}
