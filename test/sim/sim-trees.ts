import { treeRunId, type RoleContext } from "../../src/work/role-context.ts";
import { acquireTree } from "../../src/evidence/verify-tree/acquire-tree.ts";
import type { OldTests, VerifyTrees } from "../../src/work/verify-trees.ts";
import { need } from "../../src/base/fatal.ts";
import type { Clone } from "../../src/base/ports/repo.ts";

/** Set for a command that has a loopback of its own. */
export const OWN_LOOPBACK = "WISP_SIM_OWN_LOOPBACK";

/**
 * Verify trees in simulated clones: the shipped pool with simulated leases. Preparing a tree would need this
 * machine's git, and is left out.
 */
export function simTrees(
  deps: Pick<RoleContext, "role" | "home" | "session" | "ports" | "signal">,
  clone: Clone,
  { treeAt, workAt }: SimTreePlaces,
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
        if (tests !== undefined) {
          need(await tree.overlayFiles(tests.from, tests.paths));
          overlay(workAt(directory), tests);
        }
        const value = await work({
          directory,
          run: ([executable = "", ...args], { outputPath, timeoutMs, hasOwnLoopback = false }) =>
            ports.processes.run({
              ...{ argv: [executable, ...args], cwd: directory, stdin: "", timeoutMs },
              env: hasOwnLoopback ? { [OWN_LOOPBACK]: "1" } : {},
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

/** The clones at the paths of verify trees, and their files. */
export interface SimTreePlaces {
  readonly treeAt: (directory: string) => Clone;
  readonly workAt: (directory: string) => Map<string, string>;
}

/** What is not taken from a commit as it is. */
function overlay(work: Map<string, string>, { removed = [], commands }: OldTests): void {
  for (const path of removed) work.delete(path);
  for (const [path, text] of commands) work.set(path, text);
}
