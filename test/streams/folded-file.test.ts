import fc from "fast-check";
import { Subject } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect, test } from "vitest";
import { need } from "../../src/base/fatal.ts";
import { SWEEP_MS } from "../../src/base/limits.ts";
import type { Oid } from "../../src/base/oid.ts";
import type { WatchHint } from "../../src/base/ports/watcher.ts";
import { ok } from "../../src/base/result.ts";
import { LOG_NAMES, type LogName } from "../../src/base/role.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { homeAt, logPath } from "../../src/fs-protocol/home/home.ts";
import { LOG_SCHEMAS, type RecordOfLog } from "../../src/fs-protocol/home/logs.ts";
import { createSessionReader } from "../../src/session/state/session-reader.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { waitFor } from "../../src/session/steps/step.ts";
import { coordinator } from "../../src/streams/coordinator.ts";
import { changesOf, changesOfAny, foldsOf } from "../../src/streams/folded-file.ts";
import { watchHints } from "../../src/streams/watch-hints.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { builder, human, reviewer, sha } from "../rig/records.ts";
import { SESSION } from "../rig/session.ts";
import { VirtualTime } from "../rig/virtual-time.ts";

const HOME = homeAt("/repository/.wisp/sessions/demo");
const REVIEWER = logPath(HOME, "reviewer");

/** Files that record which of them were read. */
class LookedAtFiles extends MemoryFiles {
  readonly #looked = new Set<string>();

  override stat(path: string) {
    this.#looked.add(path);
    return super.stat(path);
  }

  /** The logs that were read since the last call. */
  take(): readonly LogName[] {
    const logs = LOG_NAMES.filter((log) => this.#looked.has(logPath(HOME, log)));
    this.#looked.clear();
    return logs;
  }
}

/** A home and a branch that others write to, and a reader of them. */
function rig() {
  const files = new LookedAtFiles();
  const commits: Oid[] = [];
  const hub = {
    directory: SESSION.repository,
    head: async () => commits.at(-1) ?? SESSION.base,
    commits: async () => ok([...commits]),
  };
  const lineOf = <L extends LogName>(log: L, record: RecordOfLog<L>) =>
    Buffer.from(encodeRecord(LOG_SCHEMAS[log], record));
  const append = <L extends LogName>(log: L, record: RecordOfLog<L>) =>
    need(files.append(logPath(HOME, log), lineOf(log, record)));
  const newReader = () => createSessionReader(files, hub, HOME, SESSION);
  return { files, commits, lineOf, append, newReader };
}

/** The builder's loop over them, in virtual time: what it has read, and from which logs. */
async function live() {
  const { files, lineOf, append, newReader } = rig();
  const time = new VirtualTime();
  const native$ = new Subject<WatchHint>();
  const reader = newReader();
  const states: SessionState[] = [];
  const hint$ = watchHints({ watch: () => native$ }, [HOME.logs, HOME.directory], time.scheduler);
  const subscription = coordinator({
    hint$: changesOfAny(reader.logs, hint$),
    nowMs: () => time.nowMs,
    scheduler: time.scheduler,
    decide: async () => {
      states.push(need(await reader.readOn("builder")));
      return waitFor({ kind: "idle" });
    },
    perform: async () => undefined,
  }).subscribe();
  // As the watcher does when it is ready.
  await time.advanceTo(0);
  native$.next({ path: HOME.logs });
  await time.advanceTo(time.nowMs);
  files.take();
  const hint = async (path: string) => {
    native$.next({ path });
    await time.advanceTo(time.nowMs);
  };
  return { files, lineOf, append, states, time, hint, subscription };
}

test("a file is touched by hints about it and about a directory above it, and by no other", () => {
  const HINTS: Record<string, WatchHint> = {
    f: { path: REVIEWER },
    o: { path: logPath(HOME, "builder") },
    p: { path: `${HOME.logs}/reviewer` },
    d: { path: HOME.logs },
    h: { path: HOME.directory },
  };
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run((draw) => {
    const hint$ = () => draw.cold("--f-o-p-d-h", HINTS);
    const file = { path: REVIEWER };
    draw.expectObservable(changesOf(file, hint$())).toBe("--f-----d-h", HINTS);
    draw.expectObservable(changesOfAny([file], hint$())).toBe("--f-----d-h", HINTS);
    let touches = 0;
    const folded = { ...file, touch: () => void (touches += 1), readOn: () => ok(touches) };
    const folds = { a: ok(0), b: ok(1), c: ok(2), d: ok(3) };
    draw.expectObservable(foldsOf(folded, hint$())).toBe("a-b-----c-d", folds);
  });
});

test("a hint about the reviewer's log causes a read of it and the reader's own log only", async () => {
  const { files, append, states, hint, subscription } = await live();
  append("reviewer", reviewer.commit(1));
  append("human", human.say("pause"));
  files.take();
  await hint(REVIEWER);
  expect(files.take()).toEqual(["builder", "reviewer"]);
  expect(states.at(-1)).toMatchObject({
    human: { paused: false },
    reviewer: { checkpoint: sha(1) },
  });
  await hint(logPath(HOME, "human"));
  expect(files.take()).toEqual(["builder", "human"]);
  expect(states.at(-1)?.human.paused).toBe(true);
  subscription.unsubscribe();
});

test("a hint about an unused file wakes nobody", async () => {
  const { files, states, hint, time, subscription } = await live();
  const looks = states.length;
  await hint(HOME.reviews);
  await hint(`${HOME.logs}/supervisor.out`);
  await time.advanceTo(SWEEP_MS - 1);
  expect(states).toHaveLength(looks);
  expect(files.take()).toEqual([]);
  subscription.unsubscribe();
});

test("the sweep, which checks every log, makes up for a lost hint", async () => {
  const { files, append, states, time, subscription } = await live();
  append("human", human.say("pause"));
  files.take();
  await time.advanceTo(SWEEP_MS - 1);
  expect(states.at(-1)?.human.paused).toBe(false);
  await time.advanceTo(SWEEP_MS);
  expect(states.at(-1)?.human.paused).toBe(true);
  expect(new Set(files.take())).toEqual(new Set(LOG_NAMES));
  subscription.unsubscribe();
});

test("a torn write is read once it is complete, at the hint of its rest", async () => {
  const { files, lineOf, states, hint, subscription } = await live();
  const line = lineOf("human", human.say("stop"));
  files.write(HOME.humanLog, line.subarray(0, 20));
  await hint(HOME.humanLog);
  expect(states.at(-1)?.human.stopped).toBe(false);
  files.write(HOME.humanLog, line);
  await hint(HOME.humanLog);
  expect(states.at(-1)?.human.stopped).toBe(true);
  subscription.unsubscribe();
});

test("a log that could not be read is read the next time, without another hint", async () => {
  const { files, append, newReader } = rig();
  const reader = newReader();
  append("human", human.say("pause"));
  files.fault = (_, path) => (path === HOME.humanLog ? "EIO" : undefined);
  expect(await reader.readOn()).toMatchObject({ ok: false, failure: { errno: "EIO" } });
  files.fault = () => undefined;
  expect(need(await reader.readOn()).human.paused).toBe(true);
});

test("a commit is nobody's own while the log that names it was not read, though no hint came", async () => {
  const { commits, append, newReader } = rig();
  const reader = newReader();
  await reader.readOn("builder");
  append("reviewer", reviewer.commit(1));
  commits.push(sha(1));
  expect(need(await reader.readOn("builder")).branch).toMatchObject({ head: sha(1), settled: 0 });
  const state = need(await reader.readOn("builder"));
  expect(state).toMatchObject({ reviewer: { checkpoint: sha(1) }, branch: { settled: 1 } });
});

type Happening =
  | { readonly kind: "append"; readonly log: LogName; readonly isHinted: boolean }
  | { readonly kind: "tear" | "publish" | "look" | "sweep" }
  | { readonly kind: "hint"; readonly log: LogName };

const log = fc.constantFrom(...LOG_NAMES);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant("append" as const), log, isHinted: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("tear", "publish", "look", "look", "sweep") }),
  fc.record({ kind: fc.constant("hint" as const), log }),
);

/** Others write, hints come or are lost, and a reader that follows them reads now and then. */
function followed() {
  const { files, commits, lineOf, append, newReader } = rig();
  const hint$ = new Subject<WatchHint>();
  const reader = newReader();
  changesOfAny(reader.logs, hint$).subscribe();
  let announced = 0;
  const write = (to: LogName, n: number) => {
    if (to === "builder") append(to, builder.begin(`build:A:${String(n)}`));
    else if (to === "reviewer") append(to, reviewer.commit((announced += 1)));
    else append("human", n % 2 === 0 ? human.say("pause") : human.update(n));
  };
  const look = async () => {
    const state = need(await reader.readOn("builder"));
    // Commits that existed before the logs were read are named by them.
    const named = state.reviewer.checkpoint;
    expect(named === undefined ? 0 : Number.parseInt(named, 16)).toBeGreaterThanOrEqual(
      state.branch.settled,
    );
    return state;
  };
  const sweep = () => hint$.next({ path: HOME.logs });
  const act = async (what: Happening, n: number) => {
    if (what.kind === "append") write(what.log, n);
    if (what.kind === "tear") {
      const torn = lineOf("tester", { kind: "note", time: "2026-11-20T12:00:00.000Z", text: "x" });
      const there = files.textOf(logPath(HOME, "tester"));
      files.write(logPath(HOME, "tester"), there + torn.toString().slice(0, 1 + (n % 20)));
    }
    if (what.kind === "publish")
      for (let next = commits.length + 1; next <= announced; next++) commits.push(sha(next));
    if (what.kind === "look") await look();
    if (what.kind === "sweep") sweep();
    if (what.kind === "hint" || (what.kind === "append" && what.isHinted))
      hint$.next({ path: logPath(HOME, what.log) });
  };
  return { act, look, sweep, newReader };
}

test("in any order of appends, hints, lost hints and reads, the result is as if all was read at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 60, size: "max" }), async (happenings) => {
      const { act, look, sweep, newReader } = followed();
      for (const [n, what] of happenings.entries()) await act(what, n);
      // The second sweep finds settled what the first found on the branch.
      sweep();
      await look();
      sweep();
      expect(await look()).toEqual(need(await newReader().read()));
    }),
    { numRuns: 300 },
  );
});
