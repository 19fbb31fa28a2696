import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../base/late-object.ts";
import { NonEmpty } from "../base/plain-values.ts";
import {
  PLACE_VARIABLE,
  type Executor,
  type ExecutorFailure,
  type FarCommand,
  type FarStreams,
  type Place,
} from "../base/ports/executor.ts";
import type { ProgramEnd } from "../base/ports/programs.ts";
import type { Result } from "../base/result.ts";

/** `far.json` below the root of a place: the wisp that was installed there. All paths are absolute, and are there. */
export const FarProgram = lateObject(() => ({
  version: z.literal(1),
  /** The digest of the installed wisp. */
  digest: NonEmpty,
  node: NonEmpty,
  /** The program's script. */
  entry: NonEmpty,
  /** The work tree of the session. */
  repository: NonEmpty,
  /** What `XDG_STATE_HOME` is there. */
  state: NonEmpty,
  /** What `PATH` is there, as a login shell of the user sets it. */
  path: NonEmpty,
}));
export type FarProgram = z.infer<typeof FarProgram>;

/** Where `far.json` is. */
export function farProgramPath({ root }: Place): string {
  return join(root, "far.json");
}

/** The command line of a wisp at a place. */
export function farCommand(
  place: Place,
  { node, entry, state, path }: FarProgram,
  { cwd, words }: { readonly cwd: string; readonly words: readonly string[] },
): FarCommand {
  return {
    argv: [node, entry, ...words],
    cwd,
    env: { PATH: path, XDG_STATE_HOME: state, [PLACE_VARIABLE]: place.root },
  };
}

/** What a command at a place printed, and how it ended. */
export interface FarAnswer {
  readonly end: ProgramEnd;
  readonly stdout: string;
}

/** Runs a command at a place that answers a question: its output is short. */
export async function askFar(
  executor: Executor,
  place: Place,
  command: FarCommand,
  streams: Omit<FarStreams, "onStdout"> = {},
): Promise<Result<FarAnswer, ExecutorFailure>> {
  const chunks: Uint8Array[] = [];
  const onStdout = (bytes: Uint8Array) => {
    chunks.push(bytes);
  };
  const ran = await executor.exec(place, command, { ...streams, onStdout });
  if (!ran.ok) return ran;
  return { ok: true, value: { end: ran.value, stdout: Buffer.concat(chunks).toString("utf8") } };
}
