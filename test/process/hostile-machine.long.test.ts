import { execFileSync, spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const WISP = join(import.meta.dirname, "../../dist/wisp.js");

/** Whether this machine permits a command; if not, the test is skipped with the reason in its title. */
function can(...argv: readonly string[]): boolean {
  const [program = "", ...args] = argv;
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const NO_MOUNT = !can("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt");
const LOWER = "echo 0 > /proc/sys/user/max_inotify_instances";
const NO_LIMIT = !can("unshare", "-Ur", "sh", "-c", LOWER);

/** Appended to the title of a test that is skipped. */
const MOUNTING = NO_MOUNT ? " (skipped: mounting is not permitted here)" : "";
const LIMITS = NO_LIMIT ? " (skipped: lowering limits is not permitted here)" : "";

/** Runs a shell script in namespaces of its own; `$1` is the home, `wisp` the command. */
function inNamespace(session: ProcessSession, flags: string, script: string): Promise<Ended> {
  const wisp = `set -e; wisp() { "${process.execPath}" "${WISP}" "$@"; };`;
  const args = [flags, "bash", "-c", `${wisp} ${script}`, "bash", session.home("task")];
  return new Promise((resolve) => {
    const child = spawn("unshare", args, { cwd: session.repository, env: session.env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}

/** A session that was created but never started. */
async function madeSession(): Promise<ProcessSession> {
  const session = processSession({ scenario: ONE_TASK });
  const made = await session.wisp("start", "request.md", "--no-up", "--branch", "wisp/task");
  expect(made).toMatchObject({ code: 0 });
  return session;
}

test.skipIf(NO_MOUNT)(
  `a session whose disk runs full loses nothing, and completes once there is room${MOUNTING}`,
  async () => {
    await using session = await madeSession();
    const after = join(session.root, "after");
    const ran = await inNamespace(
      session,
      "-rm",
      `cp -a "$1" "${session.root}/before"; mount -t tmpfs -o size=64k,mode=700 none "$1"
       cp -a "${session.root}/before/." "$1"
       wisp up || echo "first: $?"
       wisp status
       df --output=avail "$1" | tail -1
       mount -o remount,size=8m "$1"
       wisp resume || echo "second: $?"
       cp -a "$1" "${after}"`,
    );
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/the disk of the session is full \(\d+ KiB free\): free some space/);
    // Either roles hit the full disk, and are given up, or the supervisor does.
    expect(ran.stdout).toMatch(/first: [15]/);
    expect(ran.stdout).not.toContain("second:");
    const { history, broken } = checkSession(after);
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  },
);

test.skipIf(NO_MOUNT)(`a read-only home stops a role with a clear error${MOUNTING}`, async () => {
  await using session = await madeSession();
  cpSync(session.home("task"), join(session.root, "before"), { recursive: true });
  const ran = await inNamespace(
    session,
    "-rm",
    `mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"
       wisp agent builder || echo "builder: $?"
       wisp up || echo "up: $?"
       wisp status > /dev/null && echo "status: $?"`,
  );
  expect(ran.stdout).toContain("builder: 1");
  expect(ran.stdout).toContain("up: 1");
  expect(ran.stdout).toContain("status: 0");
  expect(ran.stderr).toContain("the file system is read-only");
  execFileSync("diff", ["-r", session.home("task"), join(session.root, "before")]);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(checkSession(session.home()).broken).toBeUndefined();
});

test.skipIf(NO_LIMIT)(
  `without file events roles read their files every second${LIMITS}`,
  async () => {
    await using session = await madeSession();
    const ran = await inNamespace(
      session,
      "-Ur",
      `${LOWER}; wisp up & up=$!
       until [ "$(grep -ls 'watch.lost' "$1"/logs/*.log | wc -l)" = 4 ]; do sleep 0.1; done
       wisp status --json; wait $up`,
    );
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/no file events for [a-z, ]+ \(EMFILE\): .* every second/);
    const { history, broken } = checkSession(session.home());
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  },
);

/** Loaded into every process of the session: its clock keeps jumping between yesterday and tomorrow. */
const JUMPING = `
  const { now } = Date;
  let looks = 0;
  Date.now = () => now() + (looks++ % 7 < 3 ? 86_400_000 : -86_400_000);
`;

test("a session completes although its clocks jump back and forth by a day", async () => {
  await using session = await madeSession();
  const jumping = join(session.root, "jumping.mjs");
  writeFileSync(jumping, JUMPING);
  session.env["NODE_OPTIONS"] = `--import=${jumping}`;
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
});
