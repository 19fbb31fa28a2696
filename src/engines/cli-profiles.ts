import { claude } from "./claude/claude.ts";
import type { CliProfile } from "./cli-profile.ts";
import { codex } from "./codex/codex.ts";
import { copilot } from "./copilot/copilot.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";

/** The coding CLIs that wisp drives itself, in the order in which `auto` prefers them. */
export const CLI_PROFILES: readonly CliProfile[] = [claude, codex, gemini, copilot, opencode];

/** The one of a name. */
export function cliProfile(name: string): CliProfile | undefined {
  return CLI_PROFILES.find((profile) => profile.name === name);
}
