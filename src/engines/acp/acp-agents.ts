import type { EngineNeeds } from "../../base/engine-needs.ts";
import { claude } from "../claude/claude.ts";
import { codex } from "../codex/codex.ts";

/** qwen 0.24.4 keeps login, settings and conversations in one folder, as gemini does, from which it comes. */
const QWEN: EngineNeeds = {
  folders: [".qwen"],
  files: [],
  folderVariables: [],
  fileVariables: [],
  secrets: [],
  programs: [],
  caches: [],
  hosts: ["*.aliyuncs.com", "*.qwen.ai"],
};

/**
 * Agents that speak ACP and are no coding CLI of `coding-clis.ts`, by their executable: what they need in a sandbox.
 * claude-agent-acp and codex-acp run claude and codex, with what those keep.
 */
export const ACP_AGENT_NEEDS: ReadonlyMap<string, EngineNeeds> = new Map([
  ["claude-agent-acp", claude.needs],
  ["codex-acp", codex.needs],
  ["qwen", QWEN],
]);
