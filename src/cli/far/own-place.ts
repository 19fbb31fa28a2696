import { dirname } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { PLACE_VARIABLE } from "../../base/ports/executor.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { FarProgram, farProgramPath } from "../../remote/far-program.ts";
import type { Cli } from "../../terminal/cli.ts";

/** A command for places was run elsewhere. */
export const NoPlace = refusal("no-place", EXIT.usage, () => [
  "This command is run by wisp itself on the machine of a session that was started with --on.",
  "To see your sessions:",
  "wisp list",
]);

/** The place at which this process runs. */
export interface OwnPlace {
  readonly root: string;
  readonly program: FarProgram;
}

/** Finds the place at which this process runs. */
export function ownPlace({ env, host }: Cli): Result<OwnPlace, ReturnType<typeof NoPlace>> {
  const root = env[PLACE_VARIABLE];
  if (root === undefined) return fail(NoPlace({}));
  const read = host.files.read(farProgramPath({ id: "", root }));
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  const parsed = FarProgram.safeParse(jsonOf(text));
  return parsed.success && dirname(parsed.data.repository) === root
    ? ok({ root, program: parsed.data })
    : fail(NoPlace({}));
}
