import { randomBytes } from "node:crypto";
import { access, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Executor, Place, PlaceWishes } from "../../src/base/ports/executor.ts";
import {
  slurmExecutor,
  type SlurmHost,
  type SlurmOptions,
} from "../../src/executors/slurm/slurm-executor.ts";
import { createHost } from "../../src/host/host.ts";
import { eventually } from "../rig/patience.ts";
import { must, testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { NO_SLURM, openSlurm, type SlurmCluster } from "./slurm-cluster.ts";

/** Each look asks a program of Slurm. */
const LOOK = { intervalMs: 100 };
const reason = NO_SLURM === undefined ? "" : ` (${NO_SLURM})`;
/** A command that notes that it began, and that it was told to end. */
const TELLER = `echo begun >> "$1"; trap 'sleep 1; echo told >> "$1"; exit' TERM; while :; do sleep 0.1; done`;

function hostOf(env: SlurmCluster["env"]): SlurmHost {
  return { ...executorHost(env), clock: createHost().clock };
}

function executorOf({ env, folder }: SlurmCluster, more: Partial<SlurmOptions> = {}): Executor {
  const options = { name: "slurm", root: join(folder, "places"), ...more };
  return slurmExecutor(hostOf(env), options);
}

describe.skipIf(NO_SLURM !== undefined)(`the executor slurm${reason}`, () => {
  testExecutor(async () => {
    const cluster = await openSlurm({ cpus: 4 });
    return { executor: executorOf(cluster), close: cluster.close };
  });
});

describe.skipIf(NO_SLURM !== undefined)(`a place that is a job of Slurm${reason}`, () => {
  let cluster: SlurmCluster;
  let executor: Executor;
  const places: Place[] = [];
  beforeAll(async () => {
    cluster = await openSlurm();
    executor = executorOf(cluster);
  });
  afterAll(() => cluster.close());
  // The node has room for two.
  afterEach(async () => {
    for (const place of places.splice(0)) must(await executor.destroy(place));
  });

  async function make(wishes: Partial<PlaceWishes> = {}): Promise<Place> {
    const key = `test-${randomBytes(4).toString("hex")}`;
    const place = must(await executor.create({ key, ...wishes }));
    places.push(place);
    return place;
  }

  async function makeUp(wishes: Partial<PlaceWishes> = {}): Promise<Place> {
    const place = await make(wishes);
    await isUp(place);
    return place;
  }

  const status = async (place: Place) => must(await executor.status(place));
  /** The state and its reason. */
  const words = async (place: Place) => {
    const state = await status(place);
    return "reason" in state ? `${state.kind}: ${state.reason}` : state.kind;
  };
  const isUp = (place: Place) =>
    eventually(async () => expect(await status(place)).toEqual({ kind: "up" }), LOOK);
  const isGone = (place: Place) =>
    eventually(async () => expect(await status(place)).toEqual({ kind: "gone" }), LOOK);

  /** Starts a command that notes what happens to it, and waits until it has begun. */
  async function startTeller(place: Place, name = "teller"): Promise<() => Promise<string>> {
    const notes = join(place.root, `${name}.notes`);
    const argv = ["sh", "-c", TELLER, "sh", notes] as const;
    must(await executor.detach(place, name, { argv: [...argv] }));
    const read = () => readFile(notes, "utf8");
    await eventually(async () => expect(await read()).toMatch(/begun\n$/));
    return read;
  }

  test("tells its commands before the time limit, gives them time, and is in the queue again with its files", async () => {
    const place = await makeUp({ timeMs: 24 * 60 * 60_000 });
    const first = await startTeller(place, "first");
    const second = await startTeller(place, "second");
    await cluster.say("scontrol", "update", `JobId=${place.id}`, "TimeLimit=1");
    await eventually(async () => {
      expect(await first()).toBe("begun\ntold\n");
      expect(await second()).toBe("begun\ntold\n");
    }, LOOK);
    await eventually(async () => expect((await status(place)).kind).toBe("waiting"), LOOK);
    const cut = await executor.exec(place, { argv: ["true"] });
    expect(cut).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });

    await isUp(place);
    const shown = await cluster.say("scontrol", "show", "job", place.id);
    expect(shown).toContain("Restarts=1");
    expect(shown).toContain(`ReqNodeList=${cluster.node}`);
    expect(must(await executor.isRunning(place, "first"))).toBe(false);
    await cluster.say("scontrol", "update", `JobId=${place.id}`, "TimeLimit=1440");
    expect(await (await startTeller(place, "first"))()).toBe("begun\ntold\nbegun\n");
  });

  test("is gone with all that runs there when its job is cancelled, and is not requeued", async () => {
    const place = await makeUp();
    const notes = await startTeller(place);
    const daemon = "setsid sleep 4321 < /dev/null > /dev/null 2>&1 & exec sleep 4321";
    must(await executor.detach(place, "sleeper", { argv: ["sh", "-c", daemon] }));
    await eventually(async () => expect(await running("sleep 4321")).toBe(2));
    await cluster.say("scancel", place.id);
    await isGone(place);
    expect(await notes()).toBe("begun\ntold\n");
    await eventually(async () => expect(await running("sleep 4321")).toBe(0));
    const absent = await executor.exec(place, { argv: ["true"] });
    expect(absent).toMatchObject({ ok: false, failure: { kind: "place-gone" } });
    expect(await cluster.say("squeue", "--noheader", `--name=${nameOf(place)}`)).toBe("");
    await rm(place.root, { recursive: true });
  });

  test("has its files when its job was requeued by hand, but nothing that ran", async () => {
    const place = await makeUp();
    const notes = await startTeller(place);
    await cluster.say("scontrol", "requeue", place.id);
    await eventually(async () => expect((await status(place)).kind).toBe("waiting"), LOOK);
    await isUp(place);
    expect(await notes()).toBe("begun\ntold\n");
    expect(must(await executor.isRunning(place, "teller"))).toBe(false);
    await startTeller(place);
  });

  test("says that its node is down, and comes back with it", async () => {
    const place = await makeUp();
    must(await executor.put(place, { from: Buffer.from("kept"), to: `${place.root}/kept` }));
    const node = `NodeName=${cluster.node}`;
    await cluster.say("scontrol", "update", node, "State=down", "Reason=test");
    await eventually(
      async () =>
        expect(await words(place)).toMatch(/^waiting: .*the node is down or not available/),
      LOOK,
    );
    await cluster.say("scontrol", "update", node, "State=resume");
    await isUp(place);
    expect(await readFile(`${place.root}/kept`, "utf8")).toBe("kept");
  });

  test("is one job for one key, also when two ask at once", async () => {
    const key = `twice-${randomBytes(4).toString("hex")}`;
    const [one, other] = await Promise.all([executor.create({ key }), executor.create({ key })]);
    const place = must(one);
    places.push(place);
    expect(must(other)).toEqual(place);
    await eventually(async () =>
      expect(await cluster.say("squeue", "--noheader", "--format=%i", `--name=wisp-${key}`)).toBe(
        place.id,
      ),
    );
    must(await executor.destroy(place));
  });

  test("waits in a full queue, says so, and is up when there is room", async () => {
    const first = await makeUp({ cpus: 2 });
    const second = await make({ cpus: 2 });
    await eventually(async () =>
      expect(await words(second)).toMatch(
        /^waiting: .*it waits for a free node \(PENDING, (Resources|Priority)\)/,
      ),
    );
    must(await executor.destroy(first));
    await isUp(second);
    must(await executor.destroy(second));
  });

  test("asks for what is wished, in the partition that is wished", async () => {
    const place = await make({
      ...{ cpus: 2, memoryBytes: 300 * 1024 * 1024 + 1, timeMs: 90_000, queue: "other" },
    });
    const shown = await cluster.say("scontrol", "show", "job", place.id);
    for (const word of ["Partition=other", "TimeLimit=00:02:00", "NumCPUs=2", "MinMemoryNode=301M"])
      expect(shown).toContain(word);
    must(await executor.destroy(place));
  });

  test("refuses a partition that is not there, in Slurm's words", async () => {
    const made = await executorOf(cluster, { partition: "absent" }).create({ key: "absent" });
    expect(made).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
    expect(JSON.stringify(made)).toContain("nvalid partition");
  });

  test("is down, with the reason, if its directory cannot be made there", async () => {
    const other = executorOf(cluster, { root: "/proc/absent" });
    const place = must(await other.create({ key: `bad-${randomBytes(4).toString("hex")}` }));
    places.push(place);
    await eventually(async () =>
      expect(await words(place)).toMatch(/^down: its directory cannot be made/),
    );
  });

  test("sends a job and its commands nothing of the environment here but the usual variables", async () => {
    const secret = { ...cluster.env, A_KEY: "not for others", SLURM_NTASKS: "3" };
    const other = slurmExecutor(hostOf(secret), {
      ...{ name: "slurm", root: join(cluster.folder, "places") },
    });
    const place = must(await other.create({ key: `env-${randomBytes(4).toString("hex")}` }));
    places.push(place);
    await isUp(place);
    let printed = "";
    const onStdout = (bytes: Uint8Array) => void (printed += Buffer.from(bytes).toString());
    must(await other.exec(place, { argv: ["env"] }, { onStdout }));
    must(await other.detach(place, "env", { argv: ["env"] }));
    await eventually(async () =>
      expect(await readFile(`${place.root}/run/env.log`, "utf8")).toContain("WISP_PLACE="),
    );
    expect(printed).toContain("WISP_PLACE=");
    expect(printed).toContain("PATH=");
    expect(printed + (await readFile(`${place.root}/run/env.log`, "utf8"))).not.toContain("A_KEY");
  });

  test("ends a command that is given up here", async () => {
    const place = await makeUp();
    const given = new AbortController();
    const ended = executor.exec(place, { argv: ["sleep", "5432"] }, { signal: given.signal });
    await eventually(async () => expect(await running("sleep 5432")).toBe(1));
    given.abort();
    expect(must(await ended).kind).toBe("stopped");
    await eventually(async () => expect(await running("sleep 5432")).toBe(0));
    expect(await status(place)).toEqual({ kind: "up" });
  });

  test("leaves no job, no file and no process when it is destroyed", async () => {
    const place = await makeUp();
    const daemon = "setsid sleep 6543 < /dev/null > /dev/null 2>&1 & exec sleep 6543";
    must(await executor.detach(place, "sleeper", { argv: ["sh", "-c", daemon] }));
    await eventually(async () => expect(await running("sleep 6543")).toBe(2));
    must(await executor.destroy(place));
    expect(await running("sleep 6543")).toBe(0);
    await expect(access(place.root)).rejects.toThrow("ENOENT");
    expect(await cluster.say("squeue", "--noheader", `--name=${nameOf(place)}`)).toBe("");
  });

  test("is held back by Slurm until the places before it are gone, or until it is told that it need not wait", async () => {
    const first = await makeUp();
    const keyOf = ({ root }: Place) => root.slice(root.lastIndexOf("/") + 1);
    const key = `test-${randomBytes(4).toString("hex")}`;
    const second = await make({ key, after: [keyOf(first)] });
    const third = await make({ after: [keyOf(first), keyOf(second)] });
    await eventually(async () => {
      expect(await words(second)).toMatch(/^waiting: /);
      expect(await cluster.say("squeue", "--noheader", "--format=%r", `--jobs=${second.id}`)).toBe(
        "Dependency",
      );
    }, LOOK);
    // Asked for anew, it waits on; told that nobody is before it, it begins beside the first.
    expect(must(await executor.create({ key, after: [keyOf(first)] }))).toEqual(second);
    expect((await status(second)).kind).toBe("waiting");
    expect(must(await executor.create({ key, after: [] }))).toEqual(second);
    await isUp(second);
    expect((await status(third)).kind).toBe("waiting");
    must(await executor.destroy(first));
    must(await executor.destroy(second));
    await isUp(third);
  });

  test("gives a person a terminal there", async () => {
    const place = await makeUp();
    const argv = executor.terminalArgv?.(place, { argv: ["sh", "-c", "test -t 0 && pwd"] }) ?? [];
    const line = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const shown = await cluster.say(
      "script",
      "--quiet",
      "--return",
      "--command",
      line,
      "/dev/null",
    );
    expect(shown).toContain(place.root);
  });
});

function nameOf({ root }: Place): string {
  return `wisp-${root.slice(root.lastIndexOf("/") + 1)}`;
}

/** How many processes have this command line. */
async function running(line: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((each) => each.replaceAll("\0", " ").trim() === line).length;
}
