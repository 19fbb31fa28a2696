import { FitAsk, fitOf } from "../../actions/move/fit.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { MIRROR_REQUEST_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { standardStream } from "../../host/system/standard-stream.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { Usage } from "../../workspace/usage.ts";
import { ownPlace } from "./own-place.ts";

/** `wisp far fit`: tries here what a session that is to move needs, which standard input says. */
export async function fit(cli: Cli): Promise<Outcome> {
  need(ownPlace(cli));
  const { firstLine, send } = standardStream();
  const line = await firstLine(MIRROR_REQUEST_BYTES_MAX);
  const asked = FitAsk.safeParse(line.ok ? jsonOf(line.value) : undefined);
  if (!asked.success) return fail(Usage({ problem: "the first line names nothing to try" }));
  await send(Buffer.from(`${JSON.stringify(await fitOf(cli, asked.data))}\n`));
  return ok(EXIT.ok);
}
