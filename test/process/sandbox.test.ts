import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { CANARY, workingBubblewrap } from "../rig/sandboxed.ts";
import { ONE_TASK } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** A turn that writes to `seen.txt` what it can read and write. */
const LOOKS = String.raw`
      build(t) {
        const fs = process.getBuiltinModule("node:fs");
        const read = (path) => { try { return fs.readFileSync(path, "utf8"); } catch (error) { return error.code; } };
        const write = (path) => { try { fs.appendFileSync(path, "x"); return "wrote"; } catch (error) { return error.code; } };
        const { HOME, WISP_HOME } = process.env;
        t.put("hello.txt", "hello\n");
        t.put("seen.txt", [
          read(HOME + "/.ssh/id"), read(WISP_HOME + "/../../../.env"),
          write(WISP_HOME + "/logs/tester.log"), write(WISP_HOME + "/../../../README.md"),
          String(process.env.SECRET_OF_WISP), read(WISP_HOME + "/request.md").slice(0, 11),
        ].join("\n") + "\n");
        t.tick(); t.commit("Say hello");
      },`;

describe.skipIf(WHY !== "")(`a session in bubblewrap${WHY}`, () => {
  test("completes, and its turns can read no secrets and write only to their clones", async () => {
    await using session = processSession({
      scenario: `${ONE_TASK}\n${LOOKS}`,
      sandbox: "bubblewrap",
      config: `verify: [sh, -c, "! cat $HOME/.ssh/id"]\n`,
      files: { "README.md": "A project\n" },
    });
    const home = session.env["HOME"] ?? "";
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh/id"), CANARY);
    session.write(".env", CANARY);
    Object.assign(session.env, { SECRET_OF_WISP: CANARY });
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    const { history, broken } = checkSession(session.home());
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
    const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
    expect(session.git("show", `${branch}:seen.txt`).split("\n")).toEqual([
      "ENOENT",
      "EACCES",
      "EROFS",
      "EROFS",
      "undefined",
      "# A request",
    ]);
    expect(readFileSync(join(session.repository, "README.md"), "utf8")).toBe("A project\n");
    expect(session.leftovers()).toEqual([]);
  });

  test("start refuses a configured sandbox that is not installed, and creates nothing", async () => {
    await using session = processSession({ scenario: ONE_TASK, sandbox: "srt" });
    Object.assign(session.env, { PATH: "/usr/bin:/bin" });
    const { code, stderr } = await session.wisp("start", "request.md");
    expect(stderr).toContain("srt is not installed");
    expect(code).toBe(2);
    expect(session.git("for-each-ref", "refs/heads/wisp")).toBe("");
  });
});

test.runIf(process.geteuid?.() === 0)(
  "start as root refuses srt, even one that works: it leaves settings of the kernel open",
  async () => {
    await using session = processSession({ scenario: ONE_TASK, sandbox: "srt" });
    const tools = join(session.root, "tools");
    mkdirSync(tools);
    // It runs whatever it is given, as one that works does in wisp's own probe.
    writeFileSync(join(tools, "srt"), `#!/bin/sh\nexec "$@"\n`, { mode: 0o755 });
    Object.assign(session.env, { PATH: `${tools}:${session.env["PATH"] ?? ""}` });
    const { code, stderr } = await session.wisp("start", "request.md");
    expect(stderr).toContain("as root, a command in srt could change settings of the kernel");
    expect(code).toBe(2);
    expect(session.git("for-each-ref", "refs/heads/wisp")).toBe("");
  },
);

test("without bubblewrap a session runs, and says once that there is no sandbox", async () => {
  await using session = processSession({ scenario: ONE_TASK, sandbox: "auto" });
  const tools = join(session.root, "tools");
  mkdirSync(tools);
  for (const program of ["git", "flock", "sh", "unshare", "env"]) {
    symlinkSync(which(program), join(tools, program));
  }
  Object.assign(session.env, { PATH: tools });
  const { code, stderr } = await session.wisp("start", "request.md");
  expect(code).toBe(0);
  const said = stderr.split("\n").filter((line) => line.includes("no sandbox"));
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^wisp: no sandbox \(bubblewrap is not installed\): engines can read and change whatever you can; to install it: .*bubblewrap.* \(docs\/SANDBOX\.md\)$/,
  );
  const status = await session.wisp("status");
  expect(status.stdout).toContain("no sandbox (bubblewrap is not installed)");
});

function which(program: string): string {
  return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
}
