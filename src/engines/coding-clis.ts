import type { KnownEngines } from "../base/engine-needs.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import type { CodingCli } from "./coding-cli.ts";
import { copilot } from "./copilot/copilot.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";

/**
 * The coding CLIs that wisp drives itself, in the order in which `auto` prefers them. This list is the only one:
 * the command line asks it for names, so what it loads must stay light.
 */
export const CODING_CLIS: readonly CodingCli[] = [claude, codex, gemini, copilot, opencode];

/** Their names, sorted for people. */
export const CODING_CLI_NAMES: readonly string[] = CODING_CLIS.map(({ name }) => name).sort();

/** What a sandbox has to know of them. */
export const ENGINE_NEEDS: KnownEngines = new Map(
  CODING_CLIS.map(({ name, needs }) => [name, needs]),
);

/** The one of a name. */
export function codingCli(name: string): CodingCli | undefined {
  return CODING_CLIS.find((cli) => cli.name === name);
}
