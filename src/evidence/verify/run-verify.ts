import { join } from "node:path";
import { TREE_FREE_BYTES_MIN } from "../../base/look-limits.ts";
import { namedForCommands } from "./command-environment.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { runInOrder, type CommandsEnd } from "../../work/run-in-order.ts";
import type { TreeEnd, WantedTree } from "../../work/verify-trees.ts";

/** How the verify commands ended in a tree, and what wisp measured meanwhile. */
export interface SuiteEnd {
  readonly end: CommandsEnd;
  /** Without setup and build. */
  readonly tookMs: number;
  /** Whether they failed and the tree's disk has no space left. */
  readonly isDiskFull: boolean;
}

/** A tree in which to run them. */
export interface SuiteWanted extends WantedTree {
  readonly output: string;
  /** Absent: the machine's, or the only one that the sandbox gives. */
  readonly network?: LookNetwork | undefined;
}

/**
 * Runs the session's verify commands in a verify tree until one fails. Their output goes to
 * `logs/turns/<output>.out`; nothing is recorded.
 */
export function runVerify(
  {
    session,
    home,
    ports,
    trees,
    signal,
    role,
  }: Pick<RoleContext, "session" | "home" | "ports" | "trees" | "signal" | "role">,
  wanted: SuiteWanted,
): Promise<TreeEnd<SuiteEnd>> {
  return trees.use(wanted, async ({ run, directory }) => {
    const beganMs = ports.clock.nowMs();
    const end = await runInOrder(run, {
      commands: session.verify,
      stage: "verify",
      outputPath: join(home.turns, `${wanted.output}.out`),
      timeoutMs: session.verifyTimeoutMs,
      envNames: namedForCommands(session, role),
      hasOwnLoopback: wanted.network === "own",
      files: ports.files,
      signal,
    });
    const tookMs = Math.max(0, ports.clock.nowMs() - beganMs);
    return { end, tookMs, isDiskFull: end.kind === "failed" && isFull(ports, directory) };
  });
}

/** Whether the disk of a tree has no space left. */
export function isFull(
  { directories }: Pick<RoleContext["ports"], "directories">,
  path: string,
): boolean {
  const space = directories.spaceAt(path);
  if (space === undefined) return false;
  return space.freeBytes < TREE_FREE_BYTES_MIN || space.freeFiles === 0;
}
