import type { ExecutorFailure } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import type { FarProgram } from "../far-program.ts";
import type { MirroredSession } from "../follow/mirrored-session.ts";
import { noteProgram } from "../known-program.ts";
import { installWisp } from "./install-wisp.ts";

/**
 * Makes sure that the place of a session has this very wisp. Another version is replaced; what runs there goes on with
 * the one with which it was started.
 */
export async function renewWisp(
  world: World,
  { executor, place, program, placed }: MirroredSession,
): Promise<Result<FarProgram, ExecutorFailure | FileFailure>> {
  if (world.program.code === program.digest) return ok(program);
  const installed = await installWisp(world, executor, place);
  if (!installed.ok) return installed;
  const noted = noteProgram(world.host.files, placed.state, installed.value);
  return noted.ok ? installed : noted;
}
