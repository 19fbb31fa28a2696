import { z } from "zod";

/** The CLIs that the tests really run; `claude-old` reports cost in another way. */
export const CLIS = ["claude", "codex", "copilot", "gemini", "opencode"] as const;
/** Agents that only speak ACP, which are installed by `npm run test:engines -- --extra`. */
export const EXTRA_AGENTS = ["claude-agent-acp", "codex-acp", "qwen"] as const;
export type Installed = (typeof CLIS)[number] | (typeof EXTRA_AGENTS)[number] | "claude-old";

const Paths = z.record(z.string(), z.string());

/** Absolute path of a CLI's executable; `run.js` installs them and says where. */
export function installed(cli: Installed): string {
  const path = pathOf(cli);
  if (path === undefined) throw new Error("these tests are started by: npm run test:engines");
  return path;
}

/** Whether a CLI was installed for this run. */
export function isInstalled(cli: Installed): boolean {
  return pathOf(cli) !== undefined;
}

function pathOf(cli: Installed): string | undefined {
  const json = process.env["WISP_TEST_CLIS"];
  return json === undefined ? undefined : Paths.parse(JSON.parse(json))[cli];
}

/** The name of its adapter. */
export function nameOf(cli: Installed): string {
  return cli.replace(/-old$/u, "");
}
