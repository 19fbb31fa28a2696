import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { isHolderAlive, readHolder, runsOther } from "../../host/locks/lease-holder.ts";
import type { World } from "../world.ts";

/** A process of a session runs another wisp than the person's command: roles of two versions never work on one home. */
export const OtherProgram = refusal(
  "other-program",
  EXIT.leaseHeld,
  ({ session, holder }: { readonly session: string; readonly holder: Role | "supervisor" }) => [
    `The ${holder} of ${session} runs another version of wisp: roles of two versions never work on one session.`,
    "Nothing was done. To let it finish its turns, and go on with this version:",
    `wisp up ${session}`,
  ],
);

/** Who of a session's processes runs another wisp than this one. */
export function runningOther(
  { host: { files }, program }: Pick<World, "host" | "program">,
  home: Home,
): Role | "supervisor" | undefined {
  return (["supervisor", ...ROLES] as const).find((one) => {
    const holder = readHolder(files, leasePath(home, one));
    const isAlive = holder !== undefined && isHolderAlive(holder);
    return isAlive && runsOther(holder, program.code, one !== "supervisor");
  });
}
