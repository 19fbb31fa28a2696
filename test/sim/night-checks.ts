import type { NightRun } from "./simulate-night.ts";

const MINUTE_MS = 60_000;
/** A role that began its turn at the same time as another one was told cannot have known. */
const AT_ONCE_MS = 10_000;

function named({ seed }: NightRun, engine: string, atMs: number): string {
  return `night ${String(seed)}: ${engine} at ${new Date(atMs).toISOString()}`;
}

/** Turns that were begun with an engine before a limit that it had told was over. */
export function earlyTurns(night: NightRun): readonly string[] {
  return night.windows.flatMap(({ engine, toldMs = Infinity, toMs }) =>
    night.turns
      .filter((turn) => turn.engine === engine)
      .filter(({ atMs }) => atMs > toldMs + AT_ONCE_MS && atMs < toMs)
      .map(({ atMs }) => named(night, engine, atMs)),
  );
}

/** When both engines were at a limit that was told, and until one of them was not. */
export function pausesOf({ windows }: NightRun): readonly { readonly toMs: number }[] {
  const told = windows.flatMap((one) =>
    one.toldMs === undefined ? [] : [{ ...one, toldMs: one.toldMs }],
  );
  const ofCodex = told.filter(({ engine }) => engine === "codex");
  return told
    .filter(({ engine }) => engine === "claude")
    .flatMap((one) => ofCodex.map((other) => [one, other] as const))
    .flatMap(([one, other]) => {
      const toMs = Math.min(one.toMs, other.toMs);
      return Math.max(one.toldMs, other.toldMs) + 2 * MINUTE_MS < toMs ? [{ toMs }] : [];
    });
}

/** Pauses after which no turn was begun within two minutes. */
export function latePauses(night: NightRun): readonly string[] {
  return pausesOf(night)
    .filter(({ toMs }) => {
      const later = night.turns.map(({ atMs }) => atMs).filter((atMs) => atMs >= toMs);
      return Math.min(...later) > toMs + 2 * MINUTE_MS;
    })
    .map(({ toMs }) => named(night, "both", toMs));
}

/** Turns of the second engine although the first one was free, and left alone for more than its minute. */
export function turnsOfOther(night: NightRun): readonly string[] {
  const limits = night.windows.filter(({ engine }) => engine === "claude");
  return night.turns
    .filter(({ engine }) => engine === "codex")
    .filter(({ atMs }) => {
      return !limits.some((one) => one.fromMs <= atMs && atMs <= one.toMs + 2 * MINUTE_MS);
    })
    .map(({ engine, atMs }) => named(night, engine, atMs));
}
