import { expect, test } from "vitest";
import { MACHINE, SESSION } from "../../bench/scaling/constants.js";
import { EventQueue } from "../../bench/scaling/event-queue.js";
import { RESOURCES, sessionsUntil } from "../../bench/scaling/resources.js";
import { simulate } from "../../bench/scaling/simulate.js";
import { tableOfFleets } from "../../bench/scaling/table-of-fleets.js";
import { documentOf } from "../rig/document.ts";

const SIZES = [1, 10, 99, 100, 1_000, 3_000];

test("the table of docs/SCALING.md is what the simulation prints", () => {
  expect(documentOf("docs/SCALING.md")).toContain(`\n${tableOfFleets().join("\n")}\n`);
});

test("a run with the same seed is the same, and another seed gives another", () => {
  const fleet = { sessions: 200, machines: 3 };
  expect(simulate({ ...fleet, seed: 7 })).toEqual(simulate({ ...fleet, seed: 7 }));
  expect(simulate({ ...fleet, seed: 8 })).not.toEqual(simulate({ ...fleet, seed: 7 }));
});

test("more sessions never need less of anything", () => {
  for (const { name, used } of RESOURCES) {
    const needs = SIZES.map((sessions) => used({ sessions, machines: 10 }));
    expect({ name, needs }).toEqual({ name, needs: needs.toSorted((one, other) => one - other) });
  }
});

test("twice the machines have room for twice the sessions, and do not help the one that follows", () => {
  for (const resource of RESOURCES) {
    const [once, twice] = [5, 10].map((machines) => sessionsUntil(resource, { machines }));
    const growth = (twice ?? NaN) / (once ?? NaN);
    const expected = resource.name.startsWith("who follows") ? 1 : 2;
    // How busy the busiest machine is follows from chance, the more machines there are.
    const isNear = Math.abs(growth - expected) < 0.1 * expected;
    expect({ name: resource.name, growth, isNear }).toMatchObject({ isNear: true });
  }
});

test("a machine is full when its sessions have what its kernel allows", () => {
  const instances = RESOURCES.find(({ name }) => name === "a machine: inotify instances");
  const each = instances?.used({ sessions: 1, machines: 1 }) ?? NaN;
  expect(each).toBeGreaterThan(SESSION.instances);
  const until = instances === undefined ? NaN : sessionsUntil(instances, { machines: 1 });
  expect(until).toBe(Math.floor(MACHINE.instances / each));
});

test("an account that allows fewer turns at once makes the others wait, and its turns are all that end", () => {
  const fleet = { sessions: 100, machines: 4 };
  const [free, enough, few] = [
    simulate(fleet),
    simulate({ ...fleet, accountTurns: 100 }),
    simulate({ ...fleet, accountTurns: 10 }),
  ];
  expect(enough).toEqual(free);
  expect(free.waitedMs).toBe(0);
  expect(few.turnsAtOnce).toBe(10);
  expect(few.waitedMs).toBeGreaterThan(10_000);
  expect(few.turns / free.turns).toBeGreaterThan(0.07);
  expect(few.turns / free.turns).toBeLessThan(0.15);
});

test("events come in the order of their time", () => {
  const queue = new EventQueue();
  const times = Array.from({ length: 200 }, (_, at) => (at * 7_919) % 211);
  times.forEach((atMs, session) => queue.add({ atMs, session, kind: "wanted" }));
  const taken = times.map(() => queue.next()?.atMs);
  expect(taken).toEqual(times.toSorted((one, other) => one - other));
  expect(queue.next()).toBeUndefined();
});
