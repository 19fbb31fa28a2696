/** Turns of one role overlap if several reviewers work at once; more than these share the last track. */
const TRACKS_MAX = 6;

/** A stretch of time, in milliseconds; without an end, it lasts. */
interface Stretch {
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/**
 * Spreads overlapping stretches over parallel tracks, so that each can be seen: each gets the first track that is
 * free at its begin. The stretches are in the order of their begins.
 */
export function tracksOf(
  stretches: readonly Stretch[],
  endMs: number,
): { readonly trackOf: readonly number[]; readonly tracks: number } {
  const freeMs: number[] = [];
  const trackOf = stretches.map(({ fromMs, toMs = endMs }) => {
    const free = freeMs.findIndex((ms) => ms <= fromMs);
    const track = free >= 0 ? free : Math.min(freeMs.length, TRACKS_MAX - 1);
    freeMs[track] = Math.max(freeMs[track] ?? 0, toMs);
    return track;
  });
  return { trackOf, tracks: Math.max(1, freeMs.length) };
}
