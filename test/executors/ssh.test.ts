import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import type { Executor, FarCommand, Place } from "../../src/base/ports/executor.ts";
import { ok } from "../../src/base/result.ts";
import { sshExecutor } from "../../src/executors/ssh/ssh-executor.ts";
import { controlSocket, type SshOptions } from "../../src/executors/ssh/ssh-options.ts";
import { eventually } from "../rig/patience.ts";
import { must, testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { noSshd, programAt, SshdHost, type SshdWishes } from "./sshd.ts";

const MISSING = noSshd();
const WHY_NOT = MISSING === undefined ? "" : ` (${MISSING}: skipped)`;

/** Within this time each command has to notice that its link is gone. */
const DEAD_LINK_MS_MAX = 30_000;

/** Login shells, none of which reads quotes as the others do. */
const SHELLS = ["dash", "bash", "zsh", "fish", "tcsh"];

describe.skipIf(MISSING !== undefined)(`the executor ssh${WHY_NOT}`, () => {
  testExecutor(async () => {
    const far = await SshdHost.open();
    return {
      executor: sshExecutor(executorHost(), far.options()),
      close: () => far.close(),
    };
  });
});

describe.skipIf(MISSING !== undefined)(`a host that ssh reaches${WHY_NOT}`, () => {
  const opened: SshdHost[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((far) => far.close()));
  });

  async function openHost(wishes?: SshdWishes): Promise<SshdHost> {
    const far = await SshdHost.open(wishes);
    opened.push(far);
    return far;
  }

  function executorAt(far: SshdHost, more?: Partial<SshOptions>): Executor {
    return sshExecutor(executorHost(), far.options(more));
  }

  /** A host, an executor for it, and a place there. */
  async function openPlace(wishes?: SshdWishes, more?: Partial<SshOptions>) {
    const far = await openHost(wishes);
    const executor = executorAt(far, more);
    return { far, executor, place: must(await executor.create({ key: "place" })) };
  }

  async function printed(executor: Executor, place: Place, command: FarCommand) {
    const chunks: Uint8Array[] = [];
    const onStdout = (bytes: Uint8Array) => void chunks.push(bytes);
    const end = must(await executor.exec(place, command, { onStdout, timeoutMs: 60_000 }));
    expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
    return Buffer.concat(chunks).toString();
  }

  for (const shell of SHELLS) {
    const path = programAt(shell);
    const why = path === undefined ? " (not installed: skipped)" : "";
    test.skipIf(path === undefined)(
      `gets every word past the login shell ${shell}${why}`,
      async () => {
        const { executor, place } = await openPlace({ shell: path ?? "" });
        const words = [
          ...[
            "a b",
            "it's",
            "''",
            "\\",
            "\\'",
            "'\\''",
            "a\\",
            "!",
            "!!",
            "!x",
            "a!b",
            "$HOME",
            "`id`",
          ],
          ...[
            "a\nb",
            "\n",
            "\r",
            "\t",
            "\u0001",
            "é ü 漢 🦊",
            "*",
            "~",
            "{a,b}",
            "%s",
            "%b\\n",
            "\\0101",
          ],
          ...['"', "#", ";", "&", "|", "<", ">", "(", ")", "[x]", "?", "^", "-n", "--", "", "=ls"],
        ];
        const argv = ["sh", "-c", `printf '%s\\0' "$@"`, "sh", ...words] as const;
        expect(await printed(executor, place, { argv: [...argv] })).toBe(
          words.map((word) => `${word}\0`).join(""),
        );
        must(await executor.detach(place, "quick", { argv: ["sh", "-c", "echo it\\'s on"] }));
        await eventually(async () =>
          expect(await printed(executor, place, { argv: ["cat", "run/quick.log"] })).toBe(
            "it's on\n",
          ),
        );
      },
    );
  }

  test("makes places private, below the state directory of its user or where it is told", async () => {
    const { far, executor, place } = await openPlace();
    const root = join(far.home, ".local/state/wisp/places/place");
    expect(place).toEqual({ id: `far:${root}`, root });
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    expect(must(await executor.status(place))).toEqual({ kind: "up" });

    const elsewhere = executorAt(far, { root: join(far.folder, "else where's") });
    const other = must(await elsewhere.create({ key: "a-1" }));
    expect(other.root).toBe(join(far.folder, "else where's", "a-1"));
    must(await elsewhere.destroy(other));
    expect(must(await elsewhere.status(other))).toEqual({ kind: "gone" });
  });

  test("refuses places on a network file system, and leaves nothing there", async () => {
    const far = await openHost();
    const bin = join(far.folder, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "stat"), "#!/bin/sh\necho nfs\n");
    await chmod(join(bin, "stat"), 0o755);
    await far.configure([`SetEnv PATH=${bin}:/usr/bin:/bin`]);
    const root = join(far.folder, "network");
    const refused = await executorAt(far, { root }).create({ key: "place" });
    expect(refused).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
    expect(JSON.stringify(refused)).toContain("is on a network file system (nfs)");
    await expect(stat(join(root, "place"))).rejects.toThrow("ENOENT");
  });

  test("tells 255 and a death by a signal of a command apart from a link that broke", async () => {
    const { executor, place } = await openPlace();
    const ended = (script: string) => executor.exec(place, { argv: ["sh", "-c", script] });
    expect(await ended("echo its own words >&2; exit 255")).toEqual(
      ok({ kind: "exited", exitCode: 255, stderr: "its own words\n" }),
    );
    expect(await ended("exit 255")).toEqual(ok({ kind: "exited", exitCode: 255, stderr: "" }));
    expect(await ended("kill -KILL $$")).toMatchObject({ value: { exitCode: 137 } });
  });

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

  test("refuses an unknown and a changed host key, and a login that the host refuses, and says what to run", async () => {
    const far = await openHost();
    const executor = executorAt(far);
    const refused = async (words: string) => {
      const made = await executor.create({ key: "place" });
      expect(made).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
      expect(JSON.stringify(made)).toContain(words);
      expect(JSON.stringify(made)).toContain("run the same command again: ssh far");
    };
    const known = await readFile(join(far.folder, "known"), "utf8");
    await far.setKnownKey("");
    await refused("its host key is not known here");
    await far.setKnownKey(`${far.address} ${await far.makeKey("other")}\n`);
    await refused("its host key is not the known one");
    await far.setKnownKey(known);
    await writeFile(join(far.folder, "authorized"), "");
    await refused("Permission denied");
  });

  test("refuses a host name that begins with a hyphen before anything is started", async () => {
    const far = await openHost();
    const witness = join(far.folder, "witness");
    for (const host of [`-oProxyCommand=touch ${witness}`, "-oBatchMode=no", "root@-far"]) {
      const executor = executorAt(far, { destination: host });
      const made = await executor.create({ key: "place" });
      expect(made).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
      expect(JSON.stringify(made)).toContain("begins with a hyphen");
      const run = await executor.exec({ id: "x", root: "/x" }, { argv: ["true"] });
      expect(run).toMatchObject({ ok: false, failure: { kind: "executor-refused" } });
    }
    await expect(stat(witness)).rejects.toThrow("ENOENT");
  });

  test("says that a place is gone when its directory is", async () => {
    const { executor, place } = await openPlace();
    must(await executor.destroy(place));
    const ran = await executor.exec(place, { argv: ["true"] });
    expect(ran).toMatchObject({ ok: false, failure: { kind: "place-gone", place: place.id } });
  });

  test("gives a terminal in the directory, with the variables and the words of the command", async () => {
    const { executor, place } = await openPlace({ shell: programAt("fish") ?? "/bin/sh" });
    const script = 'tty -s && printf "%s|" "$1" "$GIVEN" "$PWD"';
    const argv = executor.terminalArgv?.(place, {
      argv: ["sh", "-c", script, "sh", "it's \\ ! here"],
      env: { GIVEN: "a b" },
    });
    const [program = "", ...words] = argv ?? [];
    // A second -t asks for a terminal there although there is none here.
    const { stdout } = await promisify(execFile)(program, ["-t", ...words]);
    expect(stdout).toBe(`it's \\ ! here|a b|${place.root}|`);
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
