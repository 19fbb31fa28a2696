import { join } from "node:path";
import { ROLES, LOG_NAMES } from "../base/role.ts";
import { leasePath, logPath } from "../fs-protocol/home/home.ts";
import { locateGitDirectory } from "../git/command/git-directory.ts";
import type { Host } from "../host/host.ts";
import { isHolderAlive, readHolder } from "../host/locks/lease-holder.ts";
import type { FoundSession } from "../workspace/sessions.ts";

/** How a session looked, without its files having been read. */
export interface Look {
  /** The same text as long as nothing has changed that a report depends on. */
  readonly text: string;
  readonly isSupervised: boolean;
}

/** Looks at the sizes of a session's logs, its branch and the holders of its leases. Starts no process. */
export function lookAt({ files }: Pick<Host, "files">, { home, session }: FoundSession): Look {
  const git = locateGitDirectory(files, session.repository);
  const ref = git && join(git.commonDirectory, "refs", "heads", session.branch);
  const paths = [
    ...LOG_NAMES.map((log) => logPath(home, log)),
    ...(ref === undefined ? [] : [ref]),
  ];
  const sizes = paths.map((path) => {
    const stat = files.stat(path);
    return stat && `${stat.inode} ${stat.sizeBytes} ${stat.changedMs ?? ""}`;
  });
  const holders = (["supervisor", ...ROLES] as const).map((role) => {
    const holder = readHolder(files, leasePath(home, role));
    return holder !== undefined && isHolderAlive(holder) ? holder.pid : 0;
  });
  return { text: [...sizes, ...holders].join("|"), isSupervised: holders[0] !== 0 };
}
