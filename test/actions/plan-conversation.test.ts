import { expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { talkOn, turnOn, type Conversations } from "../../src/actions/revise/plan-conversation.ts";
import type { Engine, InteractiveOptions, TurnOutcome } from "../../src/engines/engine.ts";
import { turnRequest } from "../engines-unit/turn-request.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/u;
const WHERE = { cwd: "/clone", runId: "run" };

/** An engine that a person talks with; its runs exit with these codes in turn. */
function talker(takesSessionId: boolean, codes: readonly number[]) {
  const opened: Pick<InteractiveOptions, "resume" | "begin">[] = [];
  const left = [...codes];
  const interactive: NonNullable<Engine["interactive"]> = (_, { resume, begin }) => {
    opened.push({ resume, begin });
    return Promise.resolve(ok({ kind: "exited", exitCode: left.shift() ?? 0 }));
  };
  const turn = () => Promise.reject(new Error("nobody asks for a turn"));
  return { opened, talker: { engine: { name: "claude", takesSessionId, turn }, interactive } };
}

test("feedback continues the person's conversation if wisp chose its id", async () => {
  const { opened, talker: claude } = talker(true, []);
  const conversations: Conversations = new Map();
  for (const prompt of ["plan", "more", "less"]) {
    await talkOn(conversations, claude, prompt, WHERE);
  }
  const { begin } = opened[0] ?? {};
  expect(begin).toMatch(UUID);
  expect(opened.slice(1)).toEqual([
    { resume: begin, begin: undefined },
    { resume: begin, begin: undefined },
  ]);
});

test("a new conversation begins after one that failed, and with an engine that chooses its own ids", async () => {
  const failing = talker(true, [0, 1, 0]);
  const conversations: Conversations = new Map();
  for (const prompt of ["plan", "more", "less"]) {
    await talkOn(conversations, failing.talker, prompt, WHERE);
  }
  const [first, second, third] = failing.opened;
  expect(second?.resume).toBe(first?.begin);
  expect(third?.begin).toMatch(UUID);
  expect(third?.begin).not.toBe(first?.begin);
  const other = talker(false, []);
  await talkOn(conversations, other.talker, "plan", WHERE);
  await talkOn(new Map(), other.talker, "plan", WHERE);
  expect(other.opened.at(-1)).toEqual({ resume: undefined, begin: undefined });
});

test("headless turns resume the engine session of the previous turn, and start a new one if it is lost", async () => {
  const ended = { kind: "ended", status: "DONE", summary: "", text: "" } as const;
  const lost = { kind: "failed", reason: "gone", failure: "no-session" } as const;
  const outcomes: TurnOutcome[] = [
    { ...ended, session: "s-1" },
    { ...ended, session: "s-1" },
    lost,
    { ...ended, session: "s-2" },
    { kind: "failed", reason: "crashed" },
    ended,
  ];
  const resumed: (string | undefined)[] = [];
  const engine: Engine = {
    name: "codex",
    turn: ({ resume }) => {
      resumed.push(resume?.session);
      return Promise.resolve(outcomes.shift() ?? ended);
    },
  };
  const conversations: Conversations = new Map();
  for (let round = 1; round <= 5; round++) {
    await turnOn(conversations, engine, () => turnRequest("/clone"));
  }
  expect(resumed).toEqual([undefined, "s-1", "s-1", undefined, "s-2", undefined]);
});
