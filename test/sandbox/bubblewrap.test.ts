import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ENGINE_NEEDS } from "../../src/engines/coding-clis.ts";
import { Sweeper } from "../../src/host/processes/sweep.ts";
import { protectedInHome } from "../../src/sandbox/engine-folders.ts";
import { CANARY, SandboxRig, workingBubblewrap } from "../rig/sandboxed.ts";
import { eventually } from "../rig/patience.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

function rig(): SandboxRig {
  return new SandboxRig("path" in bubblewrap ? bubblewrap.path : "");
}

/** Has a server listen on a free port of the machine's loopback. */
async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** A file below each protected place of a home. */
function plantAll(at: SandboxRig): readonly string[] {
  const inHome = protectedInHome(ENGINE_NEEDS).map((path) =>
    at.plant(`${path}${/\.\w+$/.test(path) ? "" : "/x"}`),
  );
  return [
    ...inHome,
    ...[at.plant(".bash_history"), at.plant(".env"), at.plant("Documents/diary.txt")],
    ...[at.plant("code/other/.env")],
    ...[
      at.plant(join(at.repository, ".env")),
      at.plant(join(at.repository, "packages/a/.env.local")),
    ],
    ...[at.plant(join(at.clone, ".env")), at.plant(join(at.clone, "packages/a/.env.local"))],
    ...[at.plant(join(at.root, "elsewhere.txt"))],
  ];
}

describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
  test("no protected file can be read by its path, nor through a link to it", async () => {
    using at = rig();
    const planted = plantAll(at);
    planted.forEach((path, index) => symlinkSync(path, join(at.clone, `link-${String(index)}`)));
    for (const path of planted) expect(readFileSync(path, "utf8")).toContain(CANARY);
    const { out } = await at.run(
      `${planted.map((path) => `cat '${path}'`).join("; ")}; cat link-*; grep -rs ${CANARY} "$HOME" .; echo end`,
    );
    expect(out).toMatch(/end\n$/);
    expect(out).not.toContain(`${CANARY}\n`);
  });

  test("files that appear in a protected place during a turn are hidden too", async () => {
    using at = rig();
    at.plant(".config/uv/ok", "fine");
    const running = at.run(
      `touch ready; while [ ! -e go ]; do sleep 0.02; done; cat ~/.config/uv/ok ~/.config/gh/hosts.yml ~/.ssh/id`,
    );
    await eventually(() => expect(existsSync(join(at.clone, "ready"))).toBe(true));
    at.plant(".config/gh/hosts.yml");
    at.plant(".ssh/id");
    writeFileSync(join(at.clone, "go"), "");
    const { out } = await running;
    expect(out).toContain("fine");
    expect(out).not.toContain(CANARY);
  });

  test("no environment, root or open file of another process can be reached through /proc", async () => {
    using at = rig();
    const secret = at.plant(".ssh/id");
    const other = spawn("sleep", ["1000"], { env: { SECRET: CANARY }, stdio: "ignore" });
    try {
      const { out } = await at.run(
        `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sort -u
         for p in /proc/[0-9]*; do cat "$p/root${secret}" "$p/cwd/../../../../../../../.ssh/id"; for f in "$p"/fd/*; do ls -a "$f/" "$f/.ssh"; done; done 2>&1
         ls -d /proc/${String(other.pid)}; ls /proc | grep -c '^[0-9]'`,
        { env: { OWN: "own-value" } },
      );
      expect(out).toContain("OWN=own-value");
      expect(out).not.toContain(CANARY);
      expect(out).toContain("No such file");
    } finally {
      other.kill();
    }
  });

  test("git reveals no credentials, neither the person's nor the checkout's", async () => {
    using at = rig();
    at.plant(".gitconfig", `[url "https://${CANARY}@example.invalid/"]\n\tinsteadOf = x:`);
    const stored = at.plant(".git-credentials", `https://u:${CANARY}@example.invalid`);
    at.git(at.repository, "config", "http.extraheader", `AUTH ${CANARY}`);
    at.git(at.clone, "config", "include.path", join(at.home, ".gitconfig"));
    const { out } = await at.run(
      `git config --list --show-origin; git -C '${at.repository}' config --list
       git config --file '${stored}' --list; git config --file '${at.repository}/.git/config' --list
       git -c include.path='${stored}' config --list
       printf 'protocol=https\\nhost=example.invalid\\n\\n' | GIT_TERMINAL_PROMPT=0 git -c credential.helper=store credential fill
       GIT_CONFIG_GLOBAL='${at.home}/.gitconfig' git config --list; echo end`,
    );
    expect(out).toMatch(/end\n$/);
    expect(out).toContain("user.name=Test");
    expect(out).not.toContain(`${CANARY}@`);
    expect(out).not.toContain(`AUTH ${CANARY}`);
  });

  test("nothing can be written but the clone, its own temporary files and what it was given", async () => {
    using at = rig();
    const given = at.plant(join(at.state, "builder", "tasks", "TASKS.md"), "tasks");
    const log = at.plant(join(at.repository, ".wisp/sessions/one/logs/tester.log"), "a record");
    at.plant(".profile", "of the person");
    const { out, end } = await at.run(
      `for f in '${at.repository}/new' '${log}' '${at.state}/x' /etc/x /usr/x "$HOME/.profile" "$HOME/.local/bin/x"; do
         (mkdir -p "$(dirname "$f")" && echo lost >> "$f") 2>/dev/null && echo "wrote $f"
       done
       echo new > '${given}' && echo ok > here && echo ok > /tmp/there && cat '${log}'
       git add here && git commit -qm "Work" && git log --format=%s`,
      { needs: { writable: [join(at.state, "builder", "tasks")] } },
    );
    expect({ end, out }).toMatchObject({ end: { kind: "exited", exitCode: 0 } });
    // Folders that are empty inside accept new files, which vanish with the sandbox.
    const lost = [join(at.state, "x"), join(at.home, ".local/bin/x")];
    const wrote = out.split("\n").filter((line) => line.startsWith("wrote"));
    expect(wrote.filter((line) => !lost.some((path) => line === `wrote ${path}`))).toEqual([]);
    for (const path of lost) expect(existsSync(path)).toBe(false);
    expect(out).toMatch(/a record\nWork\n$/);
    expect(readFileSync(given, "utf8")).toBe("new\n");
    expect(readFileSync(log, "utf8")).toBe("a record\n");
    expect(readFileSync(join(at.home, ".profile"), "utf8")).toBe("of the person\n");
    expect(existsSync("/tmp/there")).toBe(false);
  });

  test("a command cannot remove a mount or gain a capability", async () => {
    using at = rig();
    at.plant(".ssh/id");
    const { out } = await at.run(
      `umount '${at.home}'; mount -o remount,rw / ; unshare --mount --map-root-user sh -c "umount '${at.home}'; mount -o remount,rw /; cat '${at.home}/.ssh/id'; touch /usr/x && echo broken"
       grep -E 'CapEff|NoNewPrivs' /proc/self/status`,
    );
    expect(out).not.toContain(CANARY);
    expect(out).not.toContain("broken");
    expect(out).toMatch(/CapEff:\s+0000000000000000\nNoNewPrivs:\s+1\n$/);
  });

  test("the settings turn the network on or off; setup always has it", async () => {
    using at = rig();
    const server = createServer((_request, response) => response.end("reached"));
    const port = await portOf(server);
    const ask = `'${process.execPath}' -e 'fetch("http://127.0.0.1:${String(port)}").then((r) => r.text()).then(console.log, () => console.log("cut off"))'`;
    try {
      const off = { setting: { network: false } };
      expect((await at.run(ask)).out).toBe("reached\n");
      expect((await at.run(ask, off)).out).toBe("cut off\n");
      expect((await at.run(ask, { ...off, needs: { needsNetwork: true } })).out).toBe("reached\n");
    } finally {
      server.close();
    }
  });

  test("two commands and the machine use one port at once, each on a loopback of its own", async () => {
    using at = rig();
    const machine = createServer((_request, response) => response.end("machine"));
    const other = createServer((_request, response) => response.end("machine"));
    try {
      const [port, elsewhere] = [await portOf(machine), await portOf(other)];
      const script = (name: string) => `'${process.execPath}' -e '
        const { existsSync, writeFileSync } = require("fs");
        const ask = (port) => fetch("http://127.0.0.1:" + port).then((r) => r.text(), () => "cut off");
        const server = require("http").createServer((_, response) => response.end("${name}"));
        server.listen(${String(port)}, "127.0.0.1", () => {
          writeFileSync("up-${name}", "");
          const looks = setInterval(async () => {
            if (!existsSync("up-one") || !existsSync("up-two")) return;
            clearInterval(looks);
            const links = Object.keys(require("os").networkInterfaces());
            console.log(await ask(${String(port)}), await ask(${String(elsewhere)}), links.join());
            process.exit();
          }, 20);
        });'`;
      const needs = { hasOwnLoopback: true };
      const [one, two] = await Promise.all([
        at.run(script("one"), { needs }),
        at.run(script("two"), { needs: { ...needs, needsNetwork: true } }),
      ]);
      expect([one.out, two.out]).toEqual(["one cut off lo\n", "two cut off lo\n"]);
    } finally {
      machine.close();
      other.close();
    }
  });

  test("a daemon does not outlive the turn, however it hides", async () => {
    using at = rig();
    const word = `200${String(process.pid)}`;
    const { end } = await at.run(
      `(setsid env -i /bin/sh -c 'touch up; sleep ${word} & sleep ${word}' >/dev/null 2>&1 &) ; while [ ! -e up ]; do sleep 0.02; done`,
    );
    expect(end).toEqual({ kind: "exited", exitCode: 0 });
    await eventually(() => expect(countOf(word)).toBe(0));
  });

  test("when a turn's end is reported, its namespace is empty, and no process was searched for", async () => {
    using at = rig();
    const searches = (["sweepRuns", "killGroup"] as const).map((name) =>
      vi.spyOn(Sweeper.prototype, name),
    );
    const stop = new AbortController();
    for (const [count, stops] of [false, false, true].entries()) {
      const word = `30${String(count)}${String(process.pid)}`;
      const running = at.run(
        `(setsid env -i /bin/sh -c 'trap "" TERM; touch up; sleep ${word}' >/dev/null 2>&1 &) ; while [ ! -e up ]; do sleep 0.02; done; rm up${stops ? "; touch ready; sleep 1000" : ""}`,
        { stop: stop.signal },
      );
      if (stops) {
        await eventually(() => expect(existsSync(join(at.clone, "ready"))).toBe(true));
        stop.abort();
      }
      expect((await running).end.kind).toBe(stops ? "stopped" : "exited");
      expect(countOf(word)).toBe(0);
    }
    for (const search of searches) {
      expect(search).not.toHaveBeenCalled();
      search.mockRestore();
    }
  });

  test("a command that is asked to end gets its grace period; its end is reported", async () => {
    using at = rig();
    const stop = new AbortController();
    const running = at.run(
      `trap 'echo tidied; exit 3' TERM; touch up; while :; do sleep 0.02; done`,
      { stop: stop.signal },
    );
    await eventually(() => expect(existsSync(join(at.clone, "up"))).toBe(true));
    stop.abort();
    const stopped = await running;
    expect(stopped.end).toEqual({ kind: "stopped" });
    expect(stopped.out).toMatch(/tidied\n$/);
    expect((await at.run("exit 7")).end).toEqual({ kind: "exited", exitCode: 7 });
    expect((await at.run("kill -KILL $$")).end).toEqual({ kind: "killed", signalName: "SIGKILL" });
  });

  test("an engine has its own login and sessions, and those of no other", async () => {
    using at = rig();
    at.plant(".codex/auth.json", "login");
    at.plant(".claude/.credentials.json");
    at.plant(".claude.json");
    const { out } = await at.run(
      `cat ~/.codex/auth.json; echo session > ~/.codex/rollout; cat ~/.claude/.credentials.json ~/.claude.json`,
      { needs: { engine: "codex" } },
    );
    expect(out).toMatch(/^login\n/);
    expect(out).not.toContain(CANARY);
    expect(readFileSync(join(at.home, ".codex/rollout"), "utf8")).toBe("session\n");
  });

  test("the program of an engine can be read where its installer puts it", async () => {
    using at = rig();
    const programs = [...ENGINE_NEEDS.values()].flatMap((needs) => needs.programs);
    expect(programs).not.toEqual([]);
    for (const path of programs) at.plant(`${path}/bin/program`, "a program");
    at.plant(".local/share/other/key");
    const { out } = await at.run(
      `cat ${programs.map((path) => `~/${path}/bin/program`).join(" ")}; cat ~/.local/share/other/key`,
    );
    expect(out.match(/a program/g)).toHaveLength(programs.length);
    expect(out).not.toContain(CANARY);
  });

  test("a settings file can be replaced by renaming, and the person's own file stays", async () => {
    using at = rig();
    const file = at.plant(".claude.json", "of the person");
    const { out } = await at.run(
      `cat ~/.claude.json; echo new > ~/.claude.json.tmp && mv ~/.claude.json.tmp ~/.claude.json && cat ~/.claude.json`,
      { needs: { engine: "claude" } },
    );
    expect(out).toBe("of the person\nnew\n");
    expect(readFileSync(file, "utf8")).toBe("of the person\n");
  });

  test("settings can hide paths, show them, and make them writable", async () => {
    using at = rig();
    at.plant(".config/secret-tool/key");
    at.plant(join(at.clone, "secrets/key"));
    at.plant(join(at.clone, ".env.test"), "allowed");
    at.plant("data/x", "shown");
    at.plant("kept/x", "old");
    const { out } = await at.run(
      `cat ~/.config/secret-tool/key secrets/key .env.test ~/data/x; echo new > ~/kept/x; echo new 2>/dev/null > ~/data/x`,
      {
        setting: {
          deny: ["~/.config/secret-tool", "secrets"],
          allow: [".env.test", "~/data"],
          write: ["~/kept"],
        },
      },
    );
    expect(out).toContain("allowed\nshown\n");
    expect(out).not.toContain(CANARY);
    expect(readFileSync(join(at.home, "kept/x"), "utf8")).toBe("new\n");
    expect(readFileSync(join(at.home, "data/x"), "utf8")).toBe("shown\n");
  });

  test("a tracked environment file stays, so that no turn commits it as deleted", async () => {
    using at = rig();
    at.plant(join(at.clone, ".env"), "PORT=1");
    at.plant(join(at.clone, "app/.env"));
    at.plant(join(at.clone, ".gitignore"), ".env");
    at.git(at.clone, "add", "-f", ".env", ".gitignore");
    const { out } = await at.run(`cat .env app/.env; git add -A && git status --short`);
    expect(out).toMatch(/^PORT=1\n/);
    expect(out).toMatch(/A {2}\.env\nA {2}\.gitignore\n$/);
    expect(out).not.toContain(CANARY);
  });

  test("caches of packages are the sandbox's own, and stay from run to run", async () => {
    using at = rig();
    at.plant(".npm/of-the-person");
    await at.run(
      `echo kept > ~/.npm/x; mkdir -p ~/.cargo/registry && echo kept > ~/.cargo/registry/x`,
    );
    const { out } = await at.run(`cat ~/.npm/x ~/.cargo/registry/x; cat ~/.npm/of-the-person`);
    expect(out).toMatch(/^kept\nkept\n/);
    expect(out).not.toContain(CANARY);
    expect(readdirSync(join(at.home, ".npm"))).toEqual(["of-the-person"]);
  });

  test("a program of the settings runs from a cache, as with npx, which shows nothing else", async () => {
    using at = rig();
    const program = at.plant(".npm/_npx/1/node_modules/tool/bin.sh", "echo it runs");
    const other = at.plant(".npm/_cacache/of-the-person");
    const script = `sh ${program}; echo kept > ~/.npm/x && cat ~/.npm/x; cat ${other}`;
    const { out } = await at.run(script, { needs: { named: ["sh", program] } });
    expect(out).toMatch(/^it runs\nkept\n/);
    expect(out).not.toContain(CANARY);
    const unnamed = await at.run(script);
    expect(unnamed.out).not.toContain("it runs");
  });
});

/** The number of processes with this word on their command line. */
function countOf(word: string): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(word)).length;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
