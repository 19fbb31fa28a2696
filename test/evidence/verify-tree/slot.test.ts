import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SLOTS_MAX } from "../../../src/base/limits.ts";
import { LeaseHeld } from "../../../src/base/ports/locks.ts";
import { fail } from "../../../src/base/result.ts";
import { acquireSlot, slotVariables } from "../../../src/evidence/verify-tree/slot.ts";
import { createHost } from "../../../src/host/host.ts";
import { put } from "../../rig/in-process-session.ts";
import { eventually } from "../../rig/patience.ts";
import { losableLocks } from "./losable-locks.ts";
import { TreeRig } from "./tree-rig.ts";

const COMMANDS = { env: [], slot: ["PORT", "API_PORT"] };

/** Keeps what a stage sees in a file of the session's state. */
function notes(stage: string, then = ""): readonly [string, ...string[]] {
  const script = `const { PORT = "none", API_PORT = "none", WISP_SLOT = "none" } = process.env;
    require("fs").writeFileSync("../../../${stage}-" + process.pid, [WISP_SLOT, PORT, API_PORT].join(" "));${then}`;
  return [process.execPath, "-e", script];
}

/** Ends when it may. */
const UNTIL_GO = `setInterval(() => { if (require("fs").existsSync("../../../go")) process.exit(0); }, 20);`;

function noted({ rig }: TreeRig, stage: string): readonly string[] {
  const { state } = rig.session;
  const names = readdirSync(state).filter((name) => name.startsWith(`${stage}-`));
  return names.map((name) => readFileSync(join(state, name), "utf8"));
}

test("runs at the same time have slots of their own, also in different sessions; build and verify see them, setup does not", async () => {
  const commands = {
    setup: [[...notes("setup")]],
    build: [[...notes("build")]],
    verify: [[...notes("verify", UNTIL_GO)]],
    commands: COMMANDS,
  };
  using one = new TreeRig(undefined, commands);
  const slots = join(one.rig.session.state, "slots");
  using mine = new TreeRig(undefined, commands, { slots });
  using others = new TreeRig(undefined, commands, { slots });
  const first = mine.verify(await mine.commit({ "a.txt": "a\n" }));
  await eventually(() => expect(noted(mine, "verify")).toEqual(["1 20100 20101"]));
  const second = others.verify(await others.commit({ "a.txt": "a\n" }));
  await eventually(() => expect(noted(others, "verify")).toEqual(["2 20200 20201"]));
  expect(noted(others, "build")).toEqual(["2 20200 20201"]);
  expect(noted(others, "setup")).toEqual(["none none none"]);
  for (const { rig } of [mine, others]) put(rig.session.state, "go", "");
  expect(await Promise.all([first, second])).toMatchObject([
    { outcome: "passed" },
    { outcome: "passed" },
  ]);
  expect(await others.verify(await others.commit({ "a.txt": "b\n" }))).toMatchObject({
    outcome: "passed",
  });
  expect(noted(others, "verify")).toContain("1 20100 20101");
});

test("a session that began before there were slots gets none", async () => {
  const fields = { verify: [[...notes("verify")]], commands: { env: [] } };
  using rig = new TreeRig(undefined, fields, { slots: "/nonexistent/slots" });
  expect(await rig.verify(await rig.commit({ "a.txt": "a\n" }))).toMatchObject({
    outcome: "passed",
  });
  expect(noted(rig, "verify")).toEqual(["none none none"]);
});

test("a command whose slot was lost is killed and repeated, without a result for the commit", async () => {
  const fields = { verify: [[...notes("verify", UNTIL_GO)]], commands: COMMANDS };
  using place = new TreeRig(undefined, fields);
  using rig = new TreeRig(undefined, fields, {
    slots: join(place.rig.session.state, "slots"),
  });
  const at = await rig.commit({ "a.txt": "a\n" });
  const { locks, lose } = losableLocks();
  const verified = rig.verify(at, rig.role("builder", new AbortController(), locks));
  await eventually(() => expect(noted(rig, "verify")).toHaveLength(1));
  const SLOT_LEASE = 1;
  lose(SLOT_LEASE);
  await eventually(() => expect(noted(rig, "verify")).toHaveLength(2));
  put(rig.rig.session.state, "go", "");
  expect(await verified).toMatchObject({ outcome: "passed" });
});

test("the lowest free slot is taken, and given back; when all are taken, it waits until it is asked to stop", async () => {
  using rig = new TreeRig(undefined, {});
  const folder = join(rig.rig.session.state, "slots");
  const { context } = rig.builder;
  const take = async () => {
    const slot = await acquireSlot(context, folder);
    if (slot === undefined) throw new Error("none is free");
    return slot;
  };
  const [one, two, three] = [await take(), await take(), await take()];
  expect([one.number, two.number, three.number]).toEqual([1, 2, 3]);
  await two.lease.release();
  expect((await take()).number).toBe(2);
  const stop = new AbortController();
  const asked: string[] = [];
  const takeLease = async (path: string) => {
    asked.push(path);
    if (asked.length > 2 * SLOTS_MAX) stop.abort();
    return fail(LeaseHeld({ path, holder: undefined }));
  };
  const ports = { ...context.ports, locks: { ...createHost().locks, takeLease } };
  expect(await acquireSlot({ ports, signal: stop.signal }, folder)).toBeUndefined();
  expect(asked.length).toBeGreaterThan(2 * SLOTS_MAX);
});

test("no port of one slot is told to another, and none is given away by the system", () => {
  const names = Array.from({ length: 100 }, (_, index) => `P${String(index)}`);
  const told = Array.from({ length: SLOTS_MAX }, (_, index) => slotVariables(index + 1, names));
  const ports = told.flatMap(({ WISP_SLOT: _, ...rest }) => Object.values(rest).map(Number));
  expect(new Set(ports).size).toBe(100 * SLOTS_MAX);
  expect(Math.min(...ports)).toBeGreaterThan(10_000);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
