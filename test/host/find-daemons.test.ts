import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { dropDaemonMark } from "../../src/host/processes/find-daemons.ts";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { eventually } from "../rig/patience.ts";
import { survivorsOf } from "./processes-of.ts";
import { scratch } from "./scratch.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const processes = createNodeProcesses();
const env = ownEnvironment();

test("a daemon is found by its mark while it lives, and its children are not", async () => {
  using directory = scratch();
  const [mark, logPath] = [`${directory.path}#builder`, directory.at("log")];
  // Like every child before its exec, the child has the whole environment of its parent.
  const argv = ["sh", "-c", "sleep 1000 & echo $!; wait"] as const;
  const started = processes.daemon({ argv: [...argv], cwd: directory.path, env, logPath, mark });
  const other = processes.daemon({
    ...{ argv: ["sleep", "1000"], cwd: directory.path, env, logPath },
    mark: `${directory.path}#tester`,
  });
  const pids = [started, other].flatMap((one) => (one.ok ? [one.value.pid] : []));
  const child = await eventually(() => {
    const firstPid = Number(present(readFileSync(logPath, "utf8").split("\n")[0], "a line"));
    expect(firstPid).toBeGreaterThan(0);
    return firstPid;
  });
  const otherMark = `${directory.path}#tester`;
  const both = await processes.findDaemons([mark, otherMark]);
  expect([mark, otherMark].map((one) => both.get(one)?.map(({ pid }) => pid))).toEqual([
    [pids[0]],
    [pids[1]],
  ]);
  expect(survivorsOf([...pids, child])).toHaveLength(3);
  await eventually(async () => expect((await processes.findDaemons([mark])).get(mark)).toEqual([]));
});

test("a process removes its own mark from the environment that it passes on", () => {
  const variables: Record<string, string | undefined> = {
    WISP_DAEMON: "/home#builder",
    PATH: "/bin",
  };
  dropDaemonMark(variables);
  expect(variables).toEqual({ PATH: "/bin" });
});
