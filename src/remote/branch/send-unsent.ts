import { readBranchApart } from "../../git/repository/branch-apart.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import type { MirroredSession } from "../follow/mirrored-session.ts";
import { branchStep } from "./branch-step.ts";
import { sendCommits } from "./send-commits.ts";

/**
 * Sends what a person has committed on the branch here and the follower has not sent yet, so that a command that runs
 * at the place next acts on it. What cannot be sent now, the follower sends as soon as it can, and `status` says why it
 * waits. Starts no process if the branches are the same.
 */
export async function sendUnsent(world: World, mirrored: MirroredSession): Promise<void> {
  const { placed, branch, id: session } = mirrored;
  const of = { directory: placed.repository, branch, session };
  const agreed = readFarLink(world.host.files, mirrored.home)?.branchAt;
  const apart = await readBranchApart(gitContext(world), of, agreed);
  if (!apart.ok) return;
  const step = branchStep(apart.value);
  if (step.kind === "send") await sendCommits(world, mirrored, step.from);
}
