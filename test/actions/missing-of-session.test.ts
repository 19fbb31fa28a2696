import { expect, test } from "vitest";
import { missingOfSession } from "../../src/actions/start/not-in-base.ts";
import { createHost } from "../../src/host/host.ts";
import type { CommandFacts } from "../../src/session/commands/commands-in-force.ts";
import { inProcessSession } from "../rig/in-process-session.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const PACKAGE = JSON.stringify({
  ...{ name: "a", scripts: { test: "mocha" } },
  devDependencies: { mocha: "^12.0.0" },
});
const BASE = { id: "builder-1", unit: `base:${"0".repeat(40)}` };

/** An answer that had the base looked at again with these commands. */
function answered(setup: string[][]): CommandFacts {
  const commands = { setup, build: [], verify: [["npm", "test"]], verifyTimeoutMs: 1_000, env: [] };
  return {
    human: {
      answers: new Map([[BASE.id, "again"]]),
      commands: new Map([[BASE.id, commands]]),
    },
    builder: {
      questions: [{ ...BASE, ask: "Verify is red.", isSettled: undefined }],
      adopted: undefined,
    },
  };
}

test("what verify would miss in a session follows from the commands in force", async () => {
  using at = inProcessSession({ files: { "package.json": PACKAGE }, verify: [["npm", "test"]] });
  const world = { host: createHost(), env: ownEnvironment({ HOME: at.session.state }) };
  const kinds = async (version: 2 | 3, facts: CommandFacts) => {
    const session = { ...at.session, version };
    return (await missingOfSession(world, { session }, facts)).missing.map(({ kind }) => kind);
  };
  expect(await kinds(3, answered([]))).toEqual(["manifest"]);
  expect(await kinds(3, answered([["npm", "install"]]))).toEqual([]);
  // The commands of a session that began before are not replaced.
  expect(await kinds(2, answered([["npm", "install"]]))).toEqual(["manifest"]);
});
