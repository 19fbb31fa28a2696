import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Executor, FarCommand, Place } from "../../src/base/ports/executor.ts";
import { ok, type Result } from "../../src/base/result.ts";
import { eventually } from "../rig/patience.ts";

/** An executor that is tested, with what its tests had to set up for it. */
export interface OpenedExecutor {
  readonly executor: Executor;
  /** Ends what was set up. */
  readonly close: () => Promise<void>;
}

/** Words that a shell on the way could change. */
const HARD_WORDS = [
  ...["a b", "it's", 'say "hi"', "$HOME", "`id`", "*", "a\nb", "\\", "--", "-n", "", "é ü 漢", "~"],
  ...["a;b", "a&b", "|", "%s", "!x", "#x", "{a,b}", "(x)", "\t"],
];

const SUCCESS = { kind: "exited", exitCode: 0 };

/** What every executor has to do, as tests. Each starts from a place that is up. */
export function testExecutor(open: () => Promise<OpenedExecutor>): void {
  let opened: OpenedExecutor | undefined;
  let folder = "";
  let place: Place;
  const key = `contract-${randomBytes(4).toString("hex")}`;
  const executor = () => {
    if (opened === undefined) throw new Error("the executor is not open yet");
    return opened.executor;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wisp-executor-"));
    opened = await open();
    place = must(await executor().create({ key }));
    await eventually(async () => expect(must(await executor().status(place)).kind).toBe("up"));
  });
  afterAll(async () => {
    if (opened !== undefined) await executor().destroy(place);
    await opened?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command, and returns how it ended and what it printed. */
  async function run(command: FarCommand, stdin?: Uint8Array) {
    const chunks: Uint8Array[] = [];
    const onStdout = (bytes: Uint8Array) => void chunks.push(bytes);
    const end = must(await executor().exec(place, command, { stdin, onStdout, timeoutMs: 60_000 }));
    return { end, stdout: Buffer.concat(chunks) };
  }

  test("makes one place for one key, however often it is asked", async () => {
    expect(must(await executor().create({ key }))).toEqual(place);
  });

  test("passes every word, variable and byte unchanged", async () => {
    const input = randomBytes(100_000);
    const script = `printf '%s\\0' "$@"; printf '%s\\0' "$GIVEN"; pwd; cat`;
    const { end, stdout } = await run(
      {
        argv: ["sh", "-c", script, "sh", ...HARD_WORDS],
        env: { GIVEN: "it's $HOME\n" },
      },
      input,
    );
    expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
    const head = [...HARD_WORDS, "it's $HOME\n"].map((word) => `${word}\0`).join("");
    const expected = Buffer.concat([Buffer.from(`${head}${place.root}\n`), input]);
    expect(stdout.equals(expected)).toBe(true);
  });

  test("tells the exit code and the end of standard error of a command that fails", async () => {
    const { end } = await run({ argv: ["sh", "-c", "echo it broke >&2; exit 42"] });
    expect(end).toMatchObject({ kind: "exited", exitCode: 42 });
    expect(end.stderr).toContain("it broke");
  });

  test("refuses to run a command in a directory that is not there", async () => {
    const ran = await executor().exec(place, { argv: ["true"], cwd: `${place.root}/absent` });
    expect(ran).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
  });

  test("copies files there and back, whole, private and executable as asked", async () => {
    const bytes = randomBytes(3_000_000);
    const far = `${place.root}/deep er/it's a file`;
    must(await executor().put(place, { from: bytes, to: far }));
    must(await executor().put(place, { from: bytes, to: `${far}.sh`, isExecutable: true }));
    const modes = await run({ argv: ["stat", "-c", "%a", far, `${far}.sh`] });
    expect(modes.stdout.toString()).toBe("600\n700\n");
    must(await executor().get(place, far, join(folder, "back")));
    expect((await readFile(join(folder, "back"))).equals(bytes)).toBe(true);

    await writeFile(join(folder, "other"), "other");
    must(await executor().put(place, { from: { path: join(folder, "other") }, to: far }));
    must(await executor().get(place, far, join(folder, "back")));
    expect(await readFile(join(folder, "back"), "utf8")).toBe("other");
  });

  test("leaves nothing of a copy that could not be made", async () => {
    const before = (await readdir(folder)).sort();
    const got = await executor().get(place, `${place.root}/absent`, join(folder, "new"));
    expect(got).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
    expect((await readdir(folder)).sort()).toEqual(before);

    const from = { path: join(folder, "absent") };
    const put = await executor().put(place, { from, to: `${place.root}/half/file` });
    expect(put.ok).toBe(false);
    expect((await run({ argv: ["ls", "-A", `${place.root}/half`] })).stdout.toString()).toBe("");
  });

  test("does not make a place again whose root was removed by somebody else, neither by a copy nor by a start", async () => {
    const lost = must(await executor().create({ key: `${key}-lost` }));
    await eventually(async () => expect(must(await executor().status(lost)).kind).toBe("up"));
    const outside = (...argv: readonly [string, ...string[]]) =>
      executor().exec(lost, { argv: [...argv], cwd: "/" });
    // What makes the root of a place that has just begun is over when something was started there.
    must(await executor().detach(lost, "first", { argv: ["true"] }));
    must(await outside("rm", "-rf", "--", lost.root));
    const from = Buffer.from("late");
    const put = await executor().put(lost, { from, to: `${lost.root}/given/file` });
    expect(put.ok).toBe(false);
    const detached = await executor().detach(lost, "sleeper", { argv: ["sleep", "1000"] });
    expect(detached.ok).toBe(false);
    // Some do not even run a command at such a place.
    const looked = await outside("test", "-e", lost.root);
    expect(looked).not.toMatchObject({ ok: true, value: SUCCESS });
    must(await executor().destroy(lost));
  });

  test("starts a command that goes on, once for one name, and ends it with all it started", async () => {
    const script = `echo begun >> "$1"; sleep 1000 & echo $! > "$1.child"; wait`;
    const beginnings = `${place.root}/beginnings`;
    const command: FarCommand = { argv: ["sh", "-c", script, "sh", beginnings] };
    const begun = async () => (await run({ argv: ["cat", beginnings] })).stdout.toString();

    must(await executor().detach(place, "sleeper", command));
    must(await executor().detach(place, "sleeper", command));
    expect(must(await executor().isRunning(place, "sleeper"))).toBe(true);
    expect(must(await executor().isRunning(place, "other"))).toBe(false);
    const childFile = `${beginnings}.child`;
    const childKnown = async () =>
      expect((await run({ argv: ["test", "-s", childFile] })).end).toMatchObject(SUCCESS);
    await eventually(childKnown);
    const child = (await run({ argv: ["cat", childFile] })).stdout.toString().trim();

    expect(must(await executor().signal(place, "sleeper", "TERM"))).toBe(true);
    await eventually(async () =>
      expect(must(await executor().isRunning(place, "sleeper"))).toBe(false),
    );
    const isAlive = 'grep -qv ") Z" "/proc/$1/stat" 2>/dev/null';
    await eventually(async () =>
      expect((await run({ argv: ["sh", "-c", isAlive, "sh", child] })).end).not.toMatchObject(
        SUCCESS,
      ),
    );
    expect(must(await executor().signal(place, "sleeper", "TERM"))).toBe(false);

    must(await executor().detach(place, "sleeper", command));
    await eventually(async () => expect(await begun()).toBe("begun\nbegun\n"));
    must(await executor().signal(place, "sleeper", "KILL"));
  });

  test("two detaches at once start one command", async () => {
    const command: FarCommand = { argv: ["sh", "-c", 'echo begun >> "$WHERE"; sleep 1000'] };
    for (const name of ["first", "second", "third", "fourth"]) {
      const env = { WHERE: `${place.root}/${name}` };
      const detach = () => executor().detach(place, name, { ...command, env });
      const detached = await Promise.all([detach(), detach(), detach(), detach()]);
      for (const one of detached) must(one);
      const begun = async () => (await run({ argv: ["cat", env.WHERE] })).stdout.toString();
      await eventually(async () => expect(await begun()).toContain("begun"));
      expect(must(await executor().signal(place, name, "KILL"))).toBe(true);
      await eventually(async () =>
        expect(must(await executor().isRunning(place, name))).toBe(false),
      );
      expect(await begun()).toBe("begun\n");
    }
  });

  test("keeps the output of a command that goes on", async () => {
    const argv = ["sh", "-c", "echo to out; echo to err >&2"] as const;
    must(await executor().detach(place, "speaker", { argv: [...argv] }));
    const said = async () =>
      (await run({ argv: ["cat", `${place.root}/run/speaker.log`] })).stdout.toString();
    await eventually(async () =>
      expect((await said()).split("\n").sort()).toEqual(["", "to err", "to out"]),
    );
  });

  test("follows a file from an offset on, without a gap or a repetition", async () => {
    const path = `${place.root}/followed`;
    const append = (text: string) =>
      run({ argv: ["sh", "-c", 'printf %s "$2" >> "$1"', "sh", path, text] });
    await append("0123456789");
    let seen = "";
    const followFrom = (offsetBytes: number, signal: AbortSignal) =>
      executor().follow(
        place,
        { path, offsetBytes, onBytes: (bytes) => void (seen += Buffer.from(bytes).toString()) },
        signal,
      );

    const first = new AbortController();
    const followed = followFrom(4, first.signal);
    await eventually(() => expect(seen).toBe("456789"));
    await append("abc");
    await eventually(() => expect(seen).toBe("456789abc"));
    first.abort();
    expect(await followed).toEqual(ok(undefined));

    await append("def");
    const second = new AbortController();
    const again = followFrom(4 + seen.length, second.signal);
    await eventually(() => expect(seen).toBe("456789abcdef"));
    second.abort();
    expect(await again).toEqual(ok(undefined));

    const absent = { path: `${place.root}/absent`, offsetBytes: 0, onBytes: () => undefined };
    const refused = await executor().follow(place, absent, new AbortController().signal);
    expect(refused).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
  });

  test("ends everything and removes all files when a place is destroyed, also twice", async () => {
    const doomed = must(await executor().create({ key: `${key}-doomed` }));
    await eventually(async () => expect(must(await executor().status(doomed)).kind).toBe("up"));
    const daemon = "setsid sleep 1000 < /dev/null > /dev/null 2>&1 & exec sleep 1000";
    must(await executor().detach(doomed, "sleeper", { argv: ["sh", "-c", daemon] }));
    must(await executor().destroy(doomed));
    await eventually(async () => expect(must(await executor().status(doomed)).kind).toBe("gone"));
    must(await executor().destroy(doomed));
    expect(must(await executor().status(place)).kind).toBe("up");
  });
}

/** The value of a result that must be a success. */
export function must<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  throw new Error(`failed: ${JSON.stringify(result.failure)}`);
}
