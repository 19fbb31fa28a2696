import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastEndOf } from "../../src/session/state/stage.ts";
import { ONE_TASK } from "../process/scenarios.ts";
import { checkSession } from "../rig/check-session.ts";
import { endProcess, markedProcesses } from "../rig/marked-processes.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { CANARY } from "../rig/sandboxed.ts";
import { sessionInContainers } from "./session-in-containers.ts";
import { CAN_LIMIT, IMAGES, NO_PODMAN, openPodman, type Podman } from "./podman.ts";

const WHY = NO_PODMAN === undefined ? "" : ` (${NO_PODMAN})`;

/** A turn that writes to `seen.txt` what it can read and write. */
const LOOKS = String.raw`
      build(t) {
        const fs = process.getBuiltinModule("node:fs");
        const read = (path) => { try { return fs.readFileSync(path, "utf8"); } catch (error) { return error.code; } };
        const write = (path) => { try { fs.appendFileSync(path, "x"); return "wrote"; } catch (error) { return error.code; } };
        const { HOME, WISP_HOME } = process.env;
        // Settings of the kernel, which are of no process: opened, and nothing is written.
        const opened = [];
        const visit = (folder) => {
          let entries = [];
          try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch {}
          for (const entry of entries) {
            const path = folder + "/" + entry.name;
            if (entry.isDirectory()) { if (!/^\/proc\/\d+$/.test(path)) visit(path); }
            else if (entry.isFile() && fs.lstatSync(path).isFile() && (fs.lstatSync(path).mode & 0o002) === 0) {
              try { fs.closeSync(fs.openSync(path, "a")); opened.push(path); } catch {}
            }
          }
        };
        visit("/proc");
        const status = read("/proc/self/status");
        t.put("hello.txt", "hello\n");
        t.put("seen.txt", [
          read(HOME + "/.ssh/id"), read(HOME + "/other/project/.env"),
          String(read(WISP_HOME + "/../../../.env") === ""),
          write(WISP_HOME + "/logs/tester.log"), write(WISP_HOME + "/../../../README.md"), write("/bin/wc"),
          String(process.env.SECRET_OF_WISP), read(WISP_HOME + "/request.md").slice(0, 11),
          /CapBnd:\s+0{16}\n/.test(status) && /NoNewPrivs:\s+1\n/.test(status),
          fs.existsSync("/run/podman") || fs.existsSync("/var/run/docker.sock"),
          process.env.MY_LINES, process.getuid(), "opened " + (opened.join(" ") || "nothing"),
        ].join("\n") + "\n");
        t.tick(); t.commit("Say hello");
      },`;

/** A turn that starts what it can to outlive its end, and never ends. */
const HANGS = String.raw`
      async build(t) {
        const { spawn } = process.getBuiltinModule("node:child_process");
        spawn("setsid", ["sleep", "4321"], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH } });
        process.on("SIGTERM", () => undefined);
        t.put("begun.txt", "begun\n");
        setInterval(() => undefined, 1_000);
        await new Promise(() => undefined);
      },`;

describe.skipIf(NO_PODMAN !== undefined)(`a session in containers${WHY}`, () => {
  let podman: Podman;
  beforeAll(async () => {
    podman = await openPodman();
  });
  afterAll(() => podman.close());

  const containers = () => podman.say("ps", "--all", "--format", "{{.Names}} {{.State}}").trim();
  const sleepers = () =>
    markedProcesses(() => true).filter(({ commandLine }) => commandLine.startsWith("sleep 4321"));

  const sessionOf = (turns: string, config = "", image?: string): ProcessSession =>
    sessionInContainers(podman, {
      ...{ scenario: `${ONE_TASK}\n${turns}`, config, files: { "README.md": "A project\n" } },
      ...(image === undefined ? {} : { image }),
    });

  test("completes, and its turns can read no secrets and write only to their clones", async () => {
    await using session = sessionOf(
      LOOKS,
      `verify: [sh, -c, "! cat $HOME/.ssh/id"]\nroles: { builder: { env: [MY_LINES] } }\n`,
    );
    const home = session.env["HOME"] ?? "";
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh/id"), CANARY);
    mkdirSync(join(home, "other/project"), { recursive: true });
    writeFileSync(join(home, "other/project/.env"), CANARY);
    session.write(".env", CANARY);
    const odd = ` 'one' "two" # $three, four `;
    Object.assign(session.env, { SECRET_OF_WISP: CANARY, MY_LINES: odd });
    const started = await session.wisp("start", "request.md");
    expect(started.stderr).toContain(`sandbox.image`);
    expect(started).toMatchObject({ code: 0 });
    const { history, broken } = checkSession(session.home());
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
    const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
    expect(session.git("show", `${branch}:seen.txt`).split("\n")).toEqual([
      ...["ENOENT", "ENOENT", "true", "EROFS", "EROFS", "EROFS", "undefined", "# A request"],
      ...["true", "false", odd, String(process.geteuid?.()), "opened nothing"],
    ]);
    expect(readFileSync(join(session.repository, "README.md"), "utf8")).toBe("A project\n");
    expect(containers()).toBe("");
    expect(session.leftovers()).toEqual([]);
  });

  test("a role that is killed leaves no container and nothing that ran in it", async () => {
    await using session = sessionOf(HANGS);
    session.spawn("start", "request.md", "--yes");
    await session.until("the turn", () => sleepers().length > 0);
    expect(containers()).not.toBe("");
    const started = markedProcesses((word) => word === `HOME=${session.env["HOME"] ?? ""}`);
    // The supervisor first: it would start the role again.
    const isOf = (word: string) => (one: { commandLine: string }) => one.commandLine.includes(word);
    for (const { pid } of started.filter(isOf("supervise"))) endProcess(pid);
    for (const { pid } of started.filter(isOf("agent builder"))) endProcess(pid);
    await session.until("the end of the container", () => containers() === "");
    expect(sleepers()).toEqual([]);
  });

  test("what holds a container leaves none if it is killed with its role", async () => {
    await using session = sessionOf(HANGS);
    session.spawn("start", "request.md", "--yes");
    await session.until("the turn", () => sleepers().length > 0);
    const started = markedProcesses((word) => word === `HOME=${session.env["HOME"] ?? ""}`);
    const isOurs = (one: { commandLine: string }) =>
      ["supervise", "agent builder", "hold-container"].some((word) =>
        one.commandLine.includes(word),
      );
    const ours = started.filter(isOurs);
    expect(ours.map(({ commandLine }) => commandLine).join("\n")).toContain("hold-container");
    for (const { pid } of ours) endProcess(pid);
    await session.until("the end of the container", () => containers() === "");
    expect(sleepers()).toEqual([]);
  });

  test("a turn past its time limit leaves no container, whatever it ignores", async () => {
    await using session = sessionOf(HANGS, "roles: { builder: { timeout: 5s } }\n");
    const { code, stdout } = await session.wisp("start", "request.md", "--yes");
    // Every attempt of the turn began, and was ended.
    expect(stdout).toContain("its time limit");
    expect(code).toBe(5);
    await session.until("the end of the container", () => containers() === "");
    expect(sleepers()).toEqual([]);
  });

  test("start refuses an image that is not here, and pulls and creates nothing", async () => {
    await using session = sessionOf(LOOKS, "", "localhost/wisp-absent");
    const { code, stderr } = await session.wisp("start", "request.md", "--yes");
    expect(stderr).toContain("the image localhost/wisp-absent is not here");
    expect(stderr).toContain("podman pull localhost/wisp-absent");
    expect(code).toBe(2);
    expect(session.git("for-each-ref", "refs/heads/wisp")).toBe("");
    const doctor = await session.wisp("doctor");
    expect(doctor.stdout).toContain("the image localhost/wisp-absent is not here");
  });

  test("start refuses an image without the engine, and names what is missing", async () => {
    await using session = sessionOf(LOOKS);
    const settings =
      session.read("../../config.yaml") ||
      readFileSync(join(session.repository, ".wisp/config.yaml"), "utf8");
    session.write(".wisp/config.yaml", settings.replace(/^engine: .*$/m, "engine: claude"));
    const { code, stderr } = await session.wisp("start", "request.md", "--dry-run", "--yes");
    expect(stderr).toContain(`the image ${IMAGES.ordinary} does not contain claude`);
    expect(code).toBe(2);
  });

  test("doctor runs a container of the image", async () => {
    await using session = sessionOf(LOOKS);
    const doctor = await session.wisp("doctor");
    expect(doctor.stdout).toContain(`a container of ${IMAGES.ordinary} runs`);
    expect(containers()).toBe("");
  });

  test.skipIf(!CAN_LIMIT)(
    `a turn is held to its memory and its number of processes${CAN_LIMIT ? "" : " (skipped: no cgroups here)"}`,
    async () => {
      await using session = sessionOf(HANGS);
      const settings = join(session.repository, ".wisp/config.yaml");
      const text = readFileSync(settings, "utf8");
      writeFileSync(
        settings,
        text.replace("kind: container", "kind: container, pids: 64, memory: 512m"),
      );
      session.git("commit", "-qam", "Limit it");
      expect(await session.wisp("start", "request.md", "--yes", "--detach")).toMatchObject({
        code: 0,
      });
      await session.until("the turn", () => sleepers().length > 0);
      const format = "{{.HostConfig.PidsLimit}} {{.HostConfig.Memory}} {{.HostConfig.Privileged}}";
      const ofBuilder = ["--filter", "label=wisp.role=builder", "--format", "{{.Names}}"];
      const [name = ""] = podman.say("ps", ...ofBuilder).split("\n");
      expect(podman.say("inspect", "--format", format, name).trim()).toBe(
        `64 ${String(512 * 1024 * 1024)} false`,
      );
      // Its turn never ends by itself.
      const started = markedProcesses((word) => word === `HOME=${session.env["HOME"] ?? ""}`);
      // The supervisor first: it would start the role again.
      for (const word of ["supervise", "agent "]) {
        for (const { pid, commandLine } of started) if (commandLine.includes(word)) endProcess(pid);
      }
      await session.until("the end of the container", () => containers() === "");
    },
  );
});
