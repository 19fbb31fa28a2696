import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { prepareTree, type CommitFacts } from "./prepare-tree.ts";
import { runnerIn } from "./run-in-tree.ts";
import { setupKey } from "./setup-key.ts";
import { takeTree, type TakenTree } from "./take-tree.ts";
import type { TreeDeps } from "./tree-deps.ts";
import type { TreeEnd, VerifyTree, VerifyTrees, WantedTree } from "./verify-trees.ts";

/** The verify trees of a session, as one of its roles uses them. Nothing is made before the first use. */
export function openTrees(deps: TreeDeps): VerifyTrees {
  const facts = new Map<Oid, Promise<CommitFacts>>();
  const factsAt = (at: Oid) => {
    const known = facts.get(at) ?? readFacts(deps, at);
    facts.set(at, known);
    return known;
  };
  return {
    factsAt,
    use: async (wanted, work) => {
      const commit = await factsAt(wanted.at);
      const taken = await takeTree(deps);
      if (taken === undefined) return { kind: "stopped" };
      try {
        return await useTaken(deps, taken, { ...wanted, commit }, work);
      } finally {
        await taken.lease.release();
      }
    },
  };
}

async function readFacts(
  { clone: open, session, sandbox }: TreeDeps,
  at: Oid,
): Promise<CommitFacts> {
  const clone = await open();
  // A person may have pushed it since the clone was last brought up to date.
  if (!(await clone.has(at))) need(await clone.syncTo(at));
  const [tree, listed] = await Promise.all([clone.treeOf(at), clone.filesAt(at)]);
  const files = need(listed);
  const setup = setupKey({ session, files, sandbox: sandbox?.kind ?? "none" });
  return { tree: need(tree), setup, files };
}

async function useTaken<T>(
  deps: TreeDeps,
  { place }: TakenTree,
  { commit, ...wanted }: WantedTree & { readonly commit: CommitFacts },
  work: (tree: VerifyTree) => Promise<T>,
): Promise<TreeEnd<T>> {
  const prepared = await prepareTree(deps, place, wanted, commit);
  if (prepared.kind !== "ready") return prepared;
  const run = runnerIn(deps, place, prepared.setUp);
  return { kind: "done", value: await work({ directory: place.tree, run }) };
}
