import { expect, test } from "vitest";
import { closeInterruptedTurns } from "../../../src/work/turn/close-interrupted-turns.ts";
import { runTurn } from "../../../src/work/turn/run-turn.ts";
import type { RoleTurn } from "../../../src/work/turn/turn.ts";
import type { RoleContext } from "../../../src/work/role-context.ts";
import type { Engine, TurnOutcome, TurnRecord, TurnRequest } from "../../../src/engines/engine.ts";
import type { FailureClass } from "../../../src/fs-protocol/records/failure-class.ts";
import { SESSION } from "../../rig/session.ts";
import { memoryRole } from "../../agents/memory-role.ts";
import { said } from "../../agents/turns.ts";

type Play = (request: TurnRequest) => TurnOutcome;

/** A builder with these engines: its own first, then two substitutes. */
function builderWith(plays: Readonly<Record<string, Play>>, recall: TurnRecord = {}) {
  const names = Object.keys(plays);
  const [own = "", ...others] = names;
  const argv = ["./agent.sh"];
  const setting = {
    ...SESSION.engines.builder,
    name: own,
    fallbacks: others.filter((name) => name !== "named").map((name) => ({ name, argv })),
  };
  const role = memoryRole("builder", () => said(""), {
    session: { engines: { ...SESSION.engines, builder: setting } },
  });
  const asked: [string, TurnRequest][] = [];
  const engines = Object.entries(plays).map(([name, play]): Engine => {
    const turn = (request: TurnRequest) => {
      asked.push([name, request]);
      return Promise.resolve(play(request));
    };
    return {
      name,
      turn,
      recall: (_: string, resumed: string | undefined) => ({ session: resumed, ...recall }),
    };
  });
  const context: RoleContext<"builder"> = { ...role.context, engines };
  const run = (fields: Partial<RoleTurn> = {}) => runTurn(context, { ...TURN, ...fields });
  return { ...role, context, asked, run };
}

const TURN: RoleTurn = {
  purpose: "build",
  unit: "build:API:1",
  attempt: 1,
  ask: 1,
  prompt: "Build it",
  folder: { directory: "/state/demo/builder/turn", files: [] },
  cwd: "/clone",
  milestone: "API",
};

function failed(failure: FailureClass, untilMs?: number): TurnOutcome {
  return { kind: "failed", reason: `it is ${failure}`, failure, untilMs };
}

const START_MS = Date.parse("2026-11-20T12:00:00.000Z");

test("a unit that starts again resumes the session of its last turn, and a new unit does not", async () => {
  const { run, asked } = builderWith({ claude: () => ({ ...said(""), session: "s-1" }) });
  await run();
  await run({ ask: 2 });
  await run({ unit: "build:API:2" });
  await run({ unit: "fix:COR-1:1", resumes: ["fix:COR-1:0", "build:API:2"] });
  expect(asked.map(([, { resume }]) => resume?.session)).toEqual([
    undefined,
    "s-1",
    undefined,
    "s-1",
  ]);
  expect(asked.map(([, { prompt }]) => prompt === "Build it")).toEqual([true, false, true, false]);
});

test("a session of one engine is not given to another", async () => {
  let isLimited = false;
  const { run, asked } = builderWith({
    claude: () => (isLimited ? failed("limited") : { ...said(""), session: "s-1" }),
    codex: () => said(""),
  });
  await run();
  isLimited = true;
  await run({ ask: 2 });
  expect(asked.map(([name, { resume }]) => [name, resume?.session])).toEqual([
    ["claude", undefined],
    ["claude", "s-1"],
    ["codex", undefined],
  ]);
});

test("the prompt of an engine that cannot resume a conversation names how earlier turns ended", async () => {
  const { run, asked } = builderWith({ command: () => ({ ...said(""), summary: "Half is done" }) });
  await run();
  await run({ unit: "build:API:2", resumes: ["build:API:1"] });
  await run({ unit: "build:Web:1" });
  const [first, second, other] = asked.map(([, { prompt }]) => prompt);
  expect(first).toBe("Build it");
  expect(second).toContain("- command ended: Half is done\n");
  expect(second?.startsWith("Build it\n\n")).toBe(true);
  expect(other).toBe("Build it");
});

test("the prompt of a substitute names the turns of an engine at its limit, and not the limit", async () => {
  let isLimited = false;
  const { run, asked } = builderWith({
    claude: () => (isLimited ? failed("limited") : { ...said(""), summary: "One", session: "s-1" }),
    codex: () => said(""),
  });
  await run();
  isLimited = true;
  await run({ ask: 2 });
  const prompt = asked.at(-1)?.[1].prompt ?? "";
  expect(prompt.split("\n").filter((line) => line.startsWith("- "))).toEqual([
    "- claude ended: One",
  ]);
});

test("an engine at its limit is held until the limit ends, and the next engine substitutes", async () => {
  const untilMs = START_MS + 3_600_000;
  const { run, asked, ports, recordsOf } = builderWith({
    claude: () => failed("limited", untilMs),
    codex: () => said(""),
  });
  expect(await run()).toMatchObject({ kind: "ended" });
  await run({ unit: "build:API:2" });
  expect(asked.map(([name]) => name)).toEqual(["claude", "codex", "codex"]);
  expect(recordsOf("limited")).toEqual([
    expect.objectContaining({
      engine: "claude",
      cause: "limited",
      until: "2026-11-20T13:00:00.000Z",
    }),
  ]);
  await ports.clock.sleep(3_600_001);
  await run({ unit: "build:API:3" });
  expect(asked.at(-2)?.[0]).toBe("claude");
});

test("after its limit the first engine goes on with its own conversation, and hears what was done since", async () => {
  let isLimited = false;
  const { run, asked, ports } = builderWith({
    claude: () =>
      isLimited
        ? { ...failed("limited", START_MS + 3_600_000), session: "s-1" }
        : { ...said(""), session: "s-1" },
    codex: () => ({ ...said(""), summary: "Half is done", session: "c-1" }),
  });
  await run();
  isLimited = true;
  await run({ ask: 2 });
  isLimited = false;
  await ports.clock.sleep(3_700_000);
  await run({ attempt: 2 });
  await run({ attempt: 3 });
  expect(asked.map(([name, { resume }]) => [name, resume?.session])).toEqual([
    ["claude", undefined],
    ["claude", "s-1"],
    ["codex", undefined],
    ["claude", "s-1"],
    ["claude", "s-1"],
  ]);
  const prompts = asked.map(([, { prompt }]) => prompt.includes("- codex ended: Half is done"));
  expect(prompts).toEqual([false, false, false, true, false]);
});

/** Lets a limit that was guessed pass, and runs the turn again. */
async function again({ run, ports }: ReturnType<typeof builderWith>): Promise<TurnOutcome> {
  await ports.clock.sleep(3_600_000);
  return run();
}

test("every sixth hold in a row for nothing but words is a failed attempt", async () => {
  const builder = builderWith({ claude: () => ({ ...failed("limited"), evidence: "words" }) });
  const kinds: string[] = [];
  for (let nth = 1; nth <= 12; nth++) kinds.push((await again(builder)).kind);
  expect(kinds.map((kind, at) => (kind === "failed" ? at + 1 : 0)).filter(Boolean)).toEqual([
    6, 12,
  ]);
  expect(builder.recordsOf("limited")).toHaveLength(12);
  expect(builder.recordsOf("limited")[0]).toMatchObject({ end: "guessed", evidence: "words" });
});

test.each(["event", "status"] as const)(
  "a limit that is known by an %s never counts as an attempt",
  async (evidence) => {
    const builder = builderWith({ claude: () => ({ ...failed("limited"), evidence }) });
    for (let nth = 1; nth <= 20; nth++) expect(await again(builder)).toEqual({ kind: "stopped" });
  },
);

test("holds for nothing but words are counted anew after an answer, of whichever engine", async () => {
  const builder = builderWith({
    claude: () => ({ ...failed("limited"), evidence: "words" }),
    codex: () => said(""),
  });
  for (let nth = 1; nth <= 20; nth++) expect((await again(builder)).kind).toBe("ended");
});

test("if all engines are held there is no turn, no failure, and no attempt", async () => {
  const { run, asked, recordsOf } = builderWith({ claude: () => failed("auth") });
  expect(await run()).toEqual({ kind: "stopped" });
  expect(await run()).toEqual({ kind: "stopped" });
  expect(asked).toHaveLength(1);
  expect(recordsOf("limited")[0]).toMatchObject({ cause: "auth", reason: "it is auth" });
  expect(recordsOf("limited")[0]?.until).toBeUndefined();
});

test("a turn is retried a few times with growing pauses if the provider is down, then the engine is held", async () => {
  const { run, asked, ports, recordsOf } = builderWith({ claude: () => failed("overloaded") });
  expect(await run()).toEqual({ kind: "stopped" });
  expect(asked).toHaveLength(5);
  expect(ports.clock.sleptMs).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(recordsOf("limited")[0]).toMatchObject({ cause: "overloaded" });
});

test.each(["no-session", "context-too-long"] as const)(
  "a useless session (%s) is dropped, and the turn repeated in a fresh one",
  async (failure) => {
    const { run, asked } = builderWith({
      claude: ({ resume }) =>
        resume === undefined ? { ...said(""), session: "s-1" } : failed(failure),
    });
    await run();
    expect(await run({ ask: 2 })).toMatchObject({ kind: "ended" });
    expect(asked.map(([, { resume }]) => resume?.session)).toEqual([undefined, "s-1", undefined]);
  },
);

test.each(["crash", "hang", "gibberish", "refused-permission", "context-too-long"] as const)(
  "a failure of the turn itself (%s) counts",
  async (failure) => {
    const { run, asked, recordsOf } = builderWith({ claude: () => failed(failure) });
    expect(await run()).toMatchObject({ kind: "failed", failure });
    expect(asked).toHaveLength(1);
    expect(recordsOf("turn.end")[0]).toMatchObject({ outcome: "failed", failure });
  },
);

test("the usage of each turn is recorded, even if the engine reports sums of its session", async () => {
  let [input, costUsd] = [0, 0];
  const { run, recordsOf, context } = builderWith({
    claude: () => {
      [input, costUsd] = [input + 100, costUsd + 0.25];
      const tokens = { input, output: 10, cached: 0 };
      const usage = { tokens, costUsd, tokensBasis: "session", costBasis: "session" } as const;
      return { ...said(""), session: "s-1", model: "large", usage };
    },
  });
  await run();
  await run({ ask: 2 });
  expect(recordsOf("turn.end").map(({ cost, tokens }) => [cost, tokens?.input])).toEqual([
    [0.25, 100],
    [0.25, 100],
  ]);
  const view = context.reader.readTurns();
  expect(view.ok && view.value.facts.spend).toEqual([
    expect.objectContaining({ milestone: "API", model: "large", turns: 2, costUsd: 0.5 }),
  ]);
});

test("impossible values are left out of the usage record", async () => {
  const usage = {
    tokens: { input: -1, output: 0.5, cached: 0 },
    costUsd: Number.NaN,
    tokensBasis: "run",
    costBasis: "run",
  } as const;
  const { run, recordsOf } = builderWith({
    claude: () => ({ ...said(""), session: "a\u0000b", model: "m".repeat(500), usage }),
  });
  await run();
  const [end] = recordsOf("turn.end");
  expect([end?.cost, end?.tokens, end?.session, end?.model]).toEqual(Array(4).fill(undefined));
});

test("a turn gets the engine that it asks for, with its model, unless that engine is held", async () => {
  let isLimited = false;
  const { run, asked } = builderWith({
    claude: () => said(""),
    named: () => (isLimited ? failed("limited") : said("")),
  });
  await run({ engine: "named", model: "large" });
  isLimited = true;
  await run({ engine: "named", model: "large", unit: "build:API:2" });
  await run({ engine: "gone", model: "large", unit: "build:API:3" });
  expect(asked.map(([name, { model }]) => [name, model])).toEqual([
    ["named", "large"],
    ["named", "large"],
    ["claude", undefined],
    ["claude", undefined],
  ]);
});

test("the end of a turn during which the role was killed is recorded with what its output reports", async () => {
  const usage = {
    tokens: { input: 7, output: 3, cached: 0 },
    costUsd: 0.5,
    tokensBasis: "run",
    costBasis: "run",
  } as const;
  const { context, run, asked, recordsOf } = builderWith(
    { claude: () => said("") },
    { session: "s-9", model: "large", usage },
  );
  const { journal } = context;
  const begun = { unit: TURN.unit, purpose: "build", attempt: 1, engine: "claude", output: "o-1" };
  journal.append({ kind: "turn.begin", time: journal.time(), ...begun });
  await closeInterruptedTurns(context);
  await closeInterruptedTurns(context);
  expect(recordsOf("turn.end")).toEqual([
    expect.objectContaining({ outcome: "stopped", session: "s-9", cost: 0.5, output: "o-1" }),
  ]);
  await run();
  expect(asked[0]?.[1].resume).toEqual({ session: "s-9" });
});

test("a note reports once, while the turn runs, that an engine retries by itself", async () => {
  const retry = { kind: "retry", trouble: { message: "overloaded" } } as const;
  const { run, recordsOf } = builderWith({
    claude: ({ onEvent }) => {
      onEvent?.(retry);
      onEvent?.(retry);
      return said("");
    },
  });
  await run();
  expect(recordsOf("note").map(({ text }) => text)).toEqual([
    "claude tries again by itself: overloaded",
  ]);
});
