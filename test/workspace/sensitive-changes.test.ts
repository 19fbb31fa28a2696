import { describe, expect, test } from "vitest";
import { sensitiveChanges } from "../../src/workspace/finished/sensitive-changes.ts";
import { hasOtherScripts, sensitiveKind } from "../../src/workspace/finished/sensitive-paths.ts";
import { sensitiveLines } from "../../src/views/status/sensitive-words.ts";
import { sha } from "../rig/records.ts";

const SENSITIVE = {
  "settings of wisp": [".wisp/config.yaml", ".wisp/templates/build.md", "api/.wisp/reviewers/a.md"],
  "instructions and settings of agents": [
    ...["CLAUDE.md", "api/AGENTS.md", "GEMINI.md", "claude.md", ".claude/settings.json"],
    ...[".codex/config.toml", ".gemini/settings.json", ".opencode/agent/x.md", "opencode.json"],
    ...["opencode.jsonc", ".cursor/rules/a.mdc", ".cursorrules", ".github/copilot-instructions.md"],
    ...[".github/instructions/x.instructions.md", ".windsurf/rules/x.md", ".aider.conf.yml"],
  ],
  "MCP servers": [".mcp.json", "mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"],
  "hooks and filters of git": [
    ...[".husky/pre-commit", ".githooks/post-merge", "lefthook.yml", "lefthook-local.yml"],
    ...[".pre-commit-config.yaml", ".gitattributes", "docs/.gitattributes", ".gitmodules"],
    ...[".lintstagedrc.json", "lint-staged.config.mjs"],
  ],
  "CI workflows": [
    ...[".github/workflows/ci.yml", ".GitHub/Workflows/ci.yml", ".github/actions/x/action.yml"],
    ...[
      ".gitlab-ci.yml",
      ".circleci/config.yml",
      "azure-pipelines.yml",
      "Jenkinsfile",
      ".travis.yml",
    ],
    ...[
      "ci/Jenkinsfile.release",
      ".forgejo/workflows/x.yaml",
      "bitbucket-pipelines.yml",
      ".ci/run",
    ],
  ],
  "settings of a package manager": [".npmrc", "web/.yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml"],
  "settings of an editor": [".vscode/tasks.json", ".devcontainer/devcontainer.json"],
  "environment of the shell": [
    ".envrc",
    "mise.toml",
    ".mise.local.toml",
    ".config/mise/config.toml",
  ],
};
const HARMLESS = [
  ...["src/wisp.ts", "README.md", "docs/CLAUDE.md.txt", "src/hooks/use-x.ts", "github/workflows/a"],
  ...[
    "package.json",
    "Makefile",
    ".tool-versions",
    ".gitignore",
    "src/agents/a.ts",
    "test/ci.test.ts",
  ],
  ...["src/mcp/json.ts", "notes.env", ".github/CODEOWNERS", "src/promise.toml"],
];

describe.each(Object.entries(SENSITIVE))("%s", (kind, paths) => {
  test.each(paths)("%s", (path) => {
    expect(sensitiveKind(path)).toBe(kind);
  });
});

test.each(HARMLESS)("%s is not a sensitive file", (path) => {
  expect(sensitiveKind(path)).toBeUndefined();
});

test("compares only the scripts of a package.json, in any order and format", () => {
  const before = '{"scripts":{"a":"1","b":"2"},"version":"1"}';
  expect(hasOtherScripts(before, '{ "scripts": { "b": "2", "a": "1" }, "version": "2" }')).toBe(
    false,
  );
  expect(hasOtherScripts(before, '{"scripts":{"a":"1","b":"2","pretest":"x"}}')).toBe(true);
  expect(hasOtherScripts(before, undefined)).toBe(true);
  expect(hasOtherScripts(undefined, '{"name":"x"}')).toBe(false);
  expect(hasOtherScripts(undefined, '{"scripts":{"postinstall":"x"}}')).toBe(true);
  // A text that is not a JSON object may run anything.
  expect(hasOtherScripts(before, "{")).toBe(true);
  expect(hasOtherScripts(before, '"x"')).toBe(true);
});

test("names each sensitive file once with its commits, and a manifest only for changed scripts", () => {
  const commits = [
    { sha: sha(1), paths: ["src/a.js", "package.json", ".npmrc", "web/package.json"] },
    { sha: sha(2), paths: ["package.json", ".npmrc"] },
  ];
  const manifests = [
    { sha: sha(1), path: "package.json", before: "{}", after: '{"version":"2"}' },
    { sha: sha(2), path: "package.json", before: "{}", after: '{"scripts":{"test":"true"}}' },
  ];
  expect(sensitiveChanges(commits, manifests)).toEqual([
    { path: ".npmrc", kind: "settings of a package manager", commits: [sha(1), sha(2)] },
    { path: "package.json", kind: "scripts of a package", commits: [sha(2)] },
    // The content of this one was not read.
    { path: "web/package.json", kind: "scripts of a package", commits: [sha(1)] },
  ]);
});

test("bounds the lines and cleans the paths", () => {
  const commits = Array.from({ length: 7 }, (_, at) => sha(at));
  const kind = "CI workflows" as const;
  const [line] = sensitiveLines([{ path: ".ci/\u001B[31m\nx", kind, commits }]);
  expect(line).toMatch(/^\.ci\/ x \(CI workflows\): (?:[0-9a-f]+, ){4}[0-9a-f]+ and 2 more$/);
  const many = Array.from({ length: 25 }, (_, at) => ({
    path: `.ci/${String(at)}`,
    kind,
    commits,
  }));
  const lines = sensitiveLines(many);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("and 5 more");
});
