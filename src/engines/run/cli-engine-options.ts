import type { Clock } from "../../base/ports/clock.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Command, Processes } from "../../base/ports/processes.ts";
import type { Confine } from "../../base/ports/sandbox.ts";
import type { CliProfile } from "../cli-profile.ts";
import type { Checkout } from "./environment-in.ts";
import type { McpSetting } from "../mcp/mcp-server.ts";

/** The options with which a coding CLI runs in all of its turns. */
export interface CliEngineOptions {
  readonly profile: CliProfile;
  /** The executable, and further arguments from the user. */
  readonly argv: Command["argv"];
  readonly model: string | undefined;
  /** Names of variables that it inherits in addition to its profile's; a `*` at the end matches any rest. */
  readonly variables: readonly string[];
  /** wisp's own environment; the engine sees only a part of it, chosen by name. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the CLI should make the model follow a schema, if it can and the turn has one. */
  readonly usesSchema: boolean;
  /** A turn is ended if its output has not grown for this long; counted from its first output. */
  readonly idleTimeoutMs: number;
  /**
   * A turn is ended if it has no output this long after its start. If absent: two minutes, or `idleTimeoutMs` if
   * that is longer.
   */
  readonly startTimeoutMs?: number | undefined;
  /**
   * A turn is ended after so much silence if its CLI waits for a limit to end. If absent: a minute, up to which some
   * CLIs wait on purpose.
   */
  readonly limitTimeoutMs?: number | undefined;
  /**
   * This engine's directory for temporary files; each run has its own directory in it, which is removed at its end.
   */
  readonly tmpDirectory: string;
  readonly processes: Processes;
  readonly files: Files;
  readonly directories: Directories;
  /** Resolves all links in a path; if absent, paths are assumed to have none. */
  readonly realPath?: ((path: string) => string | undefined) | undefined;
  readonly clock: Clock;
  /** The person's checkout, of which its turns use nothing by their environment. Absent: there is none. */
  readonly checkout?: Checkout | undefined;
  /** If absent, its turns are not confined. */
  readonly confine?: Confine | undefined;
  /** Paths that it should refuse to read by its own rules, if it has any. */
  readonly denied?: readonly string[] | undefined;
  readonly mcp?: readonly McpSetting[] | undefined;
}
