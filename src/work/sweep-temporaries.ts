import { basename, dirname } from "node:path";
import { need } from "../base/fatal.ts";
import type { Files } from "../base/ports/files.ts";
import type { Role } from "../base/role.ts";
import { leasePath, type Home } from "../fs-protocol/home/home.ts";
import { copyPath } from "../fs-protocol/home/copy-path.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import { ownFiles } from "../home/own-files.ts";

interface Owner {
  readonly role: Role | "supervisor";
  readonly home: Home;
  readonly session: Pick<SessionJson, "state" | "createdAt">;
}

/**
 * Removes the temporary files that killed processes of a role left next to the files that only this role writes. The
 * caller must hold the role's lease, so that no other process of the role is using one. Temporary files next to shared
 * files stay; `wisp fsck --repair` removes them while no role can run.
 */
export function sweepTemporaries(
  files: Pick<Files, "removeTemporaries">,
  { role, home, session }: Owner,
): void {
  const byDirectory = new Map<string, string[]>();
  for (const path of ownPaths(role, home)) {
    const directory = dirname(path);
    byDirectory.set(directory, [...(byDirectory.get(directory) ?? []), basename(path)]);
  }
  for (const [directory, names] of byDirectory) need(files.removeTemporaries(directory, names));
  need(files.removeTemporaries(dirname(copyPath(session, `${role}Log`))));
}

function ownPaths(role: Owner["role"], home: Home): readonly string[] {
  // Another role may be restoring session.json right now.
  const own = ownFiles(role, home).filter((path) => path !== home.sessionJson);
  return [home[`${role}Log`], `${leasePath(home, role)}.json`, ...own];
}
