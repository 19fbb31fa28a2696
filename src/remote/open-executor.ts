import { join } from "node:path";
import { EXIT } from "../base/exit-code.ts";
import { refusal, type Refusal } from "../base/failure.ts";
import type { Executor } from "../base/ports/executor.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { shown } from "../base/words/shown.ts";
import { localExecutor } from "../executors/local/local-executor.ts";
import { stateRoot } from "../workspace/state-directory.ts";
import type { World } from "../workspace/world.ts";
import { executorHost } from "./executor-host.ts";

/** No executor has the name that was given. */
export const NoSuchExecutor = refusal(
  "no-such-executor",
  EXIT.usage,
  ({ name }: { readonly name: string }) => [
    `There is no executor '${shown(name)}'.`,
    "Name one as in `--on local`, or one of your own settings (~/.config/wisp/config.yaml, executors).",
  ],
);

/** The executor that a person names after `--on`, or a place's `place.json`. */
export function openExecutor(world: World, name: string): Result<Executor, Refusal> {
  if (name === "local") {
    const directory = join(stateRoot(world.env), "places");
    return ok(localExecutor(executorHost(world), { directory }));
  }
  return fail(NoSuchExecutor({ name }));
}
