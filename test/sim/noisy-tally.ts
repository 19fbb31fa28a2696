import type { NoisySession } from "./simulate-noisy.ts";

/** The rates at which looks are red by chance. */
export const NOISE_RATES = [0.01, 0.05, 0.2] as const;

/** How noisy sessions ended, and what they cost, in one line. */
export function noisyTallyOf(rate: number, sessions: readonly NoisySession[]): string {
  const count = (isCounted: (session: NoisySession) => boolean) =>
    String(sessions.filter(isCounted).length);
  const mean = (numberOf: (session: NoisySession) => number) =>
    (sessions.reduce((sum, one) => sum + numberOf(one), 0) / sessions.length).toFixed(1);
  const kinds = ["narrowable", "named", "silent"].map((kind) => {
    const ends = ["complete", "question", "stuck"].map((end) => {
      return `${end} ${count(({ runner, ending }) => runner === kind && ending === end)}`;
    });
    return `${kind}: ${ends.join(", ")}`;
  });
  return [
    `${String(rate * 100)} %: ${String(sessions.length)} sessions`,
    ...kinds,
    `runs per session: ${mean(({ runs }) => runs)}`,
    `noise per session: ${mean(({ troubles }) => troubles)}`,
    `right attempts repeated: ${mean(({ lost }) => lost)}`,
  ].join("; ");
}

/** What noisy sessions did that they may not do, with the command that runs each alone. */
export function noisyWrongs(
  sessions: readonly NoisySession[],
  ...kinds: readonly string[]
): readonly string[] {
  return sessions.flatMap(({ seed, rate, wrongs }) =>
    wrongs
      .filter(({ invariant }) => kinds.length === 0 || kinds.includes(invariant))
      .map(({ invariant, what }) => {
        const alone = `WISP_SIM_SEED=${String(seed)} WISP_SIM_RATE=${String(rate)} npx vitest run test/sim/noisy-looks.test.ts`;
        return `seed ${String(seed)} at ${String(rate)}: ${invariant}: ${what}\n  alone: ${alone}`;
      }),
  );
}
