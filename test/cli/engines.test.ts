import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CODING_CLIS } from "../../src/engines/coding-clis.ts";
import type { Cli } from "../../src/terminal/cli.ts";
import { engines } from "../../src/cli/read-only/engines.ts";
import { createHost } from "../../src/host/host.ts";
import { installStandIn, speaking } from "../rig/stand-in-cli.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
  mkdirSync(join(directory, "bin"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const installAs = (name: string, script: string) =>
  installStandIn(join(directory, "bin"), name, script);

async function run(options: { probe: boolean; json: boolean }) {
  const printed: string[] = [];
  const cli: Cli = {
    cwd: directory,
    env: { PATH: `${join(directory, "bin")}:${dirname(process.execPath)}`, HOME: directory },
    terminal: {
      out: (text) => printed.push(text),
      err: (text) => printed.push(text),
      call: (text) => printed.push(text),
      ...{ outHasColors: false, errHasColors: false, isInteractive: false, hasScreen: false },
    },
    ask: undefined,
    tell: (text) => printed.push(text),
    host: createHost(),
    entry: join(directory, "wisp.js"),
    nodePath: process.execPath,
    program: { code: "c0de", nodeVersion: process.version },
    version: "0.0.0",
  };
  const outcome = await engines(cli, options);
  return { code: outcome.ok ? outcome.value : undefined, text: printed.join("\n") };
}

const works = speaking("reads");

test("lists installed engines with their versions, and how to install the others", async () => {
  const path = installAs("claude", works);
  const { code, text } = await run({ probe: false, json: false });
  const lines = text.split("\n");
  expect(lines[0]).toBe(`claude    1.2.3-beta  ${path}`);
  expect(lines[1]).toMatch(/^codex +not installed: npm install/u);
  expect([lines.length, code]).toEqual([CODING_CLIS.length, 0]);
});

test("lists the agents for ACP that the repository's settings name, each once, and starts none of them", async () => {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: directory });
  git("init", "-q");
  git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "Begin");
  mkdirSync(join(directory, ".wisp"));
  const started = join(directory, "started");
  installAs("agent", `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`);
  const settings = {
    engine: { acp: ["agent", "--acp"] },
    roles: { tester: { engine: { acp: ["other agent"] } }, reviewer: { engine: "claude" } },
  };
  writeFileSync(join(directory, ".wisp", "config.yaml"), JSON.stringify(settings));
  const { code, text } = await run({ probe: false, json: false });
  const [agent, other, ...rest] = text.split("\n").slice(CODING_CLIS.length);
  expect(agent).toBe("acp       agent --acp (engine)");
  expect(other).toBe("acp       not installed: 'other agent' (roles.tester.engine)");
  expect([rest, code, existsSync(started)]).toEqual([[], 0, false]);
});

test("a probe fails an engine that cannot read the turn's folder, and names the refused call", async () => {
  installAs("claude", speaking("is refused"));
  const { code, text } = await run({ probe: true, json: false });
  expect(text).toMatch(/^claude .* answers$/mu);
  expect(text).toMatch(
    /^ +it did not read a file in the turn's folder: refused: Read on …\/word\.txt$/mu,
  );
  expect(code).toBe(1);
  const view: unknown = JSON.parse((await run({ probe: true, json: true })).text);
  const probe = { works: false, answers: true, readsFolder: false };
  const others = CODING_CLIS.slice(1).map(({ name }) => ({ name }));
  expect(view).toMatchObject({ engines: [{ name: "claude", probe }, ...others] });
});

test("a probe says which engines can take a turn; if one cannot, it says why and exits with 1", async () => {
  installAs("claude", works);
  const failed = { type: "turn.failed", error: { message: "unexpected status 401 Unauthorized" } };
  const line = JSON.stringify(JSON.stringify(failed));
  installAs("codex", `console.log(${line}); process.exitCode = 1;`);
  const { code, text } = await run({ probe: true, json: false });
  expect(text).toMatch(/^claude .* {2}answers; reads the turn's folder$/mu);
  expect(text).toMatch(/^ +codex has no valid login .*401 Unauthorized$/mu);
  expect(code).toBe(1);
});

test("with --json, unknown values are null", async () => {
  const path = installAs("gemini", "");
  const { text } = await run({ probe: false, json: true });
  const view: unknown = JSON.parse(text);
  expect(view).toMatchObject({
    engines: [
      { name: "claude", path: null, version: null },
      { name: "codex" },
      { name: "gemini", path, version: "1.2.3-beta" },
      { name: "copilot" },
      { name: "opencode" },
    ],
  });
});
