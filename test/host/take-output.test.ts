import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { compiledFixture } from "./compiled.ts";
import { scratch } from "./scratch.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const fixture = compiledFixture("take-output.js");

test("a process that takes a file for its output says everything there, after what the file had", () => {
  using directory = scratch();
  const path = directory.at("log");
  writeFileSync(path, "from an earlier one\n");
  const ran = spawnSync(process.execPath, [fixture, path], { encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stdout: "before\n", stderr: "" });
  expect(readFileSync(path, "utf8")).toBe(
    "from an earlier one\nafter\nan error\nfrom another program\n",
  );
});

test("a daemon without a log says nothing until it takes one, and what it says then is kept", async () => {
  using directory = scratch();
  const started = createNodeProcesses().daemon({
    argv: [process.execPath, fixture, directory.at("log")],
    ...{ cwd: directory.path, env: ownEnvironment() },
  });
  expect(started.ok && (await started.value.ended)).toBe(0);
  expect(readFileSync(directory.at("log"), "utf8")).toBe("after\nan error\nfrom another program\n");
});

test("a file that cannot be opened is refused, and the output goes where it went before", () => {
  using directory = scratch();
  mkdirSync(directory.at("log"));
  const ran = spawnSync(process.execPath, [fixture, directory.at("log")], { encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stderr: "an error\n" });
  expect(ran.stdout).toBe("before\nrefused: EISDIR\nfrom another program\n");
});
