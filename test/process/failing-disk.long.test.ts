import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROLES, type Role } from "../../src/base/role.ts";
import { roleLog, homeAt } from "../../src/fs-protocol/home/home.ts";
import { endState } from "../rig/end-state.ts";
import { judgeRun } from "../rig/judge-run.ts";
import { whenQuiet } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const WISP = join(import.meta.dirname, "../../dist/wisp.js");
const AGENT = join(import.meta.dirname, "../fixtures/agent/quick.sh");

/** An error that a system call of a role returns. */
interface Fault {
  readonly call: "fsync" | "link" | "mkdir" | "rename" | "unlink" | "write";
  readonly errno: "EIO" | "ENOSPC";
  /** Which call fails in the first process of a role, in the second, and so on; in later processes none does. */
  readonly passes: readonly number[];
  /** All later calls fail, too, as on a disk that stays full. */
  readonly isLasting: boolean;
  /** Only calls for these paths fail, but then also those of git and all other programs that the role starts. */
  readonly paths?: ((session: ProcessSession, role: Role) => readonly string[]) | undefined;
}

/** Whether system calls cannot be made to fail on this machine; then the tests are skipped with the reason. */
const NO_TRACE = !canTrace();
const TRACING = NO_TRACE ? " (skipped: strace is not there, or not permitted)" : "";

function canTrace(): boolean {
  try {
    const inject = "inject=fsync:error=EIO:when=1";
    execFileSync("strace", ["-f", "-o", "/dev/null", "-e", inject, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const OWN_LOG: NonNullable<Fault["paths"]> = (session, role) => [
  roleLog(homeAt(session.home("a-request")), role),
];

/** The session branch in the user's repository: git writes it to a file next to it, which it renames. */
const BRANCH: NonNullable<Fault["paths"]> = (session) => {
  const lock = ".git/refs/heads/wisp/a-request.lock";
  return [lock, `./${lock}`, join(session.repository, lock)];
};

const ONCE = { isLasting: false };
const LASTING = { isLasting: true };

const FAULTS: Readonly<Record<string, Fault>> = {
  "is full when a record is written": {
    ...{ call: "write", errno: "ENOSPC", passes: [1, 2, 3, 4, 5, 7, 9], paths: OWN_LOG },
    ...ONCE,
  },
  "stays full from some record on": {
    ...{ call: "write", errno: "ENOSPC", passes: [1, 2, 3, 5, 6], paths: OWN_LOG },
    ...LASTING,
  },
  "cannot flush a file": {
    ...{ call: "fsync", errno: "EIO", passes: [1, 2, 4, 6, 8, 11, 15, 20, 27, 36] },
    ...ONCE,
  },
  "renames no file": {
    ...{ call: "rename", errno: "EIO", passes: [1, 2, 3, 4, 6, 8, 11] },
    ...ONCE,
  },
  "makes no directory": {
    ...{ call: "mkdir", errno: "ENOSPC", passes: [1, 2, 3, 4, 5] },
    ...ONCE,
  },
  "removes nothing": {
    ...{ call: "unlink", errno: "EIO", passes: [1, 2, 3, 4, 5] },
    ...LASTING,
  },
  "does not let git write the session branch": {
    ...{ call: "rename", errno: "EIO", passes: [1, 1], paths: BRANCH },
    ...ONCE,
  },
};

test.skipIf(NO_TRACE).each(Object.entries(FAULTS))(
  `a role on a disk that %s loses nothing, and stops only with a clear error${TRACING}`,
  async (_what, fault) => {
    await using session = quickSession();
    expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
    const plays = await Promise.all(ROLES.map((role) => play(session, { role, fault })));
    // The next process removes what the last one could not.
    for (const role of ROLES) expect(await session.wisp("agent", role)).toMatchObject({ code: 0 });
    const problems = await judgeRun(session, [], await undisturbed());
    expect([...plays.flatMap((played) => played.unclear), ...problems]).toEqual([]);
    const hits = plays.reduce((sum, played) => sum + played.hits, 0);
    console.log(`${fault.call} failed with ${fault.errno} ${hits} times`);
    expect(hits).toBeGreaterThan(0);
  },
);

test.skipIf(NO_TRACE)(
  `a supervisor that cannot write its log says why it ended, and the next one continues${TRACING}`,
  async () => {
    await using session = quickSession();
    expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
    const log = homeAt(session.home("a-request")).supervisorLog;
    const up = await straced(session, ["-f", "-P", log, "-e", "inject=write:error=ENOSPC"], "up");
    const full = "supervisor.log could not be written to: the disk is full (ENOSPC)";
    expect(up.code).toBe(1);
    expect(up.said).toMatch(/supervisor is gone \(it said: .*\(ENOSPC\)/);
    expect(up.said).toMatch(/The supervisor of a-request ended before its work was done: .*ENOSPC/);
    expect(up.said).toContain("wisp up a-request");
    expect((await session.wisp("status")).stdout).toContain(full);
    expect(await session.wisp("up")).toMatchObject({ code: 0 });
    expect((await session.wisp("status")).stdout).not.toContain(full);
  },
);

test.skipIf(NO_TRACE)(
  `the record of a role that was given up because of a full disk gives that reason${TRACING}`,
  async () => {
    await using session = quickSession();
    expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
    const log = roleLog(homeAt(session.home("a-request")), "builder");
    const up = await straced(session, ["-f", "-P", log, "-e", "inject=write:error=ENOSPC"], "up");
    expect(up.code).toBe(5);
    const records = session.read("logs/supervisor.log").split("\n");
    const why = /builder\.log could not be written to: the disk is full \(ENOSPC\)\. Make room/;
    expect(records.find((line) => line.includes(" role.exit role=builder "))).toMatch(why);
    expect(records.find((line) => line.includes(" role.failed role=builder "))).toMatch(why);
    expect((await session.wisp("status")).stdout).toMatch(why);
    expect(await session.wisp("up")).toMatchObject({ code: 0 });
    expect(await judgeRun(session, [], await undisturbed())).toEqual([]);
  },
);

test.skipIf(NO_TRACE)(
  `a report that the disk has no room for is told at the end of the session, and changes nothing else${TRACING}`,
  async () => {
    await using session = quickSession();
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    const page = homeAt(session.home("a-request")).reportPage;
    rmSync(page);
    const up = await straced(session, ["-e", "inject=rename:error=ENOSPC"], "up");
    expect(up.code).toBe(0);
    expect(up.said).toContain("wisp: The report was not written. ");
    expect(up.said).toMatch(/report\.html could not be written: the disk is full \(ENOSPC\)/u);
    expect(existsSync(page)).toBe(false);
    expect(await session.wisp("up")).toMatchObject({ code: 0 });
    expect(existsSync(page)).toBe(true);
  },
);

function quickSession(): ProcessSession {
  return processSession({
    engine: `{ command: ["sh", ${JSON.stringify(AGENT)}] }`,
    config: `verify: [["test", "!", "-e", "broken"]]\n`,
  });
}

let end: Promise<ReturnType<typeof endState>> | undefined;

/** The final state of the session on a working disk. */
function undisturbed(): Promise<ReturnType<typeof endState>> {
  end ??= playUndisturbed();
  return end;
}

async function playUndisturbed(): Promise<ReturnType<typeof endState>> {
  await using session = quickSession();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return endState(session);
}

interface Played {
  /** Output of processes that failed without a clear error. */
  readonly unclear: readonly string[];
  /** Number of calls that were made to fail. */
  readonly hits: number;
}

/** Runs a role to the end of the session, restarting it each time that it stops. */
async function play(
  session: ProcessSession,
  { role, fault }: { readonly role: Role; readonly fault: Fault },
): Promise<Played> {
  const unclear: string[] = [];
  let hits = 0;
  for (const pass of [...fault.passes, undefined]) {
    const ran = await runOnce(session, { role, fault, pass });
    hits += ran.hits;
    if (ran.code === 0) return { unclear, hits };
    if (!isClear(ran)) unclear.push(`${role}, ${String(pass)}: ${String(ran.code)} ${ran.said}`);
  }
  return { unclear: [...unclear, `${role} never came to the end`], hits };
}

/** Whether a process failed with one clear line: what happened, to what, and what to do next. */
function isClear({ code, said }: Ran): boolean {
  const [start = "", ...lines] = said.trim().split("\n");
  const [what = ""] = lines;
  const isOfRole = /^Starting the \w+ of a-request\. /u.test(start);
  const isError = isOfRole && what.startsWith("wisp: ") && lines.length === 2;
  return code === 1 && isError && !/mistake/.test(said);
}

interface Ran {
  readonly code: number | null;
  readonly said: string;
  readonly hits: number;
}

interface Run {
  readonly role: Role;
  readonly fault: Fault;
  readonly pass: number | undefined;
}

async function runOnce(session: ProcessSession, { role, fault, pass }: Run): Promise<Ran> {
  if (pass === undefined) {
    const { code, stderr } = await session.wisp("agent", role);
    return { code, said: stderr, hits: 0 };
  }
  const trace = join(session.root, `${role}.trace`);
  const ran = await straced(
    session,
    ["-o", trace, ...faultArgv(session, { role, fault, pass })],
    "agent",
    role,
  );
  return { ...ran, hits: readFileSync(trace, "utf8").split("(INJECTED)").length - 1 };
}

/** Runs a command of wisp under strace with these arguments. */
async function straced(
  session: ProcessSession,
  args: readonly string[],
  ...words: readonly string[]
): Promise<Omit<Ran, "hits">> {
  const output = args.includes("-o") ? [] : ["-o", join(session.root, "trace")];
  const argv = ["-q", ...output, ...args, process.execPath, WISP, ...words];
  using quiet = whenQuiet(session.root);
  const child = spawn("strace", argv, {
    cwd: session.repository,
    env: session.env,
    stdio: ["ignore", "ignore", "pipe"],
    signal: quiet.signal,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.on("error", (error) => (said += error.message));
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  return await new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, said }));
  });
}

function faultArgv(
  session: ProcessSession,
  { role, fault, pass }: Run & { readonly pass: number },
): readonly string[] {
  const { call, errno, isLasting, paths } = fault;
  const inject = `inject=${call}:error=${errno}:when=${String(pass)}${isLasting ? "+" : ""}`;
  // Faults reach the programs that the role starts only if paths are given.
  const places = paths?.(session, role).flatMap((path) => ["-P", path]);
  const scope = places === undefined ? [] : ["-f", ...places];
  return [...scope, "-e", inject];
}
