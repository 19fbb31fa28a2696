import type { ExecutorFailure } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import type { FarProgram } from "../far-program.ts";
import type { MirroredSession } from "../follow/mirrored-session.ts";
import { noteProgram } from "../known-program.ts";
import { installWisp } from "./install-wisp.ts";

/** A place with a wisp. */
interface RenewedPlace extends Pick<MirroredSession, "executor" | "place" | "program"> {
  /** The session's folder in the state directory here, where the program is noted. */
  readonly state: string;
}

/**
 * Makes sure that the place of a session has this very wisp. Another version is replaced; what runs there goes on with
 * the one with which it was started.
 */
export async function renewWisp(
  world: World,
  { executor, place, program, state }: RenewedPlace,
): Promise<Result<FarProgram, ExecutorFailure | FileFailure>> {
  if (world.program.code === program.digest) return ok(program);
  const installed = await installWisp(world, executor, place);
  if (!installed.ok) return installed;
  const noted = noteProgram(world.host.files, state, installed.value);
  return noted.ok ? installed : noted;
}
