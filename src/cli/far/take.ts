import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { ok } from "../../base/result.ts";
import { takeRepository } from "../../remote/take/take-repository.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { ownPlace } from "./own-place.ts";

/** `wisp far take`: makes the repository of a session from what was sent to this place. */
export async function take(cli: Cli): Promise<Outcome> {
  const { root, program } = need(ownPlace(cli));
  need(await takeRepository(cli, { root, repository: program.repository }));
  return ok(EXIT.ok);
}
