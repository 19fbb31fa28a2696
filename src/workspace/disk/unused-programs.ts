import { join } from "node:path";
import { LEFTOVER_MS_MIN } from "../../base/limits.ts";
import { ROLES } from "../../base/role.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import { namesIn } from "../../host/files/entry-kind.ts";
import { readHolder } from "../../host/locks/lease-holder.ts";
import { HAS_PROC } from "../../host/processes/process-identity.ts";
import { commandLines } from "../../host/processes/command-lines.ts";
import { programsDirectory } from "../state-directory.ts";
import type { World } from "../world.ts";
import type { KeptSession } from "./kept-sessions.ts";

/**
 * The copies of wisp that nothing runs: another version's, a day old, and named neither by the lease of a session nor by
 * the command line of a process.
 */
export function unusedPrograms(
  { host, env, program }: Pick<World, "host" | "env" | "program">,
  sessions: readonly KeptSession[],
): readonly string[] {
  // Without it, nobody knows what runs.
  if (!HAS_PROC) return [];
  const directory = programsDirectory(env);
  const nowMs = host.clock.nowMs();
  const others = namesIn(directory)
    .filter((name) => name !== program.code)
    .map((name) => ({ name, path: join(directory, name) }))
    .filter(({ path }) => {
      return nowMs - (host.files.stat(path)?.changedMs ?? nowMs) > LEFTOVER_MS_MIN;
    });
  if (others.length === 0) return [];
  const lines = commandLines();
  const homes = sessions.flatMap(({ found, revisions }) =>
    [found, ...revisions].map(({ home }) => home),
  );
  const leased = homes.flatMap((home) =>
    (["supervisor", ...ROLES] as const).map(
      (role) => readHolder(host.files, leasePath(home, role))?.code,
    ),
  );
  return others
    .filter(({ name }) => !leased.includes(name))
    .map(({ path }) => path)
    .filter((path) => !lines.some((line) => line.includes(`${path}/`)));
}
