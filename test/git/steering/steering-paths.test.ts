import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { steeringPatterns, steeringRoot } from "../../../src/git/steering/steering-paths.ts";
import { createRig, write } from "../rig.ts";

/** Paths, and what of each steers agents as a whole. */
const STEERING: Readonly<Record<string, string>> = {
  "CLAUDE.md": "CLAUDE.md",
  "claude.md": "claude.md",
  "api/Claude.local.md": "api/Claude.local.md",
  "AGENTS.override.md": "AGENTS.override.md",
  "a/b/GEMINI.md": "a/b/GEMINI.md",
  "QWEN.md/x.txt": "QWEN.md",
  ".claude/settings.json": ".claude",
  "web/.Codex/config.toml": "web/.Codex",
  ".gemini/settings.json": ".gemini",
  ".opencode/plugin/p.js": ".opencode",
  ".agents/skills/s/SKILL.md": ".agents",
  ".cursor/rules/a.mdc": ".cursor",
  ".mcp.json": ".mcp.json",
  "web/opencode.jsonc": "web/opencode.jsonc",
  ".github/copilot-instructions.md": ".github/copilot-instructions.md",
  ".github/instructions/a.instructions.md": ".github/instructions",
  ".GitHub/Hooks/h.json": ".GitHub/Hooks",
  "web/.vscode/mcp.json": "web/.vscode/mcp.json",
  ".env": ".env",
};

const OTHERS = [
  ...["README.md", "docs/CLAUDE.md.txt", "src/agents/main.ts", ".github/workflows/ci.yml"],
  ...["web/.env", ".env.example", ".vscode/settings.json", "agents.txt", "github/hooks/h.json"],
];

test("files that steer agents are found at any depth and in any case, folders as a whole", () => {
  const paths = Object.keys(STEERING);
  expect(Object.fromEntries(paths.map((path) => [path, steeringRoot(path)]))).toEqual(STEERING);
  expect(OTHERS.filter((path) => steeringRoot(path) !== undefined)).toEqual([]);
});

test("git takes the patterns for the same list", () => {
  using rig = createRig();
  const patterns = steeringPatterns().map((line) => `${line}\n`);
  write(join(rig.hub.directory, ".git", "info", "exclude"), patterns.join(""));
  const paths = [...Object.keys(STEERING), ...OTHERS];
  const printed = execFileSync("git", ["check-ignore", "--no-index", "--stdin"], {
    cwd: rig.hub.directory,
    input: paths.map((path) => `${path}\n`).join(""),
    encoding: "utf8",
  });
  expect(printed.trim().split("\n")).toEqual(Object.keys(STEERING));
});
