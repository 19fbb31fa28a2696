import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { ROLES } from "../../base/role.ts";
import { linkPath } from "../../fs-protocol/home/link-json.ts";
import type { FarPlace } from "../../fs-protocol/home/place-json.ts";
import { planCopies } from "../../fs-protocol/home/copy-path.ts";
import { clearHome } from "../../remote/mirror/take-frames.ts";
import { isHandoverDue } from "../../session/rules/handover.ts";
import { appendMoved } from "../../workspace/session/append-moved.ts";
import { tryAllLeases } from "../../workspace/session/session-leases.ts";
import { readSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { endSession } from "../close/end-session.ts";
import { compareHomes } from "./compare-homes.ts";
import { digestHome } from "./digest-home.ts";
import type { SideStep } from "./handover-talk.ts";
import { ownPlaceJson, readSide } from "./look-at-side.ts";
import { movedHomes, type OwnSide } from "./own-side.ts";
import { arrived, type Arrived } from "./parcel.ts";
import { bringBranch, takeIn, writePlace } from "./take-in.ts";

/**
 * Does a step of a move at the side at which this process runs, if it is due: what it was decided on is looked at again
 * under all leases of the home.
 *
 * @param mirrors the place that the home mirrors if it is left
 * @returns whether it was due
 */
export async function doStep(
  world: World,
  side: OwnSide,
  { step, mirrors }: { readonly step: SideStep; readonly mirrors: FarPlace },
): Promise<boolean> {
  if (step.kind === "stop-roles") {
    await stopRoles(world, side);
    return true;
  }
  const homes = movedHomes(world.host.files, side);
  const stepped = await tryAllLeases(world.host, homes, async (isAlone) => {
    if (!isAlone) return false;
    const found = readSide(world.host, side, false);
    const sent = step.kind === "check" ? arrived(world.host, side, step.id) : undefined;
    const files = sent && comparedTo(world, side, sent);
    if (!isHandoverDue(step, { ...side, found }, files)) return false;
    need(clearHome(world.host, side.home));
    if (step.kind !== "check") await note(world, side, { step, mirrors });
    else if (sent !== undefined) await takeIn(world, side, sent);
    return true;
  });
  return need(stepped);
}

/** What was sent, in comparison to the home that it is for. */
function comparedTo({ host }: World, side: OwnSide, { head, directory }: Arrived) {
  const ours = digestHome(host, side.home.directory, head.files);
  const sent = digestHome(host, directory, ours);
  return compareHomes({ one: sent, other: ours, decides: "one" });
}

async function stopRoles(world: World, side: OwnSide): Promise<void> {
  for (const home of movedHomes(world.host.files, side)) {
    const found = readSession(world.host.files, home);
    if (found.ok) await endSession(world, found.value);
  }
}

type Noting = Extract<SideStep, { readonly kind: "append-moved" | "mirror-back" | "own" }>;

async function note(
  world: World,
  side: OwnSide,
  { step, mirrors }: { readonly step: Noting; readonly mirrors: FarPlace },
): Promise<void> {
  const found = need(readSession(world.host.files, side.home));
  const { branch, state } = found.session;
  switch (step.kind) {
    case "append-moved": {
      const revisions = movedHomes(world.host.files, side).slice(1);
      const { record, after } = step;
      await appendMoved(world, found, { record, after, revisions });
      return;
    }
    case "mirror-back": {
      const before = ownPlaceJson(world.host, side);
      const { repository } = side;
      forgetCopies(world, side, state);
      const moved = before?.moved;
      writePlace(world, side, { version: 1, repository, state, moved, branch, mirrors });
      return;
    }
    case "own": {
      if (step.how !== "kept") await bringBranch(world, side, { branch });
      forgetCopies(world, side, state);
      // What was heard of the other machine must not be taken for what happens here.
      need(world.host.files.remove(linkPath(side.home)));
      const { repository } = side;
      writePlace(world, side, { version: 1, repository, state, moved: step.id });
    }
  }
}

/**
 * Removes the copies of files outside of the home. They are behind as soon as the other machine goes on, and readers
 * would believe them. Whoever writes next makes them anew.
 */
function forgetCopies({ host: { directories, files } }: World, side: OwnSide, state: string): void {
  const states = movedHomes(files, side).map(({ directory }) =>
    join(state, directory.slice(side.home.directory.length)),
  );
  for (const one of states) {
    for (const owner of ["", "supervisor", ...ROLES]) {
      need(directories.removeTree(join(one, owner, "kept")));
    }
    need(directories.removeTree(planCopies({ state: one })));
  }
}
