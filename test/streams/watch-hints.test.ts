import type { Observable } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect, test } from "vitest";
import { POLL_MS, SWEEP_MS } from "../../src/base/limits.ts";
import type { Watcher, WatchHint } from "../../src/base/ports/watcher.ts";
import { watchHints } from "../../src/streams/watch-hints.ts";

const HINTS: Record<string, WatchHint> = {
  a: { path: "/session/logs/a.log" },
  b: { path: "/session/logs/b.log" },
  l: { path: "/session/logs" },
  h: { path: "/session" },
  x: { path: "/session", lost: "EMFILE" },
};
const DIRECTORIES = ["/session/logs", "/session"];

function watcherOf(hint$: Observable<WatchHint>): Watcher {
  return { watch: () => hint$ } satisfies Watcher;
}

/** Draws what becomes of a watcher's hints; times in milliseconds. */
function expectHints(
  watched: string,
  options: { readonly hints: string; readonly end: string },
): void {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run((draw) => {
    const watcher = watcherOf(draw.cold(watched, HINTS));
    const hint$ = watchHints(watcher, DIRECTORIES, scheduler);
    draw.expectObservable(hint$, `^ ${options.end} !`).toBe(options.hints, HINTS);
  });
}

test("each hint is given at once and only once, also in a burst", () => {
  expectHints("5ms a", { hints: "5ms a", end: "1s" });
  expectHints("5ms a 19ms b 19ms a", { hints: "5ms a 19ms b 19ms a", end: "1s" });
});

test("every directory is checked periodically, even if the watcher is silent", () => {
  expectHints("-", {
    hints: `${SWEEP_MS}ms (lh) ${SWEEP_MS - 4}ms (lh)`,
    end: `${2.5 * SWEEP_MS}ms`,
  });
});

test("without file events every directory is checked every second", () => {
  expect(POLL_MS).toBe(1_000);
  const every = `(lh) ${POLL_MS - 4}ms `;
  expectHints("x---x", {
    hints: `x---x ${POLL_MS - 5}ms ${every}${every}(lh)`,
    end: `${3.5 * POLL_MS}ms`,
  });
});

test("when the watcher ends, the sweep continues", () => {
  expectHints("a|", {
    hints: `a ${SWEEP_MS - 1}ms (lh)`,
    end: `${1.5 * SWEEP_MS}ms`,
  });
});

test("unsubscribing stops the watcher and the sweep", () => {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run((draw) => {
    const source$ = draw.cold("a", HINTS);
    const watcher = watcherOf(source$);
    draw.expectObservable(watchHints(watcher, DIRECTORIES, scheduler), "^ 29ms !").toBe("a", HINTS);
    draw.expectSubscriptions(source$.subscriptions).toBe("^ 29ms !");
  });
});
