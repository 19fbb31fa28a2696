import { lastValueFrom, toArray } from "rxjs";
import { expect, test } from "vitest";
import type { Engine, TurnOutcome } from "../../../src/engines/engine.ts";
import { turnEvents } from "../../../src/engines/events/turn-events.ts";
import { turnRequest } from "../turn-request.ts";

const DONE: TurnOutcome = { kind: "ended", status: "DONE", summary: "", text: "" };
const TEXT = { kind: "text", text: "hello", isDelta: false } as const;

test("emits the events of a turn and then its outcome", async () => {
  const engine: Engine = {
    name: "script",
    turn: (request) => {
      request.onEvent?.(TEXT);
      return Promise.resolve(DONE);
    },
  };
  const told$ = turnEvents(engine, turnRequest("/")).pipe(toArray());
  expect(await lastValueFrom(told$, { defaultValue: [] })).toEqual([
    { kind: "event", event: TEXT },
    { kind: "outcome", outcome: DONE },
  ]);
});

test("unsubscribing stops the turn", () => {
  let isStopped = false;
  const engine: Engine = {
    name: "script",
    turn: ({ signal }) => {
      signal.addEventListener("abort", () => {
        isStopped = true;
      });
      return new Promise(() => undefined);
    },
  };
  const subscription = turnEvents(engine, turnRequest("/")).subscribe();
  expect(isStopped).toBe(false);
  subscription.unsubscribe();
  expect(isStopped).toBe(true);
});
