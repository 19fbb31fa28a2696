import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { installStandIn } from "../rig/stand-in-cli.ts";

const SAYS_NO = `console.log(JSON.stringify({ loggedIn: false })); process.exitCode = 1;`;

/** A session's repository whose engine is claude, played by a script, and a place whose login shell finds it. */
function withClaude(script: string): ProcessSession {
  const rig = processSession({ engine: "claude" });
  const home = String(rig.env["HOME"]);
  const programs = join(rig.root, "programs");
  installStandIn(programs, "claude", script);
  writeFileSync(join(home, ".profile"), `PATH="${programs}:$PATH"\n`);
  mkdirSync(join(home, ".config/wisp"), { recursive: true });
  return rig;
}

const START = [
  "start",
  "request.md",
  "--on",
  "local",
  "--yes",
  "--detach",
  "--no-sandbox",
] as const;

test("a start on a place whose engine is not logged in is refused, and tells how to log in there", async () => {
  await using rig = withClaude(SAYS_NO);
  const started = await rig.wisp(...START);
  expect(started).toMatchObject({ code: 2 });
  expect(started.stderr).toContain("claude is installed on local, but not logged in there");
  expect(started.stderr).toContain("claude, then /login (or set ANTHROPIC_API_KEY)");
  expect(started.stderr).toContain("executors.<name>.env: [ANTHROPIC_API_KEY]");
  expect((await rig.wisp("list", "--json")).stdout).not.toContain('"milestones"');
});

test("the same start goes on at the same place once the engine is logged in there", async () => {
  await using rig = withClaude(SAYS_NO);
  expect(await rig.wisp(...START)).toMatchObject({ code: 2 });
  installStandIn(join(rig.root, "programs"), "claude", `console.log('{"loggedIn": true}');`);
  expect(await rig.wisp(...START)).toMatchObject({ code: 0 });
  expect(rig.read("session.json", "a-request")).toContain('"claude"');
});

test("a login that cannot be asked for is not refused, but said", async () => {
  await using rig = withClaude(`console.error("unknown command: auth"); process.exitCode = 1;`);
  const started = await rig.wisp(...START);
  expect(started).toMatchObject({ code: 0 });
  expect(started.stderr).toContain("Whether claude on local is logged in is not known");
});

test("a dry run tells which engine has no login here, and a key in a variable counts as one", async () => {
  await using rig = withClaude(SAYS_NO);
  rig.env["PATH"] = `${join(rig.root, "programs")}:${String(rig.env["PATH"])}`;
  const dry = await rig.wisp("start", "request.md", "--dry-run");
  expect(dry.stderr).toContain("claude is not logged in: claude, then /login");
  rig.env["ANTHROPIC_API_KEY"] = "made-up";
  const keyed = await rig.wisp("start", "request.md", "--dry-run", "--json");
  expect(keyed.stdout).toContain('"claude": "yes"');
});
