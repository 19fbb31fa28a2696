import { Subject, tap, VirtualTimeScheduler } from "rxjs";
import { expect, test } from "vitest";
import { polls, POLLS_AT_REST } from "../../../src/agents/supervisor/polls.ts";

const POLL_MS = 500;
const REST_MS = POLLS_AT_REST * POLL_MS;

/** When there are polls within `untilMs`, if `hasToPoll` is as given, and leases change hands at `leasesMs`. */
function pollsOf(
  hasToPoll: (nowMs: number) => boolean,
  { untilMs, leasesMs = [] }: { untilMs: number; leasesMs?: readonly number[] },
): readonly number[] {
  const scheduler = new VirtualTimeScheduler(undefined, untilMs);
  const lease$ = new Subject<void>();
  const supervisor = {
    get hasToPoll() {
      return hasToPoll(scheduler.now());
    },
  };
  const seen: number[] = [];
  const polls$ = polls(supervisor, { pollMs: POLL_MS }, lease$, scheduler);
  const subscription = polls$.pipe(tap(() => seen.push(scheduler.now()))).subscribe({
    error: (error: unknown) => {
      throw error;
    },
  });
  for (const ms of leasesMs) scheduler.schedule(() => lease$.next(), ms);
  scheduler.flush();
  subscription.unsubscribe();
  return seen;
}

test("with nothing to poll for, there is one poll in ten", () => {
  expect(pollsOf(() => false, { untilMs: 3 * REST_MS })).toEqual([
    REST_MS,
    2 * REST_MS,
    3 * REST_MS,
  ]);
});

test("while there is something to poll for, there are polls from the start on", () => {
  const seen = pollsOf(() => true, { untilMs: REST_MS - 1 });
  expect(seen).toEqual([500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500]);
});

test("after leases may have changed hands, there are polls for as long as there is something to poll for", () => {
  const isShortly = (nowMs: number) => nowMs >= 700 && nowMs < 2_000;
  expect(pollsOf(isShortly, { untilMs: REST_MS - 1, leasesMs: [700] })).toEqual([1_200, 1_700]);
});

test("what is to be polled for and gave no hint is noticed at the next poll at rest, and polled from then on", () => {
  const seen = pollsOf((nowMs) => nowMs > 1_000, { untilMs: REST_MS + 1_600 });
  expect(seen).toEqual([REST_MS, REST_MS + 500, REST_MS + 1_000, REST_MS + 1_500]);
});
