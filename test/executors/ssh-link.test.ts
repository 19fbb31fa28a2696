import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FarCommand } from "../../src/base/ports/executor.ts";
import { ok } from "../../src/base/result.ts";
import { controlSocket } from "../../src/executors/ssh/ssh-options.ts";
import { eventually } from "../rig/patience.ts";
import { must } from "./contract.ts";
import { executorAt, printed, sshHosts } from "./ssh-hosts.ts";
import { noSshd } from "./sshd.ts";

const MISSING = noSshd();
const WHY_NOT = MISSING === undefined ? "" : ` (${MISSING}: skipped)`;

/** Within this time each command has to notice that its link is gone. */
const DEAD_LINK_MS_MAX = 30_000;

describe.skipIf(MISSING !== undefined)(`the link to a host that ssh reaches${WHY_NOT}`, () => {
  const { openHost, openPlace } = sshHosts();

  test("lets commands share one connection, also those that begin at once, and more than sshd allows in one", async () => {
    const far = await openHost();
    const [first, second] = [executorAt(far), executorAt(far)];
    const [one, other] = await Promise.all([
      first.create({ key: "place" }),
      second.create({ key: "place" }),
    ]);
    const place = must(one);
    expect(must(other)).toEqual(place);
    await eventually(async () => expect(await far.masters()).toHaveLength(1));

    const fifteen = Array.from({ length: 15 }, (_, at) => at);
    const argv = (at: number) => [
      "sh",
      "-c",
      `while [ ! -e go ]; do sleep 0.1; done; echo ${String(at)}`,
    ];
    const said = fifteen.map((at) => {
      const [program = "sh", ...rest] = argv(at);
      return printed(at % 2 === 0 ? first : second, place, { argv: [program, ...rest] });
    });
    must(await first.put(place, { from: Buffer.from(""), to: join(place.root, "go") }));
    expect(await Promise.all(said)).toEqual(fifteen.map((at) => `${String(at)}\n`));
    expect(await far.masters()).toHaveLength(1);
  });

  test("goes on when the process that held the connection was killed and left its socket", async () => {
    const { far, executor, place } = await openPlace();
    const [master = 0] = await far.masters();
    process.kill(master, "SIGKILL");
    await eventually(async () => expect(await far.masters()).toEqual([]));
    const socket = controlSocket(far.options()) ?? "";
    expect((await stat(socket)).isSocket()).toBe(true);
    expect(await printed(executor, place, { argv: ["echo", "on"] })).toBe("on\n");
    await eventually(async () => expect(await far.masters()).toHaveLength(1));
  });

  test("works without a shared connection where there can be no socket", async () => {
    const far = await openHost();
    const long = join(far.folder, "long".repeat(30));
    await writeFile(join(far.folder, "file"), "");
    for (const control of [long, join(far.folder, "file")]) {
      const executor = executorAt(far, { control });
      const place = must(await executor.create({ key: "place" }));
      expect(await printed(executor, place, { argv: ["echo", "apart"] })).toBe("apart\n");
      expect(await far.masters()).toEqual([]);
    }
  });

  test("shares a connection through another host, which no command takes along when it ends", async () => {
    const far = await openHost();
    await far.addHost("inner", ["ProxyJump far"]);
    const executor = executorAt(far, { destination: "inner" });
    const place = must(await executor.create({ key: "place" }));
    const [master] = await far.masters();
    expect(master).toBeTypeOf("number");
    expect(await printed(executor, place, { argv: ["echo", "through"] })).toBe("through\n");
    expect(must(await executor.status(place))).toEqual({ kind: "up" });
    expect(await far.masters()).toEqual([master]);
  });

  test("notices a link that is cut within 30 s, and follows on at the offset when it is back", async () => {
    const { far, executor, place } = await openPlace();
    const path = join(place.root, "run", "writer.log");
    const script = "n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); echo $n; sleep 0.05; done";
    must(await executor.detach(place, "writer", { argv: ["sh", "-c", script] }));
    let seen = Buffer.alloc(0);
    const follow = (signal: AbortSignal) =>
      executor.follow(
        place,
        {
          ...{ path, offsetBytes: seen.length },
          onBytes: (bytes) => void (seen = Buffer.concat([seen, bytes])),
        },
        signal,
      );
    const first = follow(new AbortController().signal);
    await eventually(() => expect(seen.length).toBeGreaterThan(20));

    await far.setLink("down");
    const cutMs = Date.now();
    const commands = [executor.status(place), executor.exec(place, { argv: ["sleep", "100"] })];
    for (const ended of await Promise.all([first, ...commands])) {
      expect(ended).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });
    }
    expect(Date.now() - cutMs).toBeLessThan(DEAD_LINK_MS_MAX);
    const againMs = Date.now();
    const again = await executor.isRunning(place, "writer");
    expect(again).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });
    expect(Date.now() - againMs).toBeLessThan(DEAD_LINK_MS_MAX);

    await far.setLink("up");
    const before = seen.length;
    const second = new AbortController();
    const followed = follow(second.signal);
    await eventually(() => expect(seen.length).toBeGreaterThan(before + 20));
    second.abort();
    expect(await followed).toEqual(ok(undefined));
    expect(must(await executor.isRunning(place, "writer"))).toBe(true);
    const file = await readFile(path);
    expect(digest(seen)).toBe(digest(file.subarray(0, seen.length)));
  });

  test("lets a detached command outlive the killed processes of a connection", async () => {
    const { far, executor, place } = await openPlace();
    must(await executor.detach(place, "sleeper", { argv: ["sleep", "1000"] }));
    const waiting = executor.exec(place, { argv: ["sh", "-c", "echo > begun; sleep 100"] });
    await eventually(() => stat(join(place.root, "begun")));
    await far.killConnections();
    expect(await waiting).toMatchObject({ ok: false, failure: { kind: "executor-unreachable" } });
    expect(must(await executor.isRunning(place, "sleeper"))).toBe(true);
    expect(must(await executor.signal(place, "sleeper", "TERM"))).toBe(true);
  });

  test("finds the files, but nothing that ran, after the host was started again", async () => {
    const { far, executor, place } = await openPlace();
    const command: FarCommand = { argv: ["sh", "-c", "echo begun; exec sleep 1000"] };
    must(await executor.detach(place, "sleeper", command));
    expect(must(await executor.isRunning(place, "sleeper"))).toBe(true);
    await far.stop();
    const unreachable = await executor.isRunning(place, "sleeper");
    expect(unreachable).toMatchObject({ failure: { kind: "executor-unreachable" } });
    expect(JSON.stringify(unreachable)).toMatch(/refused/);

    await far.start();
    expect(must(await executor.isRunning(place, "sleeper"))).toBe(false);
    expect(must(await executor.status(place))).toEqual({ kind: "up" });
    expect(must(await executor.create({ key: "place" }))).toEqual(place);
    must(await executor.detach(place, "sleeper", command));
    expect(must(await executor.isRunning(place, "sleeper"))).toBe(true);
    await eventually(async () =>
      expect(await printed(executor, place, { argv: ["cat", "run/sleeper.log"] })).toBe(
        "begun\nbegun\n",
      ),
    );
  });

  test("leaves no command there that only followed a file", async () => {
    const { far, executor, place } = await openPlace();
    await printed(executor, place, { argv: ["sh", "-c", "echo line > file"] });
    const abort = new AbortController();
    let seen = "";
    const onBytes = (bytes: Uint8Array) => void (seen += Buffer.from(bytes).toString());
    const file = { path: join(place.root, "file"), offsetBytes: 0, onBytes };
    const followed = executor.follow(place, file, abort.signal);
    await eventually(() => expect(seen).toBe("line\n"));
    expect(await far.commandLines()).toContainEqual(expect.stringContaining("tail -c"));
    abort.abort();
    expect(await followed).toEqual(ok(undefined));
    await eventually(async () =>
      expect(await far.commandLines()).not.toContainEqual(expect.stringContaining("tail -c")),
    );
  });
});

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
