import { TestScheduler } from "rxjs/testing";
import { expect, test } from "vitest";
import type { WatchHint } from "../../src/base/ports/watcher.ts";
import { LOOKS_AGAIN_MS, lookAgain } from "../../src/streams/look-again.ts";

const HINTS: Record<string, WatchHint> = {
  a: { path: "/session/locks/builder.lock.json" },
  d: { path: "/session/locks" },
  o: { path: "/session/logs/builder.log" },
};

/** Draws what becomes of hints; times in milliseconds. */
function expectLooks(hints: string, looks: string): void {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run((draw) => {
    const look$ = draw.cold(hints, HINTS).pipe(lookAgain("/session/locks", scheduler));
    draw.expectObservable(look$, "^ 999ms !").toBe(looks, HINTS);
  });
}

test("a lease that is freed after the last event about it is looked at again, twice", () => {
  expect(LOOKS_AGAIN_MS).toEqual([20, 250]);
  expectLooks("a", "a 19ms a 229ms a");
  expectLooks("5ms d", "5ms d 19ms d 229ms d");
});

test("other hints are passed on once, and delay no look", () => {
  expectLooks("o", "o");
  expectLooks("a-o", "a-o 17ms a 229ms a");
});
