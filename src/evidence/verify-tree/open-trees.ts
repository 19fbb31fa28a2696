import { need } from "../../base/fatal.ts";
import { TREE_LOSSES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { givesCi } from "./gives-ci.ts";
import { prepareTree, type CommitFacts } from "./prepare-tree.ts";
import { runnerIn } from "./run-in-tree.ts";
import { setupKey } from "./setup-key.ts";
import { acquireSlot } from "./slot.ts";
import { acquireNeutral } from "./neutral-tree.ts";
import { acquireTree, type LeasedTree } from "./acquire-tree.ts";
import type { TreeDeps } from "./tree-deps.ts";
import type { TreeEnd, VerifyTree, VerifyTrees, WantedTree } from "../../work/verify-trees.ts";

/** The verify trees of a session, for one of its roles. Nothing is created before the first use. */
export function openTrees(deps: TreeDeps): VerifyTrees {
  const facts = new Map<string, Promise<CommitFacts>>();
  const factsAt = (at: Oid) => {
    // An answer may replace the commands of a session that has begun.
    const key = JSON.stringify([at, deps.session.setup, deps.session.build, deps.replacedEnv?.()]);
    const known = facts.get(key) ?? readFacts(deps, at);
    facts.set(key, known);
    return known;
  };
  return {
    factsAt,
    use: async (wanted, work) => {
      const commit = await factsAt(wanted.at);
      const held = { ...deps, hasCi: await hasCi(deps, wanted) };
      if (wanted.neutral !== undefined) return useNeutral(held, { ...wanted, commit }, work);
      for (let losses = 0; losses < TREE_LOSSES_MAX; losses++) {
        const leased = await acquireTree(deps);
        if (leased === undefined) return { kind: "stopped" };
        const end = await useWhileHeld(held, leased, { ...wanted, commit }, work);
        if (end.kind !== "lost") return end;
      }
      const reason = `the lock of its directory was lost ${String(TREE_LOSSES_MAX)} times`;
      return { kind: "unready", stage: "tree", reason, output: undefined };
    },
  };
}

/** Whether commands get `CI=true`. The state is read only if that can depend on it. */
async function hasCi(
  { session, env, isCiLeftOut }: TreeDeps,
  { hasCi: wanted }: WantedTree,
): Promise<boolean> {
  if (!givesCi({ session, env })) return session.commands?.ci === true;
  return wanted ?? (await isCiLeftOut?.()) !== true;
}

async function readFacts(
  { clone: open, session, sandbox, replacedEnv }: TreeDeps,
  at: Oid,
): Promise<CommitFacts> {
  const clone = await open();
  // A person may have pushed the commit since the clone was last updated.
  need(await clone.bring(at));
  const [tree, listed] = await Promise.all([clone.treeOf(at), clone.filesAt(at)]);
  const files = need(listed);
  const setup = setupKey({
    session,
    files,
    sandbox: sandbox?.kind ?? "none",
    env: replacedEnv?.(),
  });
  return { tree: need(tree), setup, files };
}

/** Like a use of a tree of the pool, once: a lock that is lost has told nothing. */
async function useNeutral<T>(
  deps: TreeDeps,
  wanted: Wanted,
  work: (tree: VerifyTree) => Promise<T>,
): Promise<TreeEnd<T>> {
  const unready = (reason: string) =>
    ({ kind: "unready", stage: "tree", reason, output: undefined }) as const;
  const taken = await acquireNeutral(deps, wanted.neutral ?? "");
  if (taken === "stopped") return { kind: "stopped" };
  if (taken === "none") return unready("the machine has no folder for temporary files");
  const end = await useWhileHeld(deps, taken, wanted, work);
  return end.kind === "lost" ? unready("the lock of its directory was lost") : end;
}

type Wanted = WantedTree & { readonly commit: CommitFacts };

/**
 * Like `useLeased`, but ends the work when the lock is lost. The tree's next holder may already use it, and
 * ends any process that it finds there, so the result proves nothing about the commit.
 */
async function useWhileHeld<T>(
  deps: TreeDeps,
  leased: LeasedTree,
  wanted: Wanted,
  work: (tree: VerifyTree) => Promise<T>,
): Promise<TreeEnd<T> | { readonly kind: "lost" }> {
  const loss = new AbortController();
  const lose = () => {
    loss.abort();
  };
  void leased.lease.lost.then(lose);
  const signal = AbortSignal.any([deps.signal, loss.signal]);
  try {
    const held = { ...deps, signal };
    const end = await withSlot(held, lose, (slot) =>
      useLeased({ ...held, slot }, leased, wanted, work),
    );
    return loss.signal.aborted ? { kind: deps.signal.aborted ? "stopped" : "lost" } : end;
  } finally {
    await leased.lease.release();
  }
}

/** Gives the use of a tree a slot, in sessions whose commands get one. A slot that is lost ends the use. */
async function withSlot<T>(
  deps: TreeDeps,
  lose: () => void,
  use: (slot: number | undefined) => Promise<TreeEnd<T>>,
): Promise<TreeEnd<T>> {
  if (deps.slots === undefined || deps.session.commands?.slot === undefined) return use(undefined);
  const slot = await acquireSlot(deps, deps.slots);
  if (slot === undefined) return { kind: "stopped" };
  void slot.lease.lost.then(lose);
  try {
    return await use(slot.number);
  } finally {
    await slot.lease.release();
  }
}

async function useLeased<T>(
  deps: TreeDeps,
  { place }: LeasedTree,
  { commit, ...wanted }: Wanted,
  work: (tree: VerifyTree) => Promise<T>,
): Promise<TreeEnd<T>> {
  const prepared = await prepareTree(deps, place, wanted, commit);
  if (prepared.kind !== "ready") return prepared;
  const run = runnerIn(deps, place, prepared.setUp);
  return { kind: "done", value: await work({ directory: place.tree, run }) };
}
