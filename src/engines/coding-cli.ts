import type { EngineNeeds } from "../base/engine-needs.ts";
import type { CliProfile } from "./cli-profile.ts";
import type { McpClient } from "./mcp/mcp-client.ts";

/** One coding CLI that wisp drives itself: everything that wisp knows of it. */
export interface CodingCli extends CliProfile {
  /** By its name on PATH. */
  readonly executable: string;
  /** How it is installed, as a command line for people. */
  readonly install: string;
  readonly needs: EngineNeeds;
  readonly mcpClient: McpClient;
  /**
   * Paths in a repository from which it takes instructions and settings: a change of them is shown to people, since
   * it says what their own CLI does.
   */
  readonly instructions: readonly RegExp[];
}
