import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Place } from "../../src/base/ports/executor.ts";
import { ok } from "../../src/base/result.ts";
import {
  spritesExecutor,
  type SpritesOptions,
} from "../../src/executors/sprites/sprites-executor.ts";
import { nodeWeb } from "../../src/host/web/node-web.ts";
import { eventually } from "../rig/patience.ts";
import { must, testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { openSprites, type SpritesDouble } from "./sprites-double.ts";

/** The double finds processes by their environment; what is kept awake asks with curl. */
const LACKS = !existsSync("/proc/self/environ") || !existsSync("/usr/bin/curl");
const WHY = LACKS ? " (skipped: needs /proc and curl)" : "";

function executorAt(double: SpritesDouble, more: Partial<SpritesOptions> = {}) {
  const { baseUrl, token, awakeSocket } = double;
  const options = { name: "sprites", token, baseUrl, awakeSocket, ...more };
  return spritesExecutor({ ...executorHost(), web: nodeWeb }, options);
}

describe.skipIf(LACKS)(`the executor sprites at a double of the service${WHY}`, () => {
  testExecutor(async () => {
    const double = await openSprites();
    return { executor: executorAt(double), close: () => double.close() };
  });
});

describe.skipIf(LACKS)(`the executor sprites when the service has faults${WHY}`, () => {
  let double: SpritesDouble;
  let place: Place;

  beforeEach(async () => {
    double = await openSprites();
    place = must(await executorAt(double).create({ key: "k" }));
  });
  afterEach(() => double.close());

  const unreachable = { ok: false, failure: { kind: "executor-unreachable" } };

  async function printed(argv: readonly [string, ...string[]]): Promise<string> {
    let text = "";
    const onStdout = (bytes: Uint8Array) => void (text += Buffer.from(bytes).toString());
    must(await executorAt(double).exec(place, { argv }, { onStdout }));
    return text;
  }

  test("names a sprite after its key, in lower case and not too long", async () => {
    expect(place.id).toBe("wisp-k");
    const long = must(await executorAt(double).create({ key: "K".repeat(60) }));
    expect(long.id).toMatch(/^wisp-[0-9a-f]{24}$/);
  });

  test("puts neither the token nor a word or variable of a command into a URL", async () => {
    const command = { argv: ["echo", "a-word"] as const, env: { GIVEN: "a-value" } };
    must(await executorAt(double).exec(place, { ...command, argv: [...command.argv] }));
    must(
      await executorAt(double).put(place, { from: Buffer.from("x"), to: `${place.root}/a-file` }),
    );
    const urls = double.seen.map(({ url }) => url).join("\n");
    for (const secret of [double.token, "a-secret", "a-word", "a-value", "a-file"]) {
      expect(urls).not.toContain(secret);
    }
    const authorizations = new Set(double.seen.map(({ authorization }) => authorization));
    expect([...authorizations]).toEqual([`Bearer ${double.token}`]);
  });

  test.each([500, 502, 503, 429])("takes the status %i for a broken link", async (status) => {
    double.faults.status = status;
    const executor = executorAt(double);
    expect(await executor.create({ key: "k" })).toMatchObject(unreachable);
    expect(await executor.status(place)).toMatchObject(unreachable);
    expect(await executor.exec(place, { argv: ["true"] })).toMatchObject(unreachable);
    expect(await executor.destroy(place)).toMatchObject(unreachable);
  });

  test("takes a server that is not there for a broken link", async () => {
    const baseUrl = "http://127.0.0.1:1";
    const executor = executorAt(double, { baseUrl });
    expect(await executor.create({ key: "k" })).toMatchObject(unreachable);
    expect(await executor.exec(place, { argv: ["true"] })).toMatchObject(unreachable);
  });

  test("refuses a wrong token with a hint, and never says a token", async () => {
    const executor = executorAt(double, { token: "wrong" });
    const refused = { ok: false, failure: { kind: "executor-refused" } };
    const failed = [
      await executor.status(place),
      await executor.exec(place, { argv: ["true"] }),
      await executorAt(double, { token: "" }).status(place),
      await executorAt(double, { token: "a\nb" }).status(place),
    ];
    for (const result of failed) {
      expect(result).toMatchObject(refused);
      const words = result.ok ? [] : result.failure.words();
      expect(words[1]).toContain("SPRITE_TOKEN");
    }
    double.faults.status = 403;
    const echoed = await executorAt(double).status(place);
    expect(JSON.stringify(echoed)).not.toContain(double.token);
    expect(echoed).toMatchObject(refused);
  });

  test("does not send the token in the clear to another machine", async () => {
    const executor = executorAt(double, { baseUrl: "http://192.0.2.1" });
    const refused = { ok: false, failure: { kind: "executor-refused" } };
    expect(await executor.status(place)).toMatchObject(refused);
    expect(await executor.exec(place, { argv: ["true"] })).toMatchObject(refused);
  });

  test("finds the sprite that was made when the answer to that was lost", async () => {
    double.faults.losesMade = true;
    expect(await executorAt(double).create({ key: "lost" })).toMatchObject(unreachable);
    expect(must(await executorAt(double).create({ key: "lost" })).id).toBe("wisp-lost");
    const made = double.seen.filter(({ method }) => method === "POST");
    expect(made).toHaveLength(2);
  });

  test("tells a place that was removed by others", async () => {
    const gone = { ok: false, failure: { kind: "place-gone", place: "wisp-k" } };
    must(await executorAt(double).destroy(place));
    expect(await executorAt(double).exec(place, { argv: ["true"] })).toMatchObject(gone);
    expect(await executorAt(double).isRunning(place, "any")).toMatchObject(gone);
    expect(await executorAt(double).checkpoint?.(place, "c")).toMatchObject(gone);
    expect(await executorAt(double).restore?.(place, "v0")).toMatchObject(gone);
    expect(must(await executorAt(double).status(place))).toEqual({ kind: "gone" });
  });

  test("cuts a connection without a sign of life", async () => {
    double.faults.isMute = true;
    const executor = executorAt(double, { pingMs: 50 });
    expect(await executor.exec(place, { argv: ["sleep", "1000"] })).toMatchObject(unreachable);
  });

  test("keeps a connection on which a command says nothing", async () => {
    const executor = executorAt(double, { pingMs: 100 });
    const ran = await executor.exec(place, { argv: ["sleep", "1.5"] });
    expect(ran).toMatchObject({ ok: true, value: { kind: "exited", exitCode: 0 } });
  });

  test("ends a command there whose time is over", async () => {
    const argv = [
      "sh",
      "-c",
      'echo $$ > "$1"; exec sleep 1000',
      "sh",
      `${place.root}/pid`,
    ] as const;
    const streams = { timeoutMs: 1_000 };
    const ran = await executorAt(double).exec(place, { argv: [...argv] }, streams);
    expect(ran).toMatchObject({ ok: true, value: { kind: "timed-out" } });
    const pid = Number(await printed(["cat", `${place.root}/pid`]));
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/));
  });

  test("goes on after a cut in a followed file without a gap or a repetition", async () => {
    const path = `${place.root}/log`;
    const text = Array.from({ length: 5_000 }, (_, line) => `line ${line}\n`).join("");
    must(await executorAt(double).put(place, { from: Buffer.from(text), to: path }));
    const seen: Uint8Array[] = [];
    const bytes = () => Buffer.concat(seen);
    const follow = (signal: AbortSignal) => {
      const onBytes = (chunk: Uint8Array) => void seen.push(chunk);
      const file = { path, offsetBytes: bytes().length, onBytes };
      return executorAt(double).follow(place, file, signal);
    };
    double.faults.cutAfterBytes = 1_001;
    const never = new AbortController().signal;
    expect(await follow(never)).toMatchObject(unreachable);
    expect(await follow(never)).toMatchObject(unreachable);
    expect(bytes()).toHaveLength(2_002);
    double.faults.cutAfterBytes = undefined;
    const last = new AbortController();
    const followed = follow(last.signal);
    await eventually(() => expect(bytes()).toHaveLength(text.length));
    last.abort();
    expect(await followed).toEqual(ok(undefined));
    expect(bytes().toString()).toBe(text);
  });

  test("leaves nothing here of a copy that was cut off", async () => {
    const far = `${place.root}/big`;
    must(await executorAt(double).put(place, { from: Buffer.alloc(100_000), to: far }));
    double.faults.cutAfterBytes = 1_000;
    const here = `${double.directory}/here`;
    expect(await executorAt(double).get(place, far, here)).toMatchObject(unreachable);
    expect(existsSync(here)).toBe(false);
  });

  test("sees after a deep sleep that nothing runs any more, and starts it again", async () => {
    const executor = executorAt(double);
    must(await executor.detach(place, "agent", { argv: ["sleep", "1000"] }));
    expect(must(await executor.isRunning(place, "agent"))).toBe(true);
    double.goCold();
    expect(must(await executor.status(place))).toEqual({
      ...{ kind: "waiting", reason: "it sleeps until it is used (cold)" },
    });
    expect(must(await executor.isRunning(place, "agent"))).toBe(false);
    expect(must(await executor.status(place))).toEqual({ kind: "up" });
    must(await executor.detach(place, "agent", { argv: ["sleep", "1000"] }));
    expect(must(await executor.isRunning(place, "agent"))).toBe(true);
  });

  test("takes a command that a deep sleep ended for one whose connection broke", async () => {
    const begun = `${place.root}/begun`;
    const argv = ["sh", "-c", ': > "$1"; exec sleep 1000', "sh", begun] as const;
    const running = executorAt(double).exec(place, { argv: [...argv] });
    await eventually(() => expect(existsSync(begun)).toBe(true));
    double.goCold();
    expect(await running).toMatchObject(unreachable);
  });

  test("keeps a sprite awake while a detached command runs, and lets it go afterwards", async () => {
    const executor = executorAt(double, { awakeSeconds: 1 });
    must(await executor.detach(place, "agent", { argv: ["sleep", "2.5"] }));
    const put = 'PUT /v1/tasks/wisp-agent {"expire":"5m"}';
    await eventually(() => expect(double.awakeSeen.at(-1)).toBe("DELETE /v1/tasks/wisp-agent"));
    expect(double.awakeSeen.filter((one) => one === put).length).toBeGreaterThan(1);
  });

  test("runs a detached command also where nothing can keep the sprite awake", async () => {
    const executor = executorAt(double, { awakeSocket: "/absent/api.sock" });
    must(await executor.detach(place, "agent", { argv: ["sleep", "1000"] }));
    expect(must(await executor.isRunning(place, "agent"))).toBe(true);
    expect(must(await executor.signal(place, "agent", "TERM"))).toBe(true);
    await eventually(async () =>
      expect(must(await executor.isRunning(place, "agent"))).toBe(false),
    );
  });

  test("goes back to a checkpoint, and ends what runs", async () => {
    const executor = executorAt(double);
    const far = `${place.root}/file`;
    must(await executor.put(place, { from: Buffer.from("before"), to: far }));
    expect(await executor.checkpoint?.(place, "first")).toEqual(ok("v0"));
    must(await executor.put(place, { from: Buffer.from("after"), to: far }));
    expect(await executor.checkpoint?.(place, "second")).toEqual(ok("v1"));
    must(await executor.detach(place, "agent", { argv: ["sleep", "1000"] }));
    expect(await executor.restore?.(place, "v0")).toEqual(ok(undefined));
    expect(await printed(["cat", far])).toBe("before");
    expect(must(await executor.isRunning(place, "agent"))).toBe(false);
    expect(await executor.restore?.(place, "v7")).toMatchObject({
      ok: false,
      failure: { kind: "executor-refused", detail: "there is no checkpoint v7" },
    });
  });

  test("does not take a report that was cut off for a checkpoint", async () => {
    double.faults.cutsReports = true;
    expect(await executorAt(double).checkpoint?.(place, "c")).toMatchObject(unreachable);
    expect(await executorAt(double).restore?.(place, "v0")).toMatchObject(unreachable);
  });

  test("does not take a server that speaks another protocol for the service", async () => {
    const other = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume().end("SSH-2.0-x\r\n");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const executor = executorAt(double, { baseUrl: `http://127.0.0.1:${port}` });
    expect(await executor.status(place)).toMatchObject(unreachable);
    expect(await executor.exec(place, { argv: ["true"] })).toMatchObject(unreachable);
    await new Promise((resolve) => other.close(resolve));
  });
});
