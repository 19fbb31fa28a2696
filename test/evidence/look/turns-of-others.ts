import { mkdirSync } from "node:fs";
import { need } from "../../../src/base/fatal.ts";
import type { Clock } from "../../../src/base/ports/clock.ts";
import type { Role } from "../../../src/base/role.ts";
import { leasePath, roleLog, type Home } from "../../../src/fs-protocol/home/home.ts";
import { CommonRecord } from "../../../src/fs-protocol/records/common-records.ts";
import { createHost } from "../../../src/host/host.ts";
import { createJournal } from "../../../src/work/journal.ts";
import type { Ports } from "../../../src/work/role-context.ts";

/* Turns of engines as the files of a session tell them, and a role that waits for them. */

const UNIT = "review:One:1";

function journalAt(home: Home, role: Role) {
  mkdirSync(home.logs, { recursive: true });
  return createJournal(createHost(), roleLog(home, role), CommonRecord);
}

/** A turn of that role begins. */
export function begins(home: Home, role: Role, output = "one"): void {
  const journal = journalAt(home, role);
  journal.append({
    ...{ kind: "turn.begin", time: journal.time(), unit: UNIT, purpose: "review" },
    ...{ attempt: 1, engine: "script", output },
  });
}

/** It ends. */
export function ends(home: Home, role: Role, output = "one"): void {
  const journal = journalAt(home, role);
  const turn = { unit: UNIT, output, outcome: "ended" } as const;
  journal.append({ kind: "turn.end", time: journal.time(), ...turn });
}

/** A process of that role lives, as far as others can tell. */
export async function lives(home: Home, role: Role) {
  mkdirSync(home.locks, { recursive: true });
  return need(await createHost().locks.takeLease(leasePath(home, role)));
}

/** A role whose sleeps are noted, after each of which something may happen. */
export function waiter<C extends { readonly ports: Ports }>(
  context: C,
  then: (sleptMs: number) => void = () => undefined,
) {
  let sleptMs = 0;
  const clock: Clock = {
    nowMs: () => Date.parse("2026-11-20T12:00:00.000Z") + sleptMs,
    sleep: async (durationMs) => {
      sleptMs += durationMs;
      then(sleptMs);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const own = { ...context, ports: { ...context.ports, clock } };
  return { context: own, sleptMs: () => sleptMs };
}
