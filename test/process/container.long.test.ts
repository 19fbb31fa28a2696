import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/*
 * A place like a small container: an ordinary user who may create no user namespaces, a root file system that is
 * read-only, no HOME, and 2 MiB for temporary files.
 */

const TEMPORARY_BYTES = "2097152";
const PROGRAM = dirname(dirname(WISP));

function boxWords(...writable: readonly string[]): readonly string[] {
  return [
    ...["--unshare-user", "--uid", "1000", "--gid", "1000", "--disable-userns"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--size", TEMPORARY_BYTES, "--tmpfs", "/tmp", "--ro-bind", PROGRAM, PROGRAM],
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...["--unsetenv", "HOME", "--unsetenv", "XDG_STATE_HOME"],
  ];
}

const hasBox = spawnSync("bwrap", [...boxWords(), "true"], { stdio: "ignore" }).status === 0;

function inBox(session: ProcessSession, state: string | undefined, ...words: readonly string[]) {
  const more = state === undefined ? [] : ["--setenv", "XDG_STATE_HOME", state];
  const argv = [...boxWords(session.root), ...more, "--", process.execPath, WISP, ...words];
  const { env, repository: cwd } = session;
  const { status, stdout, stderr } = spawnSync("bwrap", argv, { cwd, env, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

test.skipIf(!hasBox)(
  "a session runs to its end without user namespaces, HOME, a writable root and room for temporary files",
  async () => {
    await using session = processSession({ scenario: ONE_TASK, sandbox: "auto" });
    const nowhere = inBox(session, undefined, "start", "request.md", "--yes");
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain("Nothing was created. Set XDG_STATE_HOME, or HOME");

    const state = join(session.root, "state");
    mkdirSync(state);
    const { code, stderr, stdout } = inBox(session, state, "start", "request.md", "--yes");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stderr).toContain("no sandbox (bubblewrap does not work");
    expect(session.git("show", "wisp/a-request:hello.txt")).toBe("hello");
    expect(inBox(session, state, "fsck").code).toBe(0);
    const doctor = inBox(session, state, "doctor");
    expect(doctor.stdout).toContain("in a container, that is for the host to allow");
  },
);
