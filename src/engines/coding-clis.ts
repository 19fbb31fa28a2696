import type { KnownEngines } from "../base/engine-needs.ts";
import { ACP_AGENT_NEEDS } from "./acp/acp-agents.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import type { CodingCli } from "./coding-cli.ts";
import { copilot } from "./copilot/copilot.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";

/**
 * The coding CLIs that wisp drives itself, in the order in which `auto` prefers them. This is the only list of
 * them. The command line reads names from it, so what it loads must stay small.
 */
export const CODING_CLIS: readonly CodingCli[] = [claude, codex, gemini, copilot, opencode];

/** Their names, sorted for display. */
export const CODING_CLI_NAMES: readonly string[] = CODING_CLIS.map(({ name }) => name).sort();

/** Their needs, and those of known agents for ACP, for sandboxes. */
export const ENGINE_NEEDS: KnownEngines = new Map([
  ...CODING_CLIS.map(({ name, needs }) => [name, needs] as const),
  ...ACP_AGENT_NEEDS,
]);

/** Finds a coding CLI by name. */
export function codingCli(name: string): CodingCli | undefined {
  return CODING_CLIS.find((cli) => cli.name === name);
}
