import { commandEnvironment } from "../../src/evidence/verify/command-environment.ts";
import { treeRunId, type RoleContext } from "../../src/work/role-context.ts";
import type { VerifyTrees } from "../../src/work/verify-trees.ts";
import { need } from "../../src/base/fatal.ts";
import { NO_SANDBOX } from "../../src/base/ports/sandbox.ts";

/** The key of every setup in fake trees. */
const MADE_UP_SETUP = "0123456789abcdef";

type TreeContext = Pick<
  RoleContext,
  "home" | "role" | "session" | "ports" | "env" | "signal" | "sandbox"
>;

/** Verify trees without setup and build: commands run where the tree would be. */
export function memoryTrees(
  { home, role, session, ports, env, signal, sandbox = NO_SANDBOX }: TreeContext,
  clone: RoleContext["clone"],
): VerifyTrees {
  const directory = `${session.state}/verify/1/tree`;
  return {
    factsAt: async (at) => ({ tree: need(await (await clone()).treeOf(at)), setup: MADE_UP_SETUP }),
    use: async (_wanted, work) => ({
      kind: "done",
      value: await work({
        directory,
        run: async ([executable = "", ...args], bounds) => {
          const own = {
            argv: [executable, ...args] as const,
            cwd: directory,
            env: commandEnvironment(env, { named: bounds.envNames, isConfined: false }),
          };
          const enclosure = sandbox.confine({ command: own });
          if (!enclosure.ok) return enclosure;
          return ports.processes.run({
            ...own,
            enclosure: enclosure.value,
            stdin: "",
            stdoutPath: bounds.outputPath,
            stderrPath: bounds.outputPath,
            timeoutMs: bounds.timeoutMs,
            outputBytesMax: bounds.outputBytesMax,
            runId: treeRunId(home, role, 1),
            signal,
          });
        },
      }),
    }),
  };
}
