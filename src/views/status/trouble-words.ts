import type { Role } from "../../base/role.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** What works less well than it could, as the roles' processes say themselves. */
export function troubleWords(facts: StatusFacts): readonly string[] {
  const { homeTrouble, supervisorSaid, alive, state } = facts;
  const isUnexplained = !alive.has("supervisor") && state.supervisor.lastEnd === undefined;
  return [
    ...(homeTrouble === undefined ? [] : [homeTrouble]),
    ...(isUnexplained && supervisorSaid !== undefined
      ? [`the last supervisor said: ${supervisorSaid}`]
      : []),
    ...roleTroubles(facts),
  ];
}

function roleTroubles({ troubles, alive }: StatusFacts): readonly string[] {
  if (troubles === undefined) return [];
  const byErrno = new Map<string, Role[]>();
  for (const [role, errno] of troubles.polling) {
    // Whoever is started next may get them again.
    if (alive.has(role)) byErrno.set(errno, [...(byErrno.get(errno) ?? []), role]);
  }
  const polling = [...byErrno].map(
    ([errno, roles]) =>
      `no file events for ${roles.join(", ")} (${errno}): the files are looked at every second instead`,
  );
  const restored = [...troubles.restored].map(
    ([file, times]) =>
      `${file} was changed by somebody else and put back${times === 1 ? "" : `, ${String(times)} times`}`,
  );
  return [...polling, ...restored];
}
