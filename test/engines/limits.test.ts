import { expect, test } from "vitest";
import { engineSession } from "./engine-session.ts";
import { HELLO, modelOf } from "./model-mind.ts";
import {
  BUILDER,
  expectOneAttempt,
  itWaitsForALimit,
  LIMITED,
  timeOf,
} from "./troubled-session.ts";
import { holdsOf, turnsOf } from "./turns-of.ts";

itWaitsForALimit("claude", "waits");
itWaitsForALimit("codex", "says resume");
itWaitsForALimit("copilot", "says resume");
itWaitsForALimit("opencode", "waits");

test("claude: processes that are started after a crash still wait for a limit", async () => {
  // The CLI's own retries do not wait, so that the message about the end time is used.
  const headers = { "x-should-retry": "false" };
  const limited = { ...LIMITED, headers, message: "Usage limit reached. Try again in 25 s" };
  await using run = await engineSession({ engines: [["claude", [limited]]], ...BUILDER });
  const { session, models } = run;
  session.spawn("start", "request.md");
  await session.until("a hold", () => holdsOf(session.home(), "builder").length > 0);
  const [hold] = holdsOf(session.home(), "builder");
  expect(timeOf(hold?.until) - timeOf(hold?.time)).toBeGreaterThan(20_000);
  models[0]?.script(modelOf("claude", HELLO));
  await session.killAll();
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expectOneAttempt(session);
  const again = turnsOf(session.home()).filter(({ role }) => role === "builder")[1];
  expect(timeOf(again?.begin.time)).toBeGreaterThanOrEqual(timeOf(hold?.until));
});

test("while claude is at its limit, codex takes its turns, and no attempt is used", async () => {
  await using run = await engineSession({
    engines: [
      ["claude", [LIMITED]],
      ["codex", modelOf("codex", HELLO)],
    ],
    ...BUILDER,
  });
  const { session } = run;
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 0 });
  expectOneAttempt(session);
  const turns = turnsOf(session.home()).filter(({ role }) => role === "builder");
  expect(turns.map(({ begin, end }) => [begin.engine, end.failure])).toEqual([
    ["claude", "limited"],
    ["codex", undefined],
  ]);
});

test("an overloaded provider is asked again, and no attempt is used", async () => {
  const overloaded = { status: 503, message: "Overloaded" };
  await using run = await engineSession({ engines: [["codex", [overloaded]]], ...BUILDER });
  const { session, models } = run;
  const child = session.spawn("start", "request.md");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await session.until("a failed turn", () =>
    turnsOf(session.home()).some(({ end }) => end.failure === "overloaded"),
  );
  models[0]?.script(modelOf("codex", HELLO));
  expect(await ended).toBe(0);
  expectOneAttempt(session);
  expect(holdsOf(session.home(), "builder")).toEqual([]);
});
