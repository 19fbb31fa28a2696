import { join } from "node:path";
import type { FileFailure, Files } from "../base/ports/files.ts";
import type { Result } from "../base/result.ts";
import { jsonOf } from "../base/words/json-text.ts";
import { FarProgram } from "./far-program.ts";

/** What is known here of the wisp at a session's place, in the state directory of the session here. */
function knownProgramPath(state: string): string {
  return join(state, "far.json");
}

/** Notes which wisp was installed at the place of a session. */
export function noteProgram(
  files: Files,
  state: string,
  program: FarProgram,
): Result<void, FileFailure> {
  return files.replace(knownProgramPath(state), Buffer.from(`${JSON.stringify(program)}\n`));
}

/** Forgets the wisp of a place that is left or made anew: the next one may have the same root. */
export function forgetProgram(files: Files, state: string): Result<void, FileFailure> {
  return files.remove(knownProgramPath(state));
}

/** The wisp that was installed at the place of a session; undefined if none was yet. */
export function knownProgram(files: Files, state: string): FarProgram | undefined {
  const read = files.read(knownProgramPath(state));
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return FarProgram.safeParse(jsonOf(text)).data;
}
