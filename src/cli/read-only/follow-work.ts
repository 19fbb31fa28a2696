import { concatMap, defer, from, lastValueFrom, map, takeWhile } from "rxjs";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { lookAgain } from "../../streams/look-again.ts";
import { watchHints } from "../../streams/watch-hints.ts";

interface Following {
  readonly roles: readonly Role[];
  readonly shown: {
    /** Shows what is new. `ended`: nothing more will come. */
    read(last: "open" | "ended"): Read;
  };
}

/**
 * Shows what is new in the logs and turns of a session until neither its supervisor nor one of the roles is working any
 * more, a read fails, or Ctrl-C is pressed.
 */
export async function followWork(
  { watcher, locks }: Pick<Host, "watcher" | "locks">,
  home: Home,
  { roles, shown }: Following,
): Promise<FileFailure | undefined> {
  const leases = (["supervisor", ...roles] as const).map((holder) => leasePath(home, holder));
  const isAtWork = async () => {
    const held = await Promise.all(leases.map((lease) => locks.isLeaseHeld(lease)));
    return held.includes(true);
  };
  const step = async (): Promise<{ readonly isLast: boolean; readonly read: Read }> => {
    // Checked before the read, so that the read includes what the last process wrote before it left.
    const isLast = !(await isAtWork());
    return { isLast, read: shown.read(isLast ? "ended" : "open") };
  };
  // concatMap: exhaustMap could drop the only hint of the end.
  const failure$ = defer(() => watchHints(watcher, [home.logs, home.turns, home.locks])).pipe(
    lookAgain(home.locks),
    concatMap(() => from(step())),
    takeWhile(({ isLast, read }) => !isLast && read.ok, true),
    map(({ read }) => (read.ok ? undefined : read.failure)),
  );
  return lastValueFrom(failure$, { defaultValue: undefined });
}

type Read = Result<void, FileFailure>;
