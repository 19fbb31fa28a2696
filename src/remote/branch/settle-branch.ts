import { explain } from "../../base/explain.ts";
import type { Refusal } from "../../base/failure.ts";
import type { Oid } from "../../base/oid.ts";
import type { ExecutorFailure } from "../../base/ports/executor.ts";
import { ok, type Result } from "../../base/result.ts";
import type { LinkJson } from "../../fs-protocol/home/link-json.ts";
import { readBranchApart } from "../../git/repository/branch-apart.ts";
import { followMirror, type MirroredBranch } from "../../git/repository/mirror-branch.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import type { MirroredSession } from "../follow/mirrored-session.ts";
import { branchStep } from "./branch-step.ts";
import { sendCommits } from "./send-commits.ts";

/** How the branch here and the one elsewhere stand, for `link.json`. */
export type BranchNote = Pick<LinkJson, "branchWaits" | "branchTrouble" | "branchAt">;

/**
 * Brings the branch of a session here and the one elsewhere together, as far as that only adds commits: what was built
 * there comes here, and what a person committed here goes there. Fails only if the place cannot be reached.
 *
 * @param agreed the commit at which both were last the same, if that is known
 */
export async function settleBranch(
  world: World,
  mirrored: MirroredSession,
  agreed: Oid | undefined,
): Promise<Result<BranchNote, ExecutorFailure>> {
  const { placed, branch, id: session } = mirrored;
  const of: MirroredBranch = { directory: placed.repository, branch, session };
  let trouble: Refusal | undefined;
  // Once more after a step: it shows what came of it, and why it did not succeed.
  for (let looks = 0; looks < 2; looks += 1) {
    const apart = await readBranchApart(gitContext(world), of, agreed);
    if (!apart.ok) return ok(troubled(agreed, explain(apart.failure).message));
    const step = branchStep(apart.value);
    if (step.kind === "same") return ok(settled({ branchAt: step.at ?? agreed }));
    if (step.kind === "wait") return ok(settled({ branchAt: agreed, branchWaits: step.why }));
    if (trouble !== undefined) break;
    if (step.kind === "follow") {
      const followed = await followMirror(gitContext(world), of);
      trouble = followed.ok ? undefined : followed.failure;
      continue;
    }
    const sent = await sendCommits(world, mirrored, step.from);
    if (!sent.ok && isLink(sent.failure)) return { ok: false, failure: sent.failure };
    if (!sent.ok) return ok(troubled(agreed, explain(sent.failure).message));
    const { became, detail = "" } = sent.value;
    if (became === "failed") return ok(troubled(agreed, detail));
    if (became === "diverged") {
      return ok(settled({ branchAt: agreed, branchWaits: "diverged" }));
    }
  }
  return ok(
    trouble === undefined
      ? settled({ branchAt: agreed })
      : troubled(agreed, explain(trouble).message),
  );
}

/** Whether the link is what failed: then the next connection goes on. */
function isLink(failure: { readonly kind: string }): failure is ExecutorFailure {
  return failure.kind === "executor-unreachable" || failure.kind === "place-gone";
}

function settled(note: BranchNote): BranchNote {
  return { branchWaits: undefined, branchTrouble: undefined, ...note };
}

function troubled(branchAt: Oid | undefined, branchTrouble: string): BranchNote {
  return { branchAt, branchWaits: "failed", branchTrouble };
}
