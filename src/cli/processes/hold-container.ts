import { ok } from "../../base/result.ts";
import { holdContainer } from "../../host/processes/hold-container.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";

/** `wisp hold-container`: the process that keeps a container of a sandbox, and ends it with the role. */
export async function holdAsOwned(
  { host }: Pick<Cli, "host">,
  {
    owner,
    input,
    words: [program = "", ...rest],
  }: { readonly owner: string; readonly input: string; readonly words: readonly string[] },
): Promise<Outcome> {
  const words = [program, ...rest] as const;
  return ok(await holdContainer(host, { owner: Number(owner), input, words: [...words] }));
}
