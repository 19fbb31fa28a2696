import { expect, test } from "vitest";
import { criticalChain } from "../../bench/critical-path.js";
import { readTrace } from "../../bench/trace.js";
import { beyondPath } from "../../bench/traced.js";
import { partsOf, reasonOf, sumOf, withFloor, wordsOf } from "../../bench/waiting-path.js";

const PIDS = { start: 1, supervisor: 2, planner: 3, builder: 4 };
type Process = keyof typeof PIDS;
/** A span with its begin and end in milliseconds. */
type Spanned = readonly [process: Process, cat: string, name: string, from: number, to: number];

function traceOf(...spans: readonly Spanned[]) {
  const named = Object.entries(PIDS).map(([name, pid]) => ({
    ph: "M",
    name: "process_name",
    pid,
    args: { name: `wisp ${name}` },
  }));
  const events = spans.map(([process, cat, name, from, to]) => {
    return { ph: "X", cat, name, pid: PIDS[process], ts: from * 1_000, dur: (to - from) * 1_000 };
  });
  const lines = [...named, ...events].map((event) => `,${JSON.stringify(event)}`);
  return readTrace(`[\n${lines.join("\n")}\n,{"ph":"X","na`);
}

function partsIn(
  trace: ReturnType<typeof traceOf>,
  from: number,
  to: number,
  path: readonly Process[],
): Readonly<Record<string, readonly [ms: number, count: number]>> {
  const parts = partsOf(trace, { fromMs: from, toMs: to, path });
  return Object.fromEntries([...parts].map(([kind, { ms, count }]) => [kind, [ms, count]]));
}

test("each moment counts once: for the innermost kind of work, and what is none of them is wisp's computing", () => {
  const trace = traceOf(
    ["builder", "unit", "build:M1:1", 0, 100],
    ["builder", "git", "git status", 10, 30],
    ["builder", "git", "git status", 20, 40],
    ["builder", "append", "builder.log", 35, 50],
    ["builder", "lock", "PROGRESS.txt", 45, 60],
    ["builder", "engine", "command", 90, 400],
  );
  expect(partsIn(trace, 0, 95, ["builder"])).toEqual({
    "wisp's computing": [40, 0],
    git: [30, 2],
    "appends and files, synced": [10, 1],
    locks: [10, 1],
    "starting and ending engines": [5, 1],
  });
});

test("a moment belongs to the first process of the path that does not wait, and to noticing if all wait", () => {
  const trace = traceOf(
    ["builder", "append", "builder.log", 0, 10],
    ["builder", "wait", "idle", 10, 100],
    ["planner", "wait", "idle", 0, 25],
    ["planner", "read", "fold", 25, 40],
    // A copy that is made ahead while the role waits is not waited for.
    ["planner", "git", "git clone", 0, 20],
  );
  expect(partsIn(trace, 0, 40, ["planner", "builder"])).toEqual({
    "appends and files, synced": [10, 1],
    "until it is noticed": [15, 0],
    "reading logs": [15, 1],
  });
});

test("what passes from the command, or from the start of a process, to its first span is the start of Node", () => {
  const trace = traceOf(
    ["start", "start", "load", 4, 50],
    ["start", "start", "node", 4, 20],
    ["start", "run", "start a process of wisp", 50, 52],
    ["start", "wait", "supervisor", 52, 200],
    ["planner", "start", "load", 55, 90],
    ["planner", "start", "node", 55, 75],
  );
  expect(partsIn(trace, 0, 90, ["planner", "start"])).toEqual({
    "Node's start": [20 + 23, 2],
    "loading wisp": [30 + 15, 2],
    "other programs": [2, 1],
  });
  expect(partsIn(trace, 190, 230, ["start"])).toEqual({
    "until it is noticed": [10, 0],
    "ends of processes": [30, 0],
  });
});

test("a process that was killed computes between its spans, though no span is around them", () => {
  const trace = traceOf(
    ["builder", "append", "builder.log", 0, 10],
    ["builder", "append", "builder.log", 30, 40],
  );
  expect(partsIn(trace, 0, 50, ["builder"])).toEqual({
    "appends and files, synced": [20, 2],
    "wisp's computing": [20, 0],
    "ends of processes": [10, 0],
  });
});

test("the parts of several intervals are told as their mean, the largest first, with how many there were", () => {
  const trace = traceOf(
    ["builder", "git", "git fetch", 0, 20],
    ["builder", "git", "git status", 30, 70],
    ["builder", "git", "git status", 70, 80],
    ["builder", "unit", "build:M1:1", 0, 100],
  );
  const intervals = [
    { fromMs: 0, toMs: 30, path: ["builder"] },
    { fromMs: 30, toMs: 100, path: ["builder"] },
  ];
  const reason = "traced, mean of 2: 50 ms = git 35 (1.5), wisp's computing 15";
  expect(reasonOf(trace, intervals)).toBe(reason);
  expect(withFloor(reason, 19.94)).toBe(`${reason}; floor of the pieces 19.9`);
  expect(withFloor(reason, undefined)).toBe(reason);
  expect(reasonOf(trace, [])).toMatch(/^nothing/);
  const all = sumOf(intervals.map((interval) => partsOf(trace, interval)));
  expect(wordsOf(all)).toBe("100 ms = git 70 (3), wisp's computing 30");
});

const ACTIVITIES = [
  { purpose: "plan", beganMs: 10, endedMs: 50 },
  { purpose: "build", beganMs: 70, endedMs: 170 },
  { purpose: "review-commit", beganMs: 75, endedMs: 100 },
];

test("a run's time beyond its critical path is what lies between the links of that chain, and around it", () => {
  expect(criticalChain(ACTIVITIES).map(({ purpose }) => purpose)).toEqual(["plan", "build"]);
  const trace = traceOf(
    ["planner", "git", "git clone", 0, 10],
    ["planner", "engine", "command", 10, 50],
    ["planner", "append", "planner.log", 50, 59],
    ["planner", "wait", "idle", 59, 200],
    ["builder", "wait", "idle", 0, 62],
    ["builder", "unit", "build:M1:1", 62, 200],
  );
  expect(beyondPath(trace, ACTIVITIES, { beganMs: 0, endedMs: 200 })).toBe(
    "traced: beside 140 ms of critical path 60 ms = wisp's computing 38, git 10, appends and files, synced 9, until it is noticed 3",
  );
});
