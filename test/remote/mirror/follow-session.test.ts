import { expect, test } from "vitest";
import {
  LINK_BACKOFF_MS_MAX,
  LINK_BACKOFF_MS_MIN,
  LINK_SILENCE_MS_MAX,
} from "../../../src/base/limits.ts";
import {
  ExecutorRefused,
  PlaceGone,
  type Executor,
  type FarStreams,
  type PlaceState,
} from "../../../src/base/ports/executor.ts";
import type { ProgramEnd } from "../../../src/base/ports/programs.ts";
import { fail, ok, type Result } from "../../../src/base/result.ts";
import { BadFrame } from "../../../src/remote/mirror/frame.ts";
import { followSession, type Following } from "../../../src/remote/follow/follow-session.ts";
import { SteppedClock } from "../../rig/stepped-clock.ts";

/** The largest random number: delays are as long as they can be. */
const ALMOST_ONE = 1 - Number.EPSILON;

type Exec = (streams: FarStreams) => Promise<Result<ProgramEnd, never>>;

const ENDED: ProgramEnd = { kind: "exited", exitCode: 1, stderr: "one\nthe last words\n" };
const breaks: Exec = () => Promise.resolve(ok(ENDED));
/** A link over which nothing comes until it is cut. */
const silent: Exec = ({ signal }) =>
  new Promise((resolve) => {
    const end = () => resolve(ok({ kind: "stopped", stderr: "" }));
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });

/** A follower over links that the test scripts. */
function followed(more: Partial<Following> = {}, clock = new SteppedClock()) {
  const stop = new AbortController();
  const links: Exec[] = [];
  const connectedMs: number[] = [];
  const troubles: unknown[] = [];
  const absences: string[] = [];
  let closed = 0;
  const state: { now: Result<PlaceState, ExecutorRefused> } = { now: ok({ kind: "up" }) };
  const unused = (): never => {
    throw new Error("a follower does not do that");
  };
  const executor: Executor = {
    ...{ kind: "local", name: "local" },
    ...{ create: unused, detach: unused, isRunning: unused, signal: unused },
    ...{ put: unused, get: unused, follow: unused, destroy: unused },
    status: () => Promise.resolve(state.now),
    exec: (_place, _command, streams = {}) => {
      connectedMs.push(clock.nowMs());
      return (links.shift() ?? breaks)(streams);
    },
  };
  const program = { version: 1, digest: "0", node: "n", entry: "e", path: "/bin" } as const;
  const ended = followSession({
    ...{ clock, executor, place: { id: "p", root: "/p" }, session: "demo", signal: stop.signal },
    program: { ...program, repository: "/p/repository", state: "/p/state" },
    openReceiver: () => ({
      request: () => Promise.resolve(ok("{}")),
      take: () => Promise.resolve(ok(undefined)),
      close: () => void (closed += 1),
    }),
    onConnecting: () => Promise.resolve(ok(undefined)),
    onTrouble: (failure) => troubles.push(failure),
    onAbsent: (absent, { kind }) => absences.push(`${absent}: ${kind}`),
    random: () => ALMOST_ONE,
    ...more,
  });
  const gaps = () => connectedMs.slice(1).map((ms, index) => ms - (connectedMs[index] ?? 0));
  return {
    ...{ clock, stop, links, state, ended, troubles, absences, gaps, connectedMs },
    closed: () => closed,
  };
}

test("a link that breaks again and again is tried after growing delays, up to the limit", async () => {
  const { clock, stop, ended, gaps, troubles, closed } = followed();
  await clock.pass(6 * 60_000);
  const [first, second, third, ...rest] = gaps();
  expect([first, second, third]).toEqual([1, 2, 4].map((times) => times * LINK_BACKOFF_MS_MIN));
  expect(rest.slice(-3)).toEqual([1, 1, 1].map(() => LINK_BACKOFF_MS_MAX));
  expect(troubles[0]).toMatchObject({ kind: "executor-unreachable", detail: "the last words" });
  expect(closed()).toBe(troubles.length);
  stop.abort();
  expect(await ended).toEqual(ok(undefined));
});

test("followers whose links broke at once do not all come back at once", async () => {
  const early = followed({ random: () => 0 });
  const late = followed();
  await early.clock.pass(6 * 60_000);
  await late.clock.pass(6 * 60_000);
  expect(early.gaps().slice(0, 3)).toEqual(
    [1, 2, 4].map((times) => (times * LINK_BACKOFF_MS_MIN) / 2),
  );
  expect(early.gaps().at(-1)).toBe(LINK_BACKOFF_MS_MAX / 2);
  expect(late.gaps().at(-1)).toBe(LINK_BACKOFF_MS_MAX);
  for (const { stop, ended } of [early, late]) {
    stop.abort();
    expect(await ended).toEqual(ok(undefined));
  }
});

test("a silent link is cut, and being silent is not holding: the delays grow", async () => {
  const clock = new SteppedClock();
  const more: Partial<Following> = {
    // The keeper there takes its time, too.
    onConnecting: async () => {
      await clock.sleep(2_000);
      return ok(undefined);
    },
  };
  const { stop, ended, gaps, links, troubles } = followed(more, clock);
  links.push(silent, silent, silent, silent);
  await clock.pass(4 * (LINK_SILENCE_MS_MAX + LINK_BACKOFF_MS_MAX));
  expect(troubles[0]).toMatchObject({ detail: "the connection was silent" });
  expect(gaps().slice(0, 3)).toEqual(
    [1, 2, 4].map((times) => LINK_SILENCE_MS_MAX + 2_000 + times * LINK_BACKOFF_MS_MIN),
  );
  stop.abort();
  await clock.pass(2_000);
  expect(await ended).toEqual(ok(undefined));
});

test("a link that is heard now and then is not cut, and after it the delay begins anew", async () => {
  const { clock, stop, gaps, links, ended } = followed();
  const beats: Exec = async ({ onStdout, signal }) => {
    for (let beat = 0; beat < 6; beat++) {
      await clock.sleep(LINK_SILENCE_MS_MAX - 1);
      expect(signal?.aborted).toBe(false);
      await onStdout?.(Uint8Array.of(0));
    }
    return ok(ENDED);
  };
  links.push(breaks, breaks, breaks, breaks, beats);
  await clock.pass(5 * 60_000);
  const held = 6 * (LINK_SILENCE_MS_MAX - 1);
  expect(gaps().slice(3, 6)).toEqual([
    8 * LINK_BACKOFF_MS_MIN,
    held + LINK_BACKOFF_MS_MIN,
    2 * LINK_BACKOFF_MS_MIN,
  ]);
  stop.abort();
  expect(await ended).toEqual(ok(undefined));
});

test("time that this side takes for what has arrived is no silence of the link", async () => {
  const clock = new SteppedClock();
  const more: Partial<Following> = {
    openReceiver: () => ({
      request: () => Promise.resolve(ok("{}")),
      take: async () => {
        await clock.sleep(3 * LINK_SILENCE_MS_MAX);
        return ok(undefined);
      },
      close: () => undefined,
    }),
  };
  const { stop, links, troubles, ended } = followed(more, clock);
  links.push(async ({ onStdout, signal }) => {
    await onStdout?.(Uint8Array.of(0));
    expect(signal?.aborted).toBe(false);
    return ok(ENDED);
  });
  await clock.pass(4 * LINK_SILENCE_MS_MAX);
  expect(troubles[0]).toMatchObject({ detail: "the last words" });
  stop.abort();
  await clock.pass(3 * LINK_SILENCE_MS_MAX);
  expect(await ended).toEqual(ok(undefined));
});

test("a receiver that fails ends the connection, which is told, and the next one is tried", async () => {
  const bad = BadFrame({ problem: "noise" });
  const { clock, stop, links, troubles, connectedMs, ended } = followed({
    openReceiver: () => ({
      request: () => Promise.resolve(ok("{}")),
      take: () => Promise.resolve(fail(bad)),
      close: () => undefined,
    }),
  });
  links.push(async (streams) => {
    await streams.onStdout?.(Uint8Array.of(0));
    return silent(streams);
  });
  await clock.pass(LINK_BACKOFF_MS_MIN);
  expect(troubles[0]).toEqual(bad);
  expect(connectedMs.length).toBeGreaterThanOrEqual(1);
  stop.abort();
  expect(await ended).toEqual(ok(undefined));
});

test("what cannot be read here is told, and tried again without a connection", async () => {
  const bad = BadFrame({ problem: "unreadable" });
  const { clock, stop, troubles, connectedMs, ended } = followed({
    openReceiver: () => ({
      request: () => Promise.resolve(fail(bad)),
      take: () => Promise.resolve(ok(undefined)),
      close: () => undefined,
    }),
  });
  await clock.pass(4 * LINK_BACKOFF_MS_MIN);
  expect(troubles).toEqual([bad, bad, bad]);
  expect(connectedMs).toEqual([]);
  stop.abort();
  expect(await ended).toEqual(ok(undefined));
});

test("it ends only when the executor says that the place is gone, and tells of one where nothing runs", async () => {
  const gone = PlaceGone({ executor: "local", place: "p", session: "demo" });
  const { clock, state, links, ended, connectedMs, absences } = followed({
    onConnecting: () => Promise.resolve(fail(gone)),
  });
  links.push(breaks);
  await clock.pass(10 * LINK_BACKOFF_MS_MAX);
  state.now = fail(ExecutorRefused({ executor: "local", detail: "no" }));
  await clock.pass(10 * LINK_BACKOFF_MS_MAX);
  state.now = ok({ kind: "down", reason: "maintenance" });
  await clock.pass(10 * LINK_BACKOFF_MS_MAX);
  expect(connectedMs).toEqual([]);
  expect(new Set(absences)).toEqual(new Set(["down: executor-unreachable"]));
  state.now = ok({ kind: "gone" });
  await clock.pass(LINK_BACKOFF_MS_MAX);
  expect(await ended).toEqual(fail(gone));
  expect(absences.at(-1)).toBe("gone: place-gone");
});

test("a follower that is told to end while it gets ready to connect ends, and holds no link", async () => {
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const { clock, stop, links, ended, closed } = followed({
    onConnecting: async () => {
      await ready;
      return ok(undefined);
    },
  });
  links.push(silent);
  await clock.pass(1);
  stop.abort();
  isReady();
  await clock.pass(1);
  expect(await Promise.race([ended, Promise.resolve("goes on")])).toEqual(ok(undefined));
  expect(closed()).toBe(1);
});
