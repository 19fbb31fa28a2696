import { SpawnFailure } from "../../../src/base/ports/processes.ts";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureSetup } from "../../../src/evidence/verify/clone-setup.ts";
import { fail, ok } from "../../../src/base/result.ts";
import { homeAt } from "../../../src/fs-protocol/home/home.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { SESSION } from "../../rig/session.ts";
import { fakeClone } from "../../agents/fake-clone.ts";
import { memoryPorts } from "../../agents/memory-ports.ts";

const CLONE = "/state/demo/builder/clone";
const PASSED = { kind: "passed" };

/** A role's clone whose files are in memory; commands are recorded, not run. */
function installing(fields: Partial<SessionJson> = {}) {
  const ports = memoryPorts();
  const session = { ...SESSION, setup: [["npm", "ci"]], ...fields };
  const { signal } = new AbortController();
  const ensure = (other: Partial<SessionJson> = {}, directory = CLONE) => {
    const context = {
      home: homeAt("/session"),
      role: "builder",
      ports,
      env: { CI: "1" },
      signal,
    } as const;
    return ensureSetup({ ...context, session: { ...session, ...other } }, fakeClone(directory));
  };
  const put = (name: string, text: string) => {
    ports.files.write(join(CLONE, name), text);
  };
  return { ports, ensure, put };
}

test("a session without setup runs nothing", async () => {
  const { ports, ensure } = installing({ setup: [] });
  expect(await ensure()).toEqual(PASSED);
  expect(ports.ran).toEqual([]);
});

test("setup runs in the clone, with the session's environment, and its output is stored with the turns", async () => {
  const { ports, ensure } = installing();
  expect(await ensure()).toEqual(PASSED);
  const [ran] = ports.ran;
  expect(ran?.argv).toEqual(["npm", "ci"]);
  expect(ran?.cwd).toBe(CLONE);
  expect(ran?.env).toEqual({ CI: "1" });
  expect(ran?.stdoutPath).toBe("/session/logs/turns/setup-builder.out");
});

test("setup runs once for one state of the lock files, even across a restart", async () => {
  const { ports, ensure, put } = installing();
  put("package-lock.json", "{}");
  await ensure();
  await ensure();
  put("src.js", "changed");
  await ensure();
  expect(ports.ran).toHaveLength(1);
});

test.each(["package-lock.json", "uv.lock", "go.sum", "Cargo.lock", "requirements.txt"])(
  "setup runs again when %s appears, changes or disappears",
  async (name) => {
    const { ports, ensure, put } = installing();
    await ensure();
    put(name, "one");
    await ensure();
    put(name, "two");
    await ensure();
    ports.files.remove(join(CLONE, name));
    await ensure();
    expect(ports.ran).toHaveLength(4);
  },
);

test("content that moves from one lock file to another is a change", async () => {
  const { ports, ensure, put } = installing();
  put("yarn.lock", "one");
  await ensure();
  ports.files.remove(join(CLONE, "yarn.lock"));
  put("bun.lock", "one");
  await ensure();
  expect(ports.ran).toHaveLength(2);
});

test("a changed setup command runs although no lock file changed", async () => {
  const { ports, ensure } = installing();
  await ensure();
  await ensure({ setup: [["npm", "install"]] });
  expect(ports.ran.map(({ argv }) => argv.join(" "))).toEqual(["npm ci", "npm install"]);
});

test("a recreated clone is set up again", async () => {
  const { ports, ensure } = installing();
  await ensure();
  await ensure({}, "/state/demo/tester/clone");
  expect(ports.ran.map(({ cwd }) => cwd)).toEqual([CLONE, "/state/demo/tester/clone"]);
});

test("folders that setup creates are ignored in the clone, once each; files and earlier folders are not", async () => {
  const { ports, ensure, put } = installing();
  put("src/a.js", "");
  put(".git/info/exclude", "mine\n");
  ports.run = () => {
    put("node_modules/a/index.js", "");
    put("what? [1]/a", "");
    return ok({ kind: "exited", exitCode: 0 });
  };
  await ensure();
  await ensure({ setup: [["npm", "install"]] });
  const excluded = ports.files.read(join(CLONE, ".git/info/exclude"));
  expect(excluded.ok && Buffer.from(excluded.value ?? []).toString()).toBe(
    "mine\n/node_modules/\n/what\\? \\[1]/\n",
  );
});

test("a failed setup is retried the next time", async () => {
  const { ports, ensure } = installing();
  ports.run = () => ok({ kind: "exited", exitCode: 1 });
  expect(await ensure()).toMatchObject({
    kind: "failed",
    reason: "npm ci exited with 1",
    tail: "",
  });
  ports.run = () => fail(SpawnFailure({ executable: "npm", errno: "ENOENT" }));
  expect((await ensure()).kind).toBe("failed");
  ports.run = () => ok({ kind: "exited", exitCode: 0 });
  expect(await ensure()).toEqual(PASSED);
  await ensure();
  expect(ports.ran).toHaveLength(3);
});

test("an interrupted setup does not count as done", async () => {
  const { ports, ensure } = installing();
  ports.run = () => ok({ kind: "stopped" });
  expect(await ensure()).toEqual({ kind: "stopped" });
  ports.run = () => ok({ kind: "exited", exitCode: 0 });
  await ensure();
  expect(ports.ran).toHaveLength(2);
});
