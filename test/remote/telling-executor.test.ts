import { expect, test } from "vitest";
import {
  ExecutorUnreachable,
  type Executor,
  type PlaceState,
} from "../../src/base/ports/executor.ts";
import { fail, ok } from "../../src/base/result.ts";
import { tellingExecutor } from "../../src/remote/telling-executor.ts";
import { SteppedClock } from "../rig/stepped-clock.ts";

const PLACE = { id: "p", root: "/p" };

/** An executor whose answers come when the test gives them, and what a person is told meanwhile. */
function asked() {
  const clock = new SteppedClock();
  const told: string[] = [];
  const statuses: ((state: Awaited<ReturnType<Executor["status"]>>) => void)[] = [];
  let print: () => void = () => undefined;
  const unused = (): never => {
    throw new Error("nobody asked for that");
  };
  const silent: Executor = {
    ...{ kind: "ssh", name: "ssh:box" },
    ...{ create: unused, detach: unused, isRunning: unused, signal: unused },
    ...{ put: unused, get: unused, follow: unused, destroy: unused },
    status: () => new Promise((resolve) => statuses.push(resolve)),
    exec: (_place, _command, streams = {}) => {
      print = () => void streams.onStdout?.(Buffer.from("."));
      return new Promise(() => undefined);
    },
  };
  const world = { tell: (line: string) => void told.push(line), host: { clock } };
  const executor = tellingExecutor(world, silent);
  const up: PlaceState = { kind: "up" };
  const answer = () => statuses.shift()?.(ok(up));
  const breakOff = () =>
    statuses.shift()?.(fail(ExecutorUnreachable({ executor: "ssh:box", detail: "timeout" })));
  return { clock, told, executor, answer, breakOff, print: () => print() };
}

const said = (span: string) => `Waiting for ssh:box, which has been silent for ${span}.`;

test("a place that answers in time is not talked about", async () => {
  const { clock, told, executor, answer } = asked();
  for (let calls = 0; calls < 5; calls += 1) {
    const asking = executor.status(PLACE);
    await clock.pass(4_000);
    answer();
    expect(await asking).toEqual(ok({ kind: "up" }));
    await clock.pass(60_000);
  }
  expect(told).toEqual([]);
});

test("a silent place is told of after 5 s and then every 30 s, until it answers", async () => {
  const { clock, told, executor, answer } = asked();
  const asking = executor.status(PLACE);
  await clock.pass(4_999);
  expect(told).toEqual([]);
  await clock.pass(70_000);
  expect(told).toEqual([said("5s"), said("35s"), said("1m 5s")]);
  answer();
  await asking;
  await clock.pass(120_000);
  expect(told).toHaveLength(3);
});

test("calls that fail at once one after the other are one silence", async () => {
  const { clock, told, executor, breakOff } = asked();
  for (let seconds = 0; seconds < 40; seconds += 1) {
    const asking = executor.status(PLACE);
    breakOff();
    await asking;
    await clock.pass(1_000);
  }
  expect(told).toEqual([said("5s"), said("35s")]);
});

test("output ends the silence of a command that goes on", async () => {
  const { clock, told, executor, print } = asked();
  void executor.exec(PLACE, { argv: ["true"] });
  for (let seconds = 0; seconds < 60; seconds += 4) {
    await clock.pass(4_000);
    print();
  }
  expect(told).toEqual([]);
  await clock.pass(5_000);
  expect(told).toEqual([said("5s")]);
});
