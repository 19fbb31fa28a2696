import type { EngineNeeds } from "../base/engine-needs.ts";
import type { CliProfile } from "./cli-profile.ts";
import type { LoginQuestion } from "./login-state.ts";
import type { McpClient } from "./mcp/mcp-client.ts";

/** A coding CLI that wisp drives itself, with everything that wisp knows about it. */
export interface CodingCli extends CliProfile {
  /** Its name on PATH. */
  readonly executable: string;
  /** The command line that installs it, for display. */
  readonly install: string;
  /** Variables each of which takes the place of a login; a `*` at the end matches any rest. The first holds a key. */
  readonly keys: readonly [string, ...string[]];
  /** How to ask it about its login; absent: only a turn shows whether it has one. */
  readonly loginQuestion?: LoginQuestion | undefined;
  readonly needs: EngineNeeds;
  readonly mcpClient: McpClient;
  /**
   * The paths in a repository from which it reads instructions and settings. Changes to them are shown to people,
   * because they control the users' own CLIs.
   */
  readonly instructions: readonly RegExp[];
  /**
   * Files with a project's instructions that it does not read by itself for other roles than the builder, because its
   * one switch for the settings of a project leaves them out, too. Absent: it reads all that it reads for the builder.
   */
  readonly unreadByOthers?: RegExp | undefined;
}
