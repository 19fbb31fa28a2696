import { basename } from "node:path";
import { LINK_SILENCE_MS_MAX } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { parentHome, revisionNumber, type Home } from "../../fs-protocol/home/home.ts";
import { LinkJson, linkPath, type FarHolder } from "../../fs-protocol/home/link-json.ts";

const LINK_BYTES_MAX = 64 * 1024;

/** What the follower of a mirror last heard; undefined if the home is no mirror, or nothing was heard yet. */
export function readFarLink(files: Pick<Files, "read" | "stat">, home: Home): LinkJson | undefined {
  const path = linkPath(isRevision(home) ? parentHome(home) : home);
  if (files.stat(path) === undefined) return undefined;
  const read = files.read(path, LINK_BYTES_MAX);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return LinkJson.safeParse(jsonOf(text)).data;
}

/**
 * Whether a place is in touch: it was heard no longer ago than a working link is ever silent, and its executor has not
 * said since then that nothing runs there.
 */
export function isLinkHeard({ heardMs = 0, absent }: Partial<LinkJson>, nowMs: number): boolean {
  return absent === undefined && nowMs - heardMs <= LINK_SILENCE_MS_MAX;
}

/** The holders of leases that were alive when the place of a session was last heard. */
export function farHolders(link: LinkJson, home: Home): readonly FarHolder[] {
  return link.alive[isRevision(home) ? basename(home.directory) : TOP] ?? [];
}

/** The name of the session's own home among those of its revisions. */
export const TOP = ".";

function isRevision({ directory }: Home): boolean {
  return revisionNumber(basename(directory)) !== undefined;
}
