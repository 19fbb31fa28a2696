import { z } from "zod";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { lookForKernelSettings } from "../../host/probe/look-for-kernel-settings.ts";
import { lookForSecrets } from "../../host/probe/look-for-secrets.ts";
import { readInput } from "../../host/system/read-input.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";

const Input = z.object({
  canaries: z.array(z.object({ path: z.string(), word: z.string() })),
  paths: z.array(z.string()),
});

/** `wisp look-for-secrets`: the process that `wisp doctor --probe-secrets` starts as an engine. */
export function lookAsEngine({ terminal }: Pick<Cli, "terminal">): Outcome {
  const { canaries, paths } = Input.parse(JSON.parse(readInput()));
  const kernel = lookForKernelSettings();
  terminal.out(JSON.stringify({ ...lookForSecrets(canaries, paths), kernel }));
  return ok(EXIT.ok);
}
