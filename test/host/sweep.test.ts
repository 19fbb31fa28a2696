import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { HAS_PROC } from "../../src/host/processes/process-identity.ts";
import { type ProcessScan, RunEnvironments } from "../../src/host/processes/run-environments.ts";
import { killAll } from "../../src/host/processes/sweep.ts";
import { startProgram } from "./child.ts";
import { eventually } from "../rig/patience.ts";

test("a scan that may have missed a process is repeated", async () => {
  using late = startProgram("sleep", ["1000"]);
  const looks: ProcessScan[] = [
    { carriers: [], doubt: "ended" },
    { carriers: [], doubt: "starting" },
    { carriers: [late.pid], doubt: "none" },
    { carriers: [late.pid], doubt: "none" },
    { carriers: [], doubt: "none" },
  ];
  expect(await killAll(() => present(looks.shift(), "no look after the last"))).toBe(1);
  await late.ended;
  expect(looks).toEqual([]);
});

test("on a busy machine a search ends, although it is never certain", async () => {
  let looks = 0;
  const look = (): ProcessScan => {
    looks += 1;
    return { carriers: [], doubt: "ended" };
  };
  expect(await killAll(look)).toBe(0);
  expect(looks).toBe(25);
});

test("finding a process resets the number of remaining scans", async () => {
  using late = startProgram("sleep", ["1000"]);
  let looks = 0;
  const look = (): ProcessScan => {
    looks += 1;
    return { carriers: looks === 24 ? [late.pid] : [], doubt: "ended" };
  };
  expect(await killAll(look)).toBe(1);
  await late.ended;
  expect(looks).toBe(24 + 25);
});

test.runIf(HAS_PROC)(
  "a process without an environment is doubted at first, but not forever",
  async () => {
    using living = startProgram("env", ["-i", "sleep", "1000"]);
    const environ = `/proc/${living.pid}/environ`;
    await eventually(() => expect(readFileSync(environ, "utf8")).toBe(""));
    const environments = new RunEnvironments();
    const doubt = () => environments.scan("WISP_RUN_ID=none").doubt;
    expect(doubt()).toBe("starting");
    await eventually(() => expect(doubt()).toBe("none"));
    expect(readFileSync(environ, "utf8")).toBe("");
  },
);
