import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Daemon } from "../../src/base/ports/processes.ts";
import { present } from "../../src/base/assert.ts";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { eventually } from "../rig/patience.ts";
import { startFixture } from "./child.ts";
import { type Scratch, scratch } from "./scratch.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const processes = createNodeProcesses();
const env = ownEnvironment();

/** A daemon that says that it begins once it was let through its gate. */
function startGated(directory: Scratch): Daemon {
  const started = processes.daemon({
    argv: ["sh", "-c", "read told && echo begun"],
    ...{ cwd: directory.path, env, logPath: directory.at("log"), isGated: true },
  });
  return present(started.ok ? started.value : undefined, "it starts");
}

test("a daemon begins when its gate is opened, and closing the gate afterwards changes nothing", async () => {
  using directory = scratch();
  const { gate, ended } = startGated(directory);
  gate?.open();
  gate?.close();
  expect(await ended).toBe(0);
  expect(readFileSync(directory.at("log"), "utf8")).toBe("begun\n");
});

test("a daemon whose gate is closed ends without having begun, and opening it then changes nothing", async () => {
  using directory = scratch();
  const { gate, ended } = startGated(directory);
  gate?.close();
  expect(await ended).toBe(1);
  gate?.open();
  expect(readFileSync(directory.at("log"), "utf8")).toBe("");
});

test("opening the gate of a daemon that was killed throws nothing", async () => {
  using directory = scratch();
  const { gate, ended, pid } = startGated(directory);
  processes.signal(pid, "SIGKILL");
  expect(await ended).toBe(137);
  gate?.open();
});

test("a daemon at its gate ends without having begun when its parent is killed", async () => {
  using directory = scratch();
  using parent = startFixture("start-gated-daemon.js", directory.path);
  const pid = Number(await parent.said);
  expect(processes.identify(pid)).toBeDefined();
  processes.signal(parent.pid, "SIGKILL");
  await parent.ended;
  await eventually(() => expect(processes.identify(pid)).toBeUndefined());
  expect(readFileSync(directory.at("daemon.log"), "utf8")).toBe("");
});

test("a daemon without a gate has nothing to wait for", async () => {
  using directory = scratch();
  const started = processes.daemon({
    argv: ["sh", "-c", "read told || echo begun"],
    ...{ cwd: directory.path, env, logPath: directory.at("log") },
  });
  expect(started.ok && started.value.gate).toBeUndefined();
  expect(started.ok && (await started.value.ended)).toBe(0);
});
