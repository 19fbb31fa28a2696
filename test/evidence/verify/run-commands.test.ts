import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  runCommands,
  type CommandContext,
  type ProjectCommands,
} from "../../../src/evidence/verify/run-commands.ts";
import { cleanedTail } from "../../../src/work/run-in-order.ts";
import { homeAt } from "../../../src/fs-protocol/home/home.ts";
import { createHost } from "../../../src/host/host.ts";
import { SESSION } from "../../rig/session.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "wisp-"));
  mkdirSync(homeAt(root).turns, { recursive: true });
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const node = (code: string) => [process.execPath, "-e", code];

/** Runs real commands in a real folder. */
function run(
  commands: ProjectCommands["commands"],
  { timeoutMs = 20_000, stop = new AbortController(), env = {} } = {},
) {
  const ports = createHost();
  // Variables for a role's engine are not for commands.
  const builder = { ...SESSION.engines.builder, env: ["SENTRY_DSN"] };
  const context: CommandContext = {
    home: homeAt(root),
    role: "builder",
    session: {
      ...SESSION,
      engines: { ...SESSION.engines, builder },
      commands: { env: ["NPM_*"] },
    },
    ports,
    env: ownEnvironment(env),
    signal: stop.signal,
  };
  return runCommands(context, { commands, cwd: root, output: "verify", timeoutMs });
}

test("commands run in order until all have passed", async () => {
  const first = node("require('fs').writeFileSync('one', '')");
  const second = node("process.exit(require('fs').existsSync('one') ? 0 : 1)");
  expect(await run([first, second])).toEqual({ kind: "passed" });
});

test("a project's commands see the variables that programs need, and those that the settings name", async () => {
  const canaries = {
    ...{ ANTHROPIC_API_KEY: "sk-1", DATABASE_URL: "postgres://u:canary@x/y", SENTRY_DSN: "s-1" },
    ...{ SLACK_WEBHOOK_URL: "w-1", ANTHROPIC_CUSTOM_HEADERS: "h-1", NPM_TOKEN: "t-1", LANG: "C" },
  };
  const sees = node(
    "require('fs').writeFileSync('seen', Object.keys(process.env).sort().join(' '))",
  );
  expect(await run([sees], { env: canaries })).toEqual({ kind: "passed" });
  expect(readFileSync(join(root, "seen"), "utf8")).toBe(
    "GIT_ATTR_NOSYSTEM GIT_CONFIG_NOSYSTEM LANG NPM_TOKEN PATH WISP_RUN_ID",
  );
});

test("the first failure ends the run, with its exit code and the end of its output, cleaned", async () => {
  const fails = node(
    "console.log('\\u001b[31mred\\u001b[0m'); console.error('why'); process.exit(3)",
  );
  const end = await run([fails, node("require('fs').writeFileSync('never', '')")]);
  expect(end.kind).toBe("failed");
  if (end.kind !== "failed") return;
  expect(end.reason.endsWith(" exited with 3")).toBe(true);
  expect(end.tail).toContain("red\nwhy");
  expect(existsSync(join(root, "never"))).toBe(false);
});

test("a missing executable is a failure that names it", async () => {
  expect(await run([["no-such-program-of-ours", "x"]])).toEqual({
    kind: "failed",
    command: ["no-such-program-of-ours", "x"],
    reason: "no-such-program-of-ours could not be started: ENOENT",
    tail: "",
    ended: { kind: "not-started" },
  });
});

test("a command that does not end is killed, and the reason gives the time limit", async () => {
  const end = await run([node("setInterval(() => {}, 1000)")], { timeoutMs: 300 });
  expect(end.kind === "failed" && end.reason).toMatch(/ did not end within 0 s$/);
});

test("a command that dies of a signal is a failure", async () => {
  const end = await run([node("process.kill(process.pid, 'SIGKILL')")]);
  expect(end.kind === "failed" && end.reason).toMatch(/ was ended by SIGKILL$/);
});

test("being asked to stop is not a failure, and no further command runs", async () => {
  const stop = new AbortController();
  const running = run(
    [node("require('fs').writeFileSync('ready', ''); setInterval(() => {}, 1000)")],
    {
      stop,
    },
  );
  await new Promise<void>((resolve) => {
    const look = () => (existsSync(join(root, "ready")) ? resolve() : void setImmediate(look));
    look();
  });
  stop.abort();
  expect(await running).toEqual({ kind: "stopped" });
});

test("the end of a long output is kept", () => {
  const { files } = createHost();
  const path = join(root, "long.out");
  files.append(path, Buffer.from(`first\n${"é".repeat(50_000)}\nlast\n`));
  const tail = cleanedTail(files, path);
  expect(tail.length).toBeLessThanOrEqual(8_000);
  expect(tail.endsWith("last")).toBe(true);
  expect(tail).not.toContain("first");
  expect(cleanedTail(files, path, 1_000_000).startsWith("first")).toBe(true);
  expect(cleanedTail(files, join(root, "missing.out"))).toBe("");
});
