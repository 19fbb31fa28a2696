import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { need } from "../../src/base/fatal.ts";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { Sweeper } from "../../src/host/processes/sweep.ts";
import { pidNamespace } from "../../src/host/processes/pid-namespace.ts";
import { scratch } from "./scratch.ts";
import { eventually } from "../rig/patience.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const namespace = await pidNamespace();
const REASON = namespace === undefined ? " (skipped: the system gives no pid namespace)" : "";

/** The number of processes with this word on their command line. */
function countOf(word: string): number {
  return pidsOf(word).length;
}

/** The processes with all these words on their command line. */
function pidsOf(...words: readonly string[]): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => words.every((word) => commandLine(pid).includes(word)));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Runs a script of sh in a namespace; `stop` is aborted when the file `ready` exists. */
async function isolated(script: string, { isStopped = false } = {}) {
  using at = scratch();
  const stop = new AbortController();
  const processes = createNodeProcesses({ stopGraceMs: 600_000 });
  const running = processes.run({
    argv: ["sh", "-c", script],
    cwd: at.path,
    env: ownEnvironment(),
    stdin: "",
    stdoutPath: at.at("out"),
    stderrPath: at.at("err"),
    timeoutMs: 60_000,
    isIsolated: true,
    runId: `namespace-${String(process.pid)}`,
    signal: stop.signal,
  });
  if (isStopped) {
    await eventually(() => expect(existsSync(at.at("ready"))).toBe(true));
    stop.abort();
  }
  const end = need(await running);
  return { end, out: readFileSync(at.at("out"), "utf8") };
}

describe.skipIf(namespace === undefined)(`in a pid namespace${REASON}`, () => {
  test("a process that empties its environment and leaves the group does not outlive the command", async () => {
    const word = `100${String(process.pid)}`;
    const { end, out } = await isolated(
      `env -i setsid sh -c 'sleep ${word} & sleep ${word}' >/dev/null 2>&1 &
       while [ "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep ${word}' | wc -l)" -lt 3 ]; do :; done
       echo it runs`,
    );
    expect(end).toEqual({ kind: "exited", exitCode: 0 });
    expect(out).toBe("it runs\n");
    await eventually(() => expect(countOf(word)).toBe(0));
  });

  test("when a command's end is reported, its namespace is empty, and no process was searched for", async () => {
    const searches = (["sweepRuns", "killGroup"] as const).map((name) =>
      vi.spyOn(Sweeper.prototype, name),
    );
    const word = `400${String(process.pid)}`;
    const { end } = await isolated(
      `setsid env -i sh -c 'touch up; sleep ${word}' >/dev/null 2>&1 &
       while [ ! -e up ]; do sleep 0.02; done`,
    );
    expect(end).toEqual({ kind: "exited", exitCode: 0 });
    expect(countOf(word)).toBe(0);
    for (const search of searches) {
      expect(search).not.toHaveBeenCalled();
      search.mockRestore();
    }
  });

  test("if a namespace's keeper is killed, what it started is searched for and ended", async () => {
    const search = vi.spyOn(Sweeper.prototype, "sweepRuns");
    const word = `500${String(process.pid)}`;
    const running = isolated(`exec sleep ${word}`);
    const keeper = await eventually(() => {
      const [pid] = pidsOf("unshare", word);
      expect(pid).toBeDefined();
      return Number(pid);
    });
    process.kill(keeper, "SIGKILL");
    expect((await running).end).toEqual({ kind: "killed", signalName: "SIGKILL" });
    expect(search).toHaveBeenCalledOnce();
    await eventually(() => expect(countOf(word)).toBe(0));
    search.mockRestore();
  });

  test("a command that is asked to end can clean up first", async () => {
    const stopped = await isolated(
      `trap 'echo tidied; exit 0' TERM; touch ready; while :; do sleep 0.05; done`,
      { isStopped: true },
    );
    expect(stopped).toEqual({ end: { kind: "stopped" }, out: "tidied\n" });
  });

  test("a command without a handler ends when it is asked to, with no need to be killed", async () => {
    const { end } = await isolated(`touch ready; exec sleep 1000`, { isStopped: true });
    expect(end).toEqual({ kind: "stopped" });
  });

  test.each([
    ["exit 7", { kind: "exited", exitCode: 7 }],
    ["kill -KILL $$", { kind: "killed", signalName: "SIGKILL" }],
  ] as const)("reports %s unchanged", async (script, expected) => {
    expect((await isolated(script)).end).toEqual(expected);
  });

  test("a missing program cannot be started", async () => {
    using at = scratch();
    const run = createNodeProcesses().run({
      argv: ["no-such-program"],
      cwd: at.path,
      env: { PATH: "/bin" },
      stdin: "",
      stdoutPath: at.at("out"),
      stderrPath: at.at("err"),
      timeoutMs: 1_000,
      isIsolated: true,
      runId: "none",
      signal: new AbortController().signal,
    });
    const failure = { kind: "spawn", executable: "no-such-program", errno: "ENOENT" };
    expect(await run).toEqual({ ok: false, failure });
  });
});
