import type { Role } from "../../base/role.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** What works less well than it should, as the roles' processes report it. */
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
    // The next process of the role may get file events again.
    if (alive.has(role)) byErrno.set(errno, [...(byErrno.get(errno) ?? []), role]);
  }
  const polling = [...byErrno].map(
    ([errno, roles]) =>
      `no file events for ${roles.join(", ")} (${errno}): the files are polled every second instead`,
  );
  const restored = [...troubles.restored].map(
    ([file, times]) =>
      `${file} was changed by someone else and restored${times === 1 ? "" : `, ${String(times)} times`}`,
  );
  return [...polling, ...restored];
}
