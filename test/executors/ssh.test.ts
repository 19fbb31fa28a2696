import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { sshExecutor } from "../../src/executors/ssh/ssh-executor.ts";
import { eventually } from "../rig/patience.ts";
import { must, testExecutor } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { executorAt, printed, sshHosts } from "./ssh-hosts.ts";
import { noSshd, programAt, SshdHost } from "./sshd.ts";

const MISSING = noSshd();
const WHY_NOT = MISSING === undefined ? "" : ` (${MISSING}: skipped)`;

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
  const { openHost, openPlace } = sshHosts();

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

  test("takes nothing that a shell prints as it starts for a command's output", async () => {
    const { far, executor } = await openPlace({ shell: programAt("bash") ?? "" });
    await writeFile(join(far.home, ".bashrc"), "echo hello\necho there >&2\nprintf %s more\n");
    const place = must(await executor.create({ key: "talker" }));
    expect(place.root).toBe(join(far.home, ".local/state/wisp/places/talker"));
    const from = Buffer.from("a\0b\n");
    must(await executor.put(place, { from, to: join(place.root, "file") }));
    must(await executor.get(place, join(place.root, "file"), join(far.folder, "back")));
    expect(await readFile(join(far.folder, "back"))).toEqual(from);
    let said = "";
    const onStdout = (bytes: Uint8Array) => void (said += Buffer.from(bytes).toString());
    const ended = await executor.exec(place, { argv: ["echo", "words"] }, { onStdout });
    expect(must(ended)).toMatchObject({ kind: "exited", exitCode: 0 });
    expect(said).toBe("words\n");
  });

  test("does not take a shell that runs nothing for a command that succeeded", async () => {
    const { far, executor, place } = await openPlace({ shell: programAt("bash") ?? "" });
    await writeFile(join(far.home, ".bashrc"), "exit 0\n");
    expect(await executor.exec(place, { argv: ["true"] })).toMatchObject({ ok: false });
    expect(await executor.detach(place, "none", { argv: ["true"] })).toMatchObject({ ok: false });
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

  test("keeps what is fixed against the user's own configuration", async () => {
    const far = await openHost();
    const port = "LocalForward=127.0.0.1:22 127.0.0.1:22";
    const own = ["RequestTTY=force", "RemoteCommand=false", "LogLevel=QUIET", port].flatMap(
      (option) => ["-o", option],
    );
    const executor = executorAt(far, { arguments: [...far.options().arguments, ...own] });
    const place = must(await executor.create({ key: "place" }));
    expect(await printed(executor, place, { argv: ["printf", "a\nb"] })).toBe("a\nb");
    await far.setKnownKey("");
    await eventually(async () => {
      (await far.masters()).forEach((pid) => process.kill(pid));
      expect(await far.masters()).toEqual([]);
    });
    expect(JSON.stringify(await executor.status(place))).toContain("host key is not known");
  });

  test("takes neither variables nor the agent there, unless the agent is asked for", async () => {
    const far = await openHost();
    await far.configure(["AcceptEnv *"]);
    const socket = join(far.folder, "agent");
    const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
    try {
      await eventually(() => stat(socket));
      const host = executorHost({ WISP_SECRET: "kept here", SSH_AUTH_SOCK: socket });
      const own = { arguments: [...far.options().arguments, "-o", "ForwardAgent=yes"] };
      const plain = sshExecutor(host, far.options(own));
      const place = must(await plain.create({ key: "place" }));
      const variables = await printed(plain, place, { argv: ["env"] });
      expect(variables).toContain(`WISP_PLACE=${place.root}`);
      expect(variables).not.toMatch(/WISP_SECRET|SSH_AUTH_SOCK/);
      const trusting = sshExecutor(host, far.options({ forwardAgent: true }));
      const asked = await printed(trusting, place, { argv: ["env"] });
      expect(asked).toContain("SSH_AUTH_SOCK=");
    } finally {
      agent.kill();
    }
  });
});
