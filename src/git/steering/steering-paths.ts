/*
 * The files of a repository that steer coding agents: instructions, settings, hooks, servers, skills. One list, as data,
 * in lower case: some file systems ignore case, and some agents do. Measured with the CLIs that wisp drives itself; those
 * of others are listed by their documentation.
 */

/** Names of files and of whole folders, at any depth. */
const NAMES: ReadonlySet<string> = new Set([
  // Instructions.
  ...["claude.md", "claude.local.md", "agents.md", "agents.override.md", "agents.local.md"],
  ...["agent.md", "gemini.md", "qwen.md"],
  // Folders with settings, hooks, skills, agents, commands, plugins and instructions.
  ...[".claude", ".codex", ".gemini", ".qwen", ".opencode", ".agents", ".copilot"],
  ...[".cursor", ".windsurf", ".cline", ".roo", ".kiro", ".amazonq", ".goose", ".continue"],
  // Settings, servers and rules in one file.
  ...[".mcp.json", "opencode.json", "opencode.jsonc"],
  ...[".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints"],
  ...[".aider.conf.yml", ".geminiignore", ".qwenignore", ".aiexclude"],
]);

/** Names in folders that hold other things, too, at any depth. */
const NAMES_IN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    ".github",
    new Set([
      ...["copilot-instructions.md", "instructions", "agents", "hooks", "skills", "prompts"],
      ...["chatmodes", "copilot", "extensions", "mcp.json", "lsp.json"],
    ]),
  ],
  [".vscode", new Set(["mcp.json"])],
]);

/** Names at the top only: gemini takes variables from it, such as that of a file in place of its system prompt. */
const NAMES_AT_TOP: ReadonlySet<string> = new Set([".env"]);

/**
 * The file or folder at or above a path that steers agents, as a whole; undefined if there is none.
 *
 * @param path relative to the top of the repository, with slashes
 */
export function steeringRoot(path: string): string | undefined {
  const names = path.split("/").filter((name) => name !== "");
  for (const [at, written] of names.entries()) {
    const name = written.toLowerCase();
    const above = at === 0 ? undefined : names[at - 1]?.toLowerCase();
    const isOne =
      NAMES.has(name) ||
      (at === 0 && NAMES_AT_TOP.has(name)) ||
      (above !== undefined && NAMES_IN.get(above)?.has(name) === true);
    if (isOne) return names.slice(0, at + 1).join("/");
  }
  return undefined;
}

/** Whether a folder of this name may hold files that steer agents beside others. */
export function holdsSteering(name: string): boolean {
  return NAMES_IN.has(name.toLowerCase());
}

/** The same list as patterns of `.gitignore`, a line each. */
export function steeringPatterns(): readonly string[] {
  const below = [...NAMES_IN].flatMap(([folder, names]) =>
    [...names].map((name) => `**/${anyCase(folder)}/${anyCase(name)}`),
  );
  const atTop = [...NAMES_AT_TOP].map((name) => `/${anyCase(name)}`);
  return [...[...NAMES].map(anyCase), ...below, ...atTop];
}

function anyCase(name: string): string {
  return name.replaceAll(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
