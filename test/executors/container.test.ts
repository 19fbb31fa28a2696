import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Executor, Place, PlaceWishes } from "../../src/base/ports/executor.ts";
import { ok } from "../../src/base/result.ts";
import { containerExecutor } from "../../src/executors/container/container-executor.ts";
import { findContainerProgram } from "../../src/executors/container/engine.ts";
import { eventually } from "../rig/patience.ts";
import { must, testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { CAN_LIMIT, IMAGES, NO_PODMAN, openPodman, type Podman } from "./podman.ts";

const SUCCESS = { kind: "exited", exitCode: 0 };
const MIB = 1024 * 1024;
const reason = (why: string | undefined) => (why === undefined ? "" : ` (${why})`);

/** The executor of a podman of the tests. */
function executorOf({ env }: Podman, image = IMAGES.ordinary): Executor {
  return containerExecutor(executorHost(env), {
    ...{ name: "container", program: "podman", runtime: "runc", image },
  });
}

for (const [user, image] of Object.entries(IMAGES)) {
  describe.skipIf(NO_PODMAN !== undefined)(
    `the executor container, as a user who is ${user}${reason(NO_PODMAN)}`,
    () => {
      testExecutor(async () => {
        const podman = await openPodman();
        return { executor: executorOf(podman, image), close: podman.close };
      });
    },
  );
}

describe.skipIf(NO_PODMAN !== undefined)(`a place in a container${reason(NO_PODMAN)}`, () => {
  let podman: Podman;
  let executor: Executor;
  const places: Place[] = [];
  beforeAll(async () => {
    podman = await openPodman();
    executor = executorOf(podman);
  });
  afterAll(async () => {
    for (const place of places) must(await executor.destroy(place));
    await podman.close();
  });

  async function make(wishes: Partial<PlaceWishes> = {}): Promise<Place> {
    const key = `test-${randomBytes(4).toString("hex")}`;
    const place = must(await executor.create({ key, ...wishes }));
    places.push(place);
    return place;
  }

  /** Runs a script of a shell, and returns how it ended and what it printed. */
  async function run(place: Place, script: string, ...words: readonly string[]) {
    const chunks: Uint8Array[] = [];
    const argv = ["sh", "-c", script, "sh", ...words] as const;
    const onStdout = (bytes: Uint8Array) => void chunks.push(bytes);
    const end = must(await executor.exec(place, { argv: [...argv] }, { onStdout }));
    return { end, stdout: Buffer.concat(chunks).toString() };
  }

  const names = () => podman.say("ps", "--all", "--format", "{{.Names}}").split("\n");
  const volumes = () => podman.say("volume", "ls", "--format", "{{.Name}}").split("\n");
  const keyOf = ({ id }: Place) => id.slice("wisp-".length);

  test("has its files when its container was stopped and started again, but nothing that ran", async () => {
    const place = await make();
    must(await executor.put(place, { from: Buffer.from("kept"), to: `${place.root}/kept` }));
    must(await executor.detach(place, "sleeper", { argv: ["sleep", "1000"] }));
    podman.say("stop", place.id);

    expect(must(await executor.status(place)).kind).toBe("down");
    const cut = await executor.exec(place, { argv: ["true"] });
    expect(cut).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });

    expect(must(await executor.create({ key: keyOf(place) }))).toEqual(place);
    expect(must(await executor.status(place))).toEqual({ kind: "up" });
    expect((await run(place, 'cat "$1"', `${place.root}/kept`)).stdout).toBe("kept");
    expect(must(await executor.isRunning(place, "sleeper"))).toBe(false);
    expect((await run(place, "ps -e -o args | grep -c '^sleep 1000'")).stdout).toBe("0\n");
  });

  test("has its files when its container was removed", async () => {
    const place = await make();
    must(await executor.put(place, { from: Buffer.from("kept"), to: `${place.root}/kept` }));
    podman.say("rm", "--force", place.id);
    expect(must(await executor.status(place)).kind).toBe("down");
    must(await executor.create({ key: keyOf(place) }));
    expect((await run(place, 'cat "$1"', `${place.root}/kept`)).stdout).toBe("kept");
  });

  test("tells a command that is under way when its container is stopped from one that fails", async () => {
    const place = await make();
    const running = executor.exec(place, { argv: ["sh", "-c", "touch begun; exec sleep 1000"] });
    await eventually(async () =>
      expect((await run(place, 'test -e "$1"', `${place.root}/begun`)).end).toMatchObject(SUCCESS),
    );
    podman.say("kill", place.id);
    expect(await running).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });
    must(await executor.create({ key: keyOf(place) }));
    const failed = await run(place, "echo Error: mine >&2; exit 137");
    expect(failed.end).toMatchObject({ kind: "exited", exitCode: 137 });
  });

  test("leaves no container, no volume and no process when it is destroyed", async () => {
    const place = await make();
    const argv = ["sh", "-c", "setsid sleep 7654 & exec sleep 7654"] as const;
    must(await executor.detach(place, "sleeper", { argv: [...argv] }));
    expect(names()).toContain(place.id);
    expect(volumes()).toContain(place.id);
    must(await executor.destroy(place));
    expect(names()).not.toContain(place.id);
    expect(volumes()).not.toContain(place.id);
    expect(must(await executor.status(place))).toEqual({ kind: "gone" });
    const absent = await executor.exec(place, { argv: ["true"] });
    expect(absent).toMatchObject({ ok: false, failure: { kind: "place-gone" } });
    must(await executor.destroy(place));
  });

  test("ends a command there whose time is over, and one that is given up, but none that was detached", async () => {
    const place = await make();
    must(await executor.detach(place, "sleeper", { argv: ["sleep", "1000"] }));
    const command = { argv: ["sh", "-c", "sleep 2222 & wait"] as const };
    const sleepers = "ps -e -o args | grep '^sleep [12]' | sort -u";
    const late = await executor.exec(place, { argv: [...command.argv] }, { timeoutMs: 500 });
    expect(late).toMatchObject({ ok: true, value: { kind: "timed-out" } });
    expect((await run(place, sleepers.replace("| sort -u", ""))).stdout).toBe("sleep 1000\n");

    const given = new AbortController();
    const streams = { signal: given.signal };
    const ran = executor.exec(place, { argv: [...command.argv] }, streams);
    const isThere = async () =>
      expect((await run(place, "ps -e -o args | grep -q '^sleep 2222'")).end).toMatchObject(
        SUCCESS,
      );
    await eventually(isThere);
    given.abort();
    expect(await ran).toMatchObject({ ok: true, value: { kind: "stopped" } });
    await expect(isThere()).rejects.toThrow();
    expect(must(await executor.isRunning(place, "sleeper"))).toBe(true);
  });

  test("ends what follows a file there when it is no longer followed", async () => {
    const place = await make();
    const path = `${place.root}/followed`;
    await run(place, 'echo begun > "$1"', path);
    let seen = "";
    const end = new AbortController();
    const onBytes = (bytes: Uint8Array) => void (seen += Buffer.from(bytes).toString());
    const followed = executor.follow(place, { path, offsetBytes: 0, onBytes }, end.signal);
    await eventually(() => expect(seen).toBe("begun\n"));
    end.abort();
    expect(await followed).toEqual(ok(undefined));
    await eventually(async () =>
      expect((await run(place, "ps -e -o args | grep -c '^tail'")).stdout).toBe("0\n"),
    );
  });

  test("leaves no zombie of processes that lost their parent", async () => {
    const place = await make();
    await run(place, "i=0; while [ $i -lt 20 ]; do (setsid sleep 0.05 &); i=$((i + 1)); done");
    // What is left is the one of the container's first process.
    await eventually(async () =>
      expect((await run(place, "ps -e -o args= | grep -e '^sleep' -e defunct'>'")).stdout).toBe(
        "sleep 3600\n",
      ),
    );
  });

  test("sees no socket and no directory of this machine, and can gain no rights", async () => {
    const place = await make();
    const mounts = (await run(place, "cat /proc/mounts; ls -A /run /var/run 2>/dev/null")).stdout;
    expect(mounts).not.toContain("podman.sock");
    const binds: unknown = JSON.parse(
      podman.say("inspect", "--format", "{{json .Mounts}}", place.id),
    );
    expect(binds).toMatchObject([{ Type: "volume", Name: place.id, Destination: "/wisp" }]);
    const status = (await run(place, "grep -e NoNewPrivs -e CapBnd /proc/self/status")).stdout;
    expect(status).toMatch(/CapBnd:\s+0{16}\n/);
    expect(status).toMatch(/NoNewPrivs:\s+1\n/);
  });

  test.skipIf(!CAN_LIMIT)(
    `is held to its memory and its number of processes${CAN_LIMIT ? "" : " (skipped: no cgroups here)"}`,
    async () => {
      const place = await make({ memoryBytes: 64 * MIB, cpus: 1 });
      const fill = `node --max-old-space-size=4000 -e 'const held = []; for (let i = 0; i < 400; i += 1) held.push(Buffer.alloc(1048576, 1));'`;
      expect((await run(place, fill)).end).toMatchObject({ kind: "exited", exitCode: 137 });
      expect(must(await executor.status(place))).toEqual({ kind: "up" });

      podman.say("stop", place.id);
      const limited = containerExecutor(executorHost(podman.env), {
        ...{ name: "container", program: "podman", runtime: "runc", image: IMAGES.ordinary },
        arguments: ["--pids-limit", "16"],
      });
      const key = `few-${randomBytes(4).toString("hex")}`;
      const few = must(await limited.create({ key }));
      places.push(few);
      const fork = "i=0; while [ $i -lt 40 ]; do sleep 3 & i=$((i + 1)); done; wait";
      const forked = await run(few, fork);
      expect(forked.end).not.toMatchObject(SUCCESS);
      expect(forked.end.stderr).toMatch(/fork/i);
    },
  );

  test("has git and node as the image's own user", async () => {
    const place = await make({ labels: { "org.example.team": "blue" } });
    const script = `git init -q repo && cd repo && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one &&
      git log --format=%s && node -p 1+1 && id -u`;
    expect(await run(place, script)).toMatchObject({ end: SUCCESS, stdout: "one\n2\n1000\n" });
    const labels = podman.say("inspect", "--format", "{{json .Config.Labels}}", place.id);
    expect(JSON.parse(labels)).toMatchObject({
      "wisp.place": keyOf(place),
      "org.example.team": "blue",
    });
  });

  test("is refused, and leaves nothing, if its image is an option or absent", async () => {
    const before = [names(), volumes()];
    for (const image of ["--privileged", "localhost/wisp-absent"]) {
      const made = await executor.create({ key: "refused", image });
      expect(made).toMatchObject({ ok: false });
      expect([names(), volumes()]).toEqual(before);
    }
  });

  test("gives a person a terminal", async () => {
    const place = await make();
    const argv = executor.terminalArgv?.(place, { argv: ["sh", "-l"], env: { TERM: "xterm" } });
    const env = ["--env", "TERM=xterm", "--env", `WISP_PLACE=${place.root}`];
    expect(argv).toEqual([
      ...["podman", "--runtime", "runc", "exec", "--interactive", "--tty"],
      ...["--workdir", place.root, ...env, place.id, "sh", "-l"],
    ]);
  });

  test("is made by podman if both programs are here", async () => {
    expect(await findContainerProgram(executorHost(), "container")).toEqual(ok("podman"));
    const nothing = executorHost({ PATH: "/nonexistent" });
    expect(await findContainerProgram(nothing, "container")).toMatchObject({
      ...{ ok: false, failure: { kind: "executor-refused" } },
    });
  });
});
