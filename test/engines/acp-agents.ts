import { driverOf, type CliDriver } from "./cli-drivers.ts";
import { EXTRA_AGENTS } from "./installed.ts";

/** The agents, each with the words with which it speaks ACP, and the mode that it needs. */
export const ACP_AGENTS = {
  copilot: { words: ["--acp"] },
  gemini: { words: ["--acp"] },
  opencode: { words: ["acp"] },
  "claude-agent-acp": { words: [] },
  "codex-acp": { words: [], mode: "agent-full-access" },
  qwen: { words: ["--acp"] },
} as const;
export const ACP_NAMES = ["copilot", "gemini", "opencode", ...EXTRA_AGENTS] as const;

/** How an agent is driven over ACP: there, gemini reads files outside of the clone with its shell only. */
export function acpDriver(cli: (typeof ACP_NAMES)[number]): CliDriver {
  const driver = driverOf(cli);
  return cli === "gemini" ? { ...driver, read: (path) => driver.shell(`cat '${path}'`) } : driver;
}
