import { expect, test } from "vitest";
import { present } from "../../../src/base/assert.ts";
import { ROLES, type Role } from "../../../src/base/role.ts";
import {
  decide,
  FINISH_CODE,
  type RoleHolder,
  type RoleView,
  type SupervisorView,
} from "../../../src/agents/supervisor/decide.ts";
import { FRESH } from "../../../src/agents/supervisor/restart-history.ts";
import type { SessionFacts } from "../../../src/agents/supervisor/session-facts.ts";
import { DEFAULT_TIMING } from "../../../src/agents/supervisor/timing.ts";
import { FOUR_STARTS, only, supervise, timesOf, type World } from "./virtual-supervision.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function at(atMs: number, happen: (world: World) => void) {
  return { atMs, happen };
}

function over(how: "complete" | "stuck" | "stopped" | undefined) {
  return (world: World) => {
    world.session = { ...world.session, over: how };
  };
}

const everybodyEnds = (world: World) => {
  for (const role of ROLES) world.end(role);
};

test("all four roles are started at once, planner first", () => {
  const { trace } = supervise({ life: () => undefined, untilMs: HOUR_MS });
  expect(trace).toEqual(FOUR_STARTS);
});

test("a role without work is started half a second later, or as soon as it has work", () => {
  const busyAt = (atMs: number, ...busy: readonly string[]) =>
    at(atMs, (world) => {
      world.session = { ...world.session, hasWork: (role) => busy.includes(role) };
    });
  const events = [busyAt(0, "planner"), busyAt(200, "planner", "builder")];
  const { trace } = supervise({ life: () => undefined, events, untilMs: HOUR_MS });
  expect(trace).toEqual([
    "0 start planner",
    "200 start builder",
    "500 start reviewer",
    "500 start tester",
  ]);
});

test("the first restart is at once, the next wait 0.5 s, doubling up to 30 s", () => {
  // 16 s each: never five crashes within a minute, never healthy.
  const life = only("reviewer", () => ({ ranMs: 16_000, code: 1 }));
  const { trace } = supervise({ life, untilMs: 10 * MINUTE_MS });
  const starts = timesOf(trace, "start reviewer");
  const ends = timesOf(trace, "reviewer ended: crash");
  const waits = ends.slice(0, -1).map((endMs, index) => (starts[index + 1] ?? NaN) - endMs);
  expect(waits.slice(0, 9)).toEqual([0, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  expect(timesOf(trace, "fail reviewer")).toEqual([]);
});

test("a role that ran for a minute has its backoff reset", () => {
  const lives = [1, 1, 1, MINUTE_MS, 1];
  const life = only("tester", (n) => ({ ranMs: lives[n - 1] ?? HOUR_MS, code: 1 }));
  const { trace } = supervise({ life, untilMs: 5 * MINUTE_MS });
  const starts = timesOf(trace, "start tester");
  const ends = timesOf(trace, "tester ended: crash");
  const waits = ends.map((endMs, index) => (starts[index + 1] ?? NaN) - endMs);
  expect(waits).toEqual([0, 500, 1000, 0, 500]);
});

test("a role that ran for almost a minute does not have its backoff reset", () => {
  const life = only("tester", (n) => ({ ranMs: n === 1 ? 1 : MINUTE_MS - 1, code: 1 }));
  const { trace } = supervise({ life, untilMs: 2.5 * MINUTE_MS });
  const starts = timesOf(trace, "start tester");
  const ends = timesOf(trace, "tester ended: crash");
  expect(ends.slice(0, 2).map((endMs, index) => (starts[index + 1] ?? NaN) - endMs)).toEqual([
    0, 500,
  ]);
});

test("five crashes within a minute are a loop: the role is given up, the others continue", () => {
  const life = only("tester", () => ({ ranMs: 0, code: 1 }));
  const { trace, cause } = supervise({ life, untilMs: HOUR_MS });
  expect(timesOf(trace, "start tester")).toEqual([0, 0, 500, 1500, 3500]);
  expect(timesOf(trace, "fail tester")).toEqual([3500]);
  expect(trace.filter((line) => line.includes("terminate"))).toEqual([]);
  expect(cause).toBeUndefined();
});

test("five crashes in more than a minute are no loop", () => {
  const lives = [1, 1, 1, 56_500];
  const life = only("tester", (n) => ({ ranMs: lives[n - 1] ?? 1, code: 1 }));
  const { trace } = supervise({ life, untilMs: 66_000 });
  const ends = timesOf(trace, "tester ended: crash");
  expect(ends.length).toBeGreaterThanOrEqual(5);
  expect((ends[4] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(MINUTE_MS);
  expect(timesOf(trace, "fail tester")).toEqual([]);
});

test("a role that exits with 0 although there is work counts as crashed", () => {
  const life = only("planner", () => ({ ranMs: 10, code: 0 }));
  const { trace } = supervise({ life, untilMs: HOUR_MS });
  expect(timesOf(trace, "start planner")).toHaveLength(5);
  expect(timesOf(trace, "fail planner")).toHaveLength(1);
});

test("if the builder is in a crash loop all other roles are asked to end, and the exit code is 5", () => {
  const life = only("builder", () => ({ ranMs: 0, code: 1 }));
  const { trace, cause } = supervise({ life, leavesAfterMs: () => 300, untilMs: HOUR_MS });
  expect(trace.slice(-8)).toEqual([
    "3500 fail builder",
    "3500 terminate planner",
    "3500 terminate reviewer",
    "3500 terminate tester",
    "3800 planner ended: asked",
    "3800 reviewer ended: asked",
    "3800 tester ended: asked",
    "3800 finish builder-failed",
  ]);
  expect(FINISH_CODE[cause === "builder-failed" ? cause : "signal"]).toBe(5);
});

test("a process that was started by hand or by another supervisor is left alone", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [
      at(0, (world) => {
        world.hold("builder", "by-hand");
        world.hold("tester", "inherited");
      }),
    ],
    untilMs: HOUR_MS,
  });
  expect(trace).toEqual(["0 start planner", "0 start reviewer"]);
});

test("a role whose lease is released is started again", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [
      at(0, (world) => world.hold("builder", "by-hand")),
      at(HOUR_MS, (world) => world.end("builder")),
    ],
    untilMs: 2 * HOUR_MS,
  });
  expect(timesOf(trace, "start builder")).toEqual([HOUR_MS]);
});

test("a failed role that a person starts by hand is no longer failed, and supervised again", () => {
  const life = only("tester", (n) => (n <= 5 ? { ranMs: 0, code: 1 } : undefined));
  const { trace } = supervise({
    life,
    events: [
      at(MINUTE_MS, (world) => world.hold("tester", "by-hand")),
      at(HOUR_MS, (world) => world.end("tester")),
    ],
    untilMs: 2 * HOUR_MS,
  });
  expect(trace.slice(-3)).toEqual([
    `${MINUTE_MS} lift tester`,
    `${HOUR_MS} tester ended: crash`,
    `${HOUR_MS} start tester`,
  ]);
});

test("a new supervisor starts a failed role again, before the others", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [
      at(0, (world) => {
        world.session = { ...world.session, failed: new Map([["reviewer", "crash loop"]]) };
      }),
    ],
    untilMs: HOUR_MS,
  });
  expect(trace).toEqual([
    "0 start reviewer",
    "0 start planner",
    "0 start builder",
    "0 start tester",
  ]);
});

test.each([
  ["complete", 0],
  ["stuck", 5],
  ["stopped", 0],
] as const)("%s ends the supervision with %i once all roles have ended", (how, code) => {
  const { trace, cause } = supervise({
    life: () => undefined,
    events: [
      at(1000, over(how)),
      at(2000, (world) => {
        world.end("planner");
        world.end("builder");
        world.end("tester");
      }),
      at(3000, (world) => world.end("reviewer")),
    ],
    untilMs: HOUR_MS,
  });
  expect(cause).toBe(how);
  expect(FINISH_CODE[how]).toBe(code);
  expect(trace.slice(4)).toEqual([
    "2000 planner ended: over",
    "2000 builder ended: over",
    "2000 tester ended: over",
    "3000 reviewer ended: over",
    `3000 finish ${how}`,
  ]);
});

test("no role is started if the session is already over", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [at(0, over("complete"))],
    untilMs: HOUR_MS,
  });
  expect(trace).toEqual(["0 finish complete"]);
});

test("roles that ended with the session are started at once when it is reopened", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [
      at(1000, over("complete")),
      at(2000, (world) => {
        world.end("planner");
        world.end("builder");
      }),
      at(2500, over(undefined)),
    ],
    untilMs: HOUR_MS,
  });
  expect(trace.slice(-2)).toEqual(["2500 start planner", "2500 start builder"]);
});

test("the exit code for a rewritten branch stops all roles and ends with 5", () => {
  const life = only("builder", () => ({ ranMs: 5000, code: 5 }));
  const { trace, cause } = supervise({ life, untilMs: HOUR_MS });
  expect(cause).toBe("branch-rewritten");
  expect(timesOf(trace, "start builder")).toEqual([0]);
  expect(trace).toContain("5000 terminate planner");
});

test("on a branch that is already rewritten no role is started, and the exit code is 5", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [
      at(0, (world) => {
        world.session = { ...world.session, isRewritten: true };
      }),
    ],
    untilMs: HOUR_MS,
  });
  expect(trace).toEqual(["0 finish branch-rewritten"]);
});

test("a signal asks the roles to end, kills those that do not after 10 s, and ends with 130", () => {
  const { trace, cause } = supervise({
    life: () => undefined,
    leavesAfterMs: (role) => (role === "tester" ? Infinity : 200),
    events: [at(1000, (world) => (world.signals = 1))],
    untilMs: HOUR_MS,
  });
  expect(trace.slice(4)).toEqual([
    ...ROLES.map((role) => `1000 terminate ${role}`),
    "1200 planner ended: asked",
    "1200 builder ended: asked",
    "1200 reviewer ended: asked",
    "11000 kill tester",
    "11000 tester ended: asked",
    "11000 finish signal",
  ]);
  expect(FINISH_CODE[cause === "signal" ? cause : "complete"]).toBe(130);
});

test("a second signal kills at once", () => {
  const { trace } = supervise({
    life: () => undefined,
    leavesAfterMs: () => Infinity,
    events: [at(1000, (world) => (world.signals = 1)), at(1500, (world) => (world.signals = 2))],
    untilMs: HOUR_MS,
  });
  expect(timesOf(trace, "kill builder")).toEqual([1500]);
  expect(trace.at(-1)).toBe("1500 finish signal");
});

test("a signal ends processes of an earlier supervisor, but never those that were started by hand", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [
      at(0, (world) => {
        world.hold("builder", "by-hand");
        world.hold("tester", "inherited");
      }),
      at(1000, (world) => (world.signals = 1)),
    ],
    untilMs: HOUR_MS,
  });
  expect(timesOf(trace, "terminate tester")).toEqual([1000]);
  expect(timesOf(trace, "terminate builder")).toEqual([]);
  expect(trace.at(-1)).toBe("1000 finish signal");
});

test("no role is started while a signal is in force", () => {
  const { trace } = supervise({
    life: only("tester", (n) => (n < 3 ? { ranMs: n === 1 ? 500 : 400, code: 1 } : undefined)),
    leavesAfterMs: () => 5000,
    events: [at(1000, (world) => (world.signals = 1))],
    untilMs: HOUR_MS,
  });
  expect(timesOf(trace, "start tester")).toEqual([0, 500]);
});

test("if everything waits for an answer that nobody can give, the exit code is 4", () => {
  const { trace, cause } = supervise({
    life: () => undefined,
    events: [
      at(1000, (world) => {
        world.session = { ...world.session, asks: "Which database?" };
      }),
    ],
    untilMs: HOUR_MS,
  });
  expect(cause).toBe("input-needed");
  expect(FINISH_CODE["input-needed"]).toBe(4);
  expect(timesOf(trace, "terminate builder")).toEqual([1000]);
});

test("an answer that arrives while the roles are ending has them started again at once", () => {
  const { trace, cause } = supervise({
    life: () => undefined,
    leavesAfterMs: (role) => (role === "tester" ? 800 : 100),
    events: [
      at(1000, (world) => {
        world.session = { ...world.session, asks: "Which database?" };
      }),
      at(1500, (world) => {
        world.session = { ...world.session, asks: undefined };
      }),
    ],
    untilMs: HOUR_MS,
  });
  expect(cause).toBeUndefined();
  expect(timesOf(trace, "start builder")).toEqual([0, 1500]);
  expect(timesOf(trace, "start tester")).toEqual([0, 1800]);
});

test("a session that ends while the roles are stopped for another reason ends with its own cause", () => {
  const { cause } = supervise({
    life: () => undefined,
    leavesAfterMs: () => 800,
    events: [
      at(1000, (world) => {
        world.session = { ...world.session, asks: "Which database?" };
      }),
      at(1500, over("complete")),
    ],
    untilMs: HOUR_MS,
  });
  expect(cause).toBe("complete");
});

test("roles that are all killed at once are started again at once", () => {
  const { trace } = supervise({
    life: () => undefined,
    events: [at(MINUTE_MS, everybodyEnds)],
    untilMs: HOUR_MS,
  });
  expect(trace.slice(-4)).toEqual(ROLES.map((role) => `${MINUTE_MS} start ${role}`));
});

test("a role that was killed after the end is started once more, to complete its files", () => {
  const life = only("tester", (n) => ({ ranMs: n === 1 ? 1000 : 100, code: 137 }));
  const leave = at(1000, (world) => {
    over("complete")(world);
    for (const role of ["planner", "builder", "reviewer"] as const) world.end(role);
  });
  const { trace, cause } = supervise({ life, events: [leave], untilMs: HOUR_MS });
  expect(timesOf(trace, "start tester")).toEqual([0, 1000]);
  expect(timesOf(trace, "start reviewer")).toEqual([0]);
  expect(cause).toBe("complete");
  expect(trace.at(-1)).toBe("1100 finish complete");
});

test("a role that was killed before the end and was in its backoff is started once more, too", () => {
  const life = only("tester", (n) => (n < 3 ? { ranMs: 1000, code: 137 } : { ranMs: 10, code: 0 }));
  const events = [
    at(2100, (world) => {
      over("stuck")(world);
      for (const role of ["planner", "builder", "reviewer"] as const) world.end(role);
    }),
  ];
  const { trace, cause } = supervise({ life, events, untilMs: HOUR_MS });
  expect(timesOf(trace, "start tester")).toEqual([0, 1000, 2100]);
  expect(cause).toBe("stuck");
});

test.each(["child", "inherited", "by-hand"] as const)(
  "a restart that a person requests replaces the %s process, by force if necessary",
  (whose) => {
    const asked = at(1000, (world) => {
      if (whose !== "child") world.hold("tester", whose);
      world.toRestart.add("tester");
    });
    const script = { life: () => undefined, leavesAfterMs: () => Infinity, events: [asked] };
    const { trace } = supervise({ ...script, untilMs: HOUR_MS });
    expect(trace.slice(FOUR_STARTS.length)).toEqual([
      "1000 terminate tester",
      "11000 kill tester",
      "11000 tester ended: asked",
      "11000 start tester",
    ]);
  },
);

const LOOP = { ...FRESH, crashesMs: [1, 2, 3, 4, 5], shortRuns: 5, notBeforeMs: 8005 };

function held(whose: RoleHolder["whose"], askedMs?: number, isKilled = false): RoleView {
  return { ...FREE, holder: { whose, pid: 7, askedMs, isKilled } };
}

const FREE = { holder: undefined, history: FRESH, isToRestart: false };

const ROLE_VIEWS: readonly RoleView[] = [
  FREE,
  { ...FREE, history: { ...FRESH, crashesMs: [5], shortRuns: 1, notBeforeMs: 100_000 } },
  { ...FREE, history: LOOP },
  held("child"),
  held("child", 5),
  held("child", 5, true),
  held("inherited"),
  { ...held("inherited"), isOfOther: true },
  held("by-hand"),
  { ...held("by-hand"), isToRestart: true },
  { ...FREE, history: { ...FRESH, files: "behind" } },
];

const REVIEWERS: readonly RoleView[] = [FREE, held("by-hand")];

const ROLE_COMBINATIONS: readonly SupervisorView["roles"][] = ROLE_VIEWS.flatMap((planner) =>
  ROLE_VIEWS.flatMap((builder) =>
    ROLE_VIEWS.flatMap((tester) =>
      REVIEWERS.map((reviewer) => ({ planner, builder, reviewer, tester })),
    ),
  ),
);

const FLAGS = [false, true];
const SESSIONS: readonly SessionFacts[] = ([undefined, "complete", "stopped"] as const).flatMap(
  (over) =>
    FLAGS.flatMap((isRewritten) =>
      FLAGS.flatMap((isAsking) =>
        FLAGS.flatMap((isFailed) =>
          FLAGS.map((isDamaged) => ({
            over,
            isRewritten,
            damage: isDamaged ? "logs/tester.log is a pipe" : undefined,
            asks: isAsking ? "?" : undefined,
            failed: new Map(isFailed ? [["reviewer", "crash loop"]] : []),
            restarts: new Map(),
            hasWork: () => true,
          })),
        ),
      ),
    ),
);

function* allViews(): Generator<SupervisorView> {
  for (const session of SESSIONS) {
    for (const roles of ROLE_COMBINATIONS) {
      const view = { nowMs: 50_000, beganMs: 0, session, roles };
      yield { ...view, signals: 0, sawRewritten: false };
      yield { ...view, signals: 0, sawRewritten: true };
      yield { ...view, signals: 1, sawRewritten: false };
      yield { ...view, signals: 2, sawRewritten: false };
    }
  }
}

/** What a decision must never do, whatever the view. */
function wrongsOf(view: SupervisorView): readonly string[] {
  const { session, roles, signals, sawRewritten } = view;
  const decision = decide(view, DEFAULT_TIMING);
  const holders = ROLES.map((role) => roles[role].holder).filter((holder) => holder !== undefined);
  const mayNotStart = (role: Role) => {
    if (signals > 0 || session.damage !== undefined) return true;
    if (session.over !== undefined) return roles[role].history.files !== "behind";
    return sawRewritten || session.isRewritten || session.asks !== undefined;
  };
  const mayAsk = (role: Role) => roles[role].holder?.whose !== "by-hand" || roles[role].isToRestart;
  if (decision.kind === "finish") {
    return holders.some(({ whose }) => whose !== "by-hand") ? ["leaves its roles behind"] : [];
  }
  if (decision.kind === "wait") {
    // L1: without any process, time alone leads to the next step.
    return holders.length === 0 && decision.untilMs === undefined ? ["waits for ever"] : [];
  }
  return decision.actions.flatMap(({ kind, role }) => {
    const { holder, history } = roles[role];
    switch (kind) {
      case "start":
        if (holder !== undefined) return ["starts a role whose lease is held"];
        if (ROLES.some((one) => roles[one].isOfOther)) return ["starts beside another version"];
        if (history.notBeforeMs > view.nowMs || history === LOOP) return ["starts too early"];
        return mayNotStart(role) ? ["starts a role without need"] : [];
      case "terminate":
        return holder?.askedMs === undefined && mayAsk(role) ? [] : ["asks wrongly"];
      case "kill":
        return holder !== undefined && mayAsk(role) ? [] : ["kills wrongly"];
      case "lift":
        return holder === undefined ? ["lifts who is not there"] : [];
      case "fail":
        return history === LOOP ? [] : ["gives up who did not crash"];
    }
  });
}

test("roles of two versions never work at once: what another version left is asked to end before any starts", () => {
  const left = { ...held("inherited"), isOfOther: true };
  const roles = { planner: FREE, builder: left, reviewer: FREE, tester: held("inherited") };
  const [session] = SESSIONS.filter(({ over, isRewritten }) => over === undefined && !isRewritten);
  const at = { nowMs: 50_000, beganMs: 0, signals: 0, sawRewritten: false };
  const view = { ...at, session: { ...present(session, "one runs"), asks: undefined }, roles };
  expect(decide(view, DEFAULT_TIMING)).toEqual({
    kind: "act",
    actions: [{ kind: "terminate", role: "builder" }],
  });
  const asked = { ...left, holder: { ...present(left.holder, "it is held"), askedMs: 49_999 } };
  const later = { ...view, roles: { ...roles, builder: asked } };
  expect(decide(later, DEFAULT_TIMING)).toMatchObject({ kind: "wait" });
  const free = decide({ ...view, roles: { ...roles, builder: FREE } }, DEFAULT_TIMING);
  expect(free.kind === "act" ? free.actions : []).toContainEqual({
    kind: "start",
    role: "builder",
  });
});

test("no decision, in any view, touches a process that it must not, or waits for ever", () => {
  let count = 0;
  const wrongs = new Set<string>();
  for (const view of allViews()) {
    count += 1;
    for (const wrong of wrongsOf(view)) wrongs.add(wrong);
  }
  expect([...wrongs]).toEqual([]);
  expect(count).toBe(3 * 2 * 2 * 2 * 2 * ROLE_VIEWS.length ** 3 * 2 * 4);
});
