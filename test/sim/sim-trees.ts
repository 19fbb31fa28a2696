import { treeRunId, type RoleContext } from "../../src/work/role-context.ts";
import { acquireTree } from "../../src/evidence/verify-tree/acquire-tree.ts";
import type { VerifyTrees } from "../../src/work/verify-trees.ts";
import { need } from "../../src/base/fatal.ts";
import type { Clone } from "../../src/base/ports/repo.ts";

/**
 * Verify trees in simulated clones: the shipped pool with simulated leases. Preparing a tree would need this
 * machine's git, and is left out.
 */
export function simTrees(
  deps: Pick<RoleContext, "role" | "home" | "session" | "ports" | "signal">,
  clone: Clone,
  treeAt: (directory: string) => Clone,
): VerifyTrees {
  const { role, home, ports, signal } = deps;
  return {
    factsAt: async (at) => ({ tree: need(await clone.treeOf(at)), setup: "simulated" }),
    use: async ({ at, tests }, work) => {
      const taken = await acquireTree(deps);
      if (taken === undefined) return { kind: "stopped" };
      const { tree: directory, number } = taken.place;
      try {
        const tree = treeAt(directory);
        need(await tree.syncTo(at));
        if (tests !== undefined) need(await tree.overlayFiles(tests.from, tests.paths));
        const value = await work({
          directory,
          run: ([executable = "", ...args], { outputPath, timeoutMs }) =>
            ports.processes.run({
              ...{ argv: [executable, ...args], cwd: directory, env: {}, stdin: "", timeoutMs },
              ...{ stdoutPath: outputPath, stderrPath: outputPath, signal },
              runId: treeRunId(home, role, number),
            }),
        });
        return { kind: "done", value };
      } finally {
        await taken.lease.release();
      }
    },
  };
}
