import { expect, test } from "vitest";
import { reportIn } from "../../src/executors/slurm/job-scripts.ts";

test("what srun says of a cluster without a plugin for tasks is no output of the command", () => {
  const noise = "srun: cluster configuration lacks support for cpu binding\n";
  const said = `${noise}one\nsrun: cluster configuration lacks a node\n${noise}two`;
  expect(reportIn(`${said}\n[wisp: it ended with 3]\n`)).toEqual({
    exitCode: 3,
    stderr: "one\nsrun: cluster configuration lacks a node\ntwo",
  });
});
