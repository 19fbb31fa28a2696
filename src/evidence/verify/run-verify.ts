import { join } from "node:path";
import { namedForCommands } from "./command-environment.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { runInOrder, type CommandsEnd } from "../../work/run-in-order.ts";
import type { TreeEnd, WantedTree } from "../../work/verify-trees.ts";

/**
 * Runs the session's verify commands in a verify tree until one fails. Their output goes to
 * `logs/turns/<output>.out`; nothing is recorded.
 */
export function runVerify(
  { session, home, ports, trees, signal, role }: RoleContext,
  wanted: WantedTree & { readonly output: string },
): Promise<TreeEnd<CommandsEnd>> {
  return trees.use(wanted, ({ run }) =>
    runInOrder(run, {
      commands: session.verify,
      stage: "verify",
      outputPath: join(home.turns, `${wanted.output}.out`),
      timeoutMs: session.verifyTimeoutMs,
      envNames: namedForCommands(session, role),
      files: ports.files,
      signal,
    }),
  );
}
