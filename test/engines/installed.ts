import { z } from "zod";

/** The CLIs that the tests really run; `claude-old` reports cost in another way. */
export const CLIS = ["claude", "codex", "copilot", "gemini", "opencode"] as const;
export type Installed = (typeof CLIS)[number] | "claude-old";

const Paths = z.record(z.string(), z.string());

/** Absolute path of a CLI's executable; `run.js` installs them and says where. */
export function installed(cli: Installed): string {
  const json = process.env["WISP_TEST_CLIS"];
  const path = json === undefined ? undefined : Paths.parse(JSON.parse(json))[cli];
  if (path === undefined) throw new Error("these tests are started by: npm run test:engines");
  return path;
}

/** The name of its adapter. */
export function nameOf(cli: Installed): string {
  return cli.replace(/-old$/u, "");
}
