import { join } from "node:path";
import { ROLES, LOG_NAMES } from "../base/role.ts";
import { leasePath, logPath, type Home } from "../fs-protocol/home/home.ts";
import { locateGitDirectory } from "../git/command/git-directory.ts";
import type { Host } from "../host/host.ts";
import { isHolderAlive, readHolder } from "../host/locks/lease-holder.ts";
import { isLinkHeard, readFarLink } from "../workspace/session/far-link.ts";
import type { FoundSession } from "../workspace/sessions.ts";

/** How a session looked, without its files having been read. */
export interface Look {
  /** The same text as long as nothing has changed that a report depends on. */
  readonly text: string;
  readonly isSupervised: boolean;
}

/** What a page shows of a place that is out of reach is drawn again this often. */
const LOST_REDRAW_MS = 60_000;

/**
 * Looks at the sizes of a session's logs, its branch, the holders of its leases, and what was heard of its place. Starts
 * no process.
 */
export function lookAt(host: Pick<Host, "files" | "clock">, { home, session }: FoundSession): Look {
  const { files } = host;
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
  const text = [...sizes, ...holders, linkText(host, home)].join("|");
  return { text, isSupervised: holders[0] !== 0 };
}

/** Who is at work elsewhere; or about how long it has been out of reach. */
function linkText({ files, clock }: Pick<Host, "files" | "clock">, home: Home): string {
  const link = readFarLink(files, home);
  if (link === undefined) return "";
  const nowMs = clock.nowMs();
  if (isLinkHeard(link, nowMs)) return JSON.stringify([link.alive, link.trouble]);
  return String(Math.floor((nowMs - (link.heardMs ?? 0)) / LOST_REDRAW_MS));
}
