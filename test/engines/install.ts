import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The CLIs that are driven for real, each in the version that the adapters were measured with. */
const PACKAGES = {
  claude: { name: "@anthropic-ai/claude-code", version: "2.1.329" },
  "claude-old": { name: "@anthropic-ai/claude-code", version: "2.1.197" },
  codex: { name: "@openai/codex", version: "0.169.0" },
  copilot: { name: "@github/copilot", version: "1.0.102" },
  gemini: { name: "@google/gemini-cli", version: "0.61.0" },
  opencode: { name: "opencode-ai", version: "1.18.33" },
} as const;

export type Installed = keyof typeof PACKAGES;

/**
 * Absolute path of a CLI's executable. It is installed when it is first asked for, into a cache outside
 * the repository: `${XDG_CACHE_HOME:-~/.cache}/wisp-test-engines/<cli>-<version>`.
 */
export function installed(cli: Installed): string {
  const { name, version } = PACKAGES[cli];
  const executable = cli.replace(/-old$/u, "");
  const cache = join(
    process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
    "wisp-test-engines",
  );
  const directory = join(cache, `${executable}-${version}`);
  const path = join(directory, "node_modules", ".bin", executable);
  if (existsSync(path)) return path;
  // Made under another name first: an install that was cut off is not taken for a whole one.
  const draft = `${directory}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "package.json"), `{"private":true}\n`);
  const words = ["install", "--no-audit", "--no-fund", "--save-exact", `${name}@${version}`];
  execFileSync("npm", words, { cwd: draft, stdio: "pipe" });
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
  return path;
}
