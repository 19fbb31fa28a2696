import type { Clock } from "../../base/ports/clock.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Command, Processes } from "../../base/ports/processes.ts";
import type { Confine } from "../../base/ports/sandbox.ts";
import type { CliProfile } from "../cli-profile.ts";
import type { McpSetting } from "../mcp/mcp-server.ts";

/** What a coding CLI is run with, in all of its turns. */
export interface CliEngineOptions {
  readonly profile: CliProfile;
  /** The executable, and further arguments of the user. */
  readonly argv: Command["argv"];
  readonly model: string | undefined;
  /** Names of variables that it inherits beside those of its profile; a `*` at the end is any rest. */
  readonly variables: readonly string[];
  /** Ours; what the engine sees of it is chosen by name. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the CLI is to make the model keep to a schema, where it can and the turn has one. */
  readonly usesSchema: boolean;
  /** A turn whose output does not grow for so long is ended; counted from the begin of its output. */
  readonly idleTimeoutMs: number;
  /**
   * A turn that has no output so long after its start is ended. Absent: two minutes, or `idleTimeoutMs` where
   * that is longer.
   */
  readonly startTimeoutMs?: number | undefined;
  /** A directory of this engine's own: in it each run has one for its temporary files, gone when it ends. */
  readonly tmpDirectory: string;
  readonly processes: Processes;
  readonly files: Files;
  readonly directories: Directories;
  /** A path without any link in it; absent: paths are taken for real. */
  readonly realPath?: ((path: string) => string | undefined) | undefined;
  readonly clock: Clock;
  /** Absent: its turns are not confined. */
  readonly confine?: Confine | undefined;
  /** Paths that it should refuse to read by its own rules, where it has such. */
  readonly denied?: readonly string[] | undefined;
  readonly mcp?: readonly McpSetting[] | undefined;
}
