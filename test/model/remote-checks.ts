import type { Broken } from "./broken.ts";
import { takenFrom } from "./remote-moves.ts";
import type { BudgetName } from "./scenarios.ts";
import type { State, World } from "./world.ts";

/**
 * I22, for each step: taking commits from a remote does not change the branch's own commits, no commit that was
 * pushed there is lost, and a merge is never red.
 */
export function takenBroken(before: State, after: State, world: World): Broken | undefined {
  const { scenario } = world;
  if (scenario.budgets.moves === undefined) return undefined;
  const broken = (what: string) => ({ invariant: "I22", what });
  const [old, now] = [before.branch.records, after.branch.records];
  if (old.some(({ work, unit }, index) => now[index]?.work !== work || now[index]?.unit !== unit)) {
    return broken("commits that were on the branch are rewritten");
  }
  const pushed = spentOn("moves", after, world);
  if (takenFrom(after.branch) + after.remote !== pushed)
    return broken("commits of others are lost");
  const red = now.find(({ unit, isRed }) => isRed === true && unit?.startsWith("remote:"));
  return red === undefined ? undefined : broken("a merge appears on which verify is red");
}

function spentOn(name: BudgetName, { budget }: State, { scenario }: World): number {
  return (scenario.budgets[name] ?? 0) - (budget.left[name] ?? 0);
}

/**
 * I23: a builder that was told to leave the remote alone does not look at it again, and asks nothing; and a session
 * is complete only after a look at the remote with the final branch.
 */
export function lookBroken({ builder, branch }: State, { scenario }: World): Broken | undefined {
  if (scenario.budgets.moves === undefined) return undefined;
  const { record, records, fold } = builder;
  const isLeft = records.some(({ kind, ...rest }) => {
    return kind === "remote.push" && "outcome" in rest && rest.outcome === "left";
  });
  if (record?.kind === "remote.push" && record.outcome !== "left" && isLeft) {
    return { invariant: "I23", what: "a remote that was to be left alone is looked at" };
  }
  if (record?.kind !== "done" || record.how !== "complete" || isLeft) return undefined;
  if (fold.remote.at === branch.fold.head) return undefined;
  return { invariant: "I23", what: "complete, and nobody looked at the remote since" };
}
