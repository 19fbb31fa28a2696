import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { VerifyResult } from "../../session/state/builder-state.ts";
import { clip } from "../../work/clip.ts";
import type { Failures } from "./failing-tests.ts";
import { readFailures, readPassed } from "./read-failures.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail, type CommandsEnd } from "../../work/run-in-order.ts";
import { runVerify } from "./run-verify.ts";

/** The result of the verify commands at a commit. */
export type CommitVerified =
  | (Omit<VerifyResult, "setup"> & {
      readonly kind: "verified";
      /** Whether the result depends on the commit: that of a failed setup (the network is down) does not. */
      readonly isOfCommit: boolean;
      /** One line; undefined if verify passed. */
      readonly reason: string | undefined;
    })
  | { readonly kind: "stopped" };

/**
 * Runs the session's verify commands once, in a verify tree that holds nothing but the commit. The output, and
 * the reason for a failure, go to `logs/turns/<output>.out`; nothing is recorded.
 */
export async function verifyCommit(context: RoleContext, at: Oid): Promise<CommitVerified> {
  const time = new Date(context.ports.clock.nowMs()).toISOString();
  const output = `${time.replace(/[:.]/g, "-")}-verify-${abbreviate(at)}`;
  const used = await runVerify(context, { at, output });
  switch (used.kind) {
    case "stopped":
      return used;
    case "unready": {
      const { reason, stage, output: outputName = output } = used;
      const isOfCommit = stage === "build";
      // No test ran, so the output of the build names none.
      const tally = await readPassed(context, outputName);
      return red(context, { reason, output: outputName, failing: undefined, tally, isOfCommit });
    }
    case "done":
      return endOf(context, used.value, output);
  }
}

async function endOf(
  context: RoleContext,
  end: CommandsEnd,
  output: string,
): Promise<CommitVerified> {
  switch (end.kind) {
    case "stopped":
      return { kind: "stopped" };
    case "passed": {
      const tally = await readPassed(context, output);
      const passed = { outcome: "passed", failing: undefined, reason: undefined } as const;
      return { kind: "verified", ...passed, tally, output, isOfCommit: true };
    }
    case "failed": {
      const failures = await readFailures(context, output);
      return red(context, { reason: end.reason, output, ...failures, isOfCommit: true });
    }
  }
}

interface Red extends Failures {
  readonly reason: string;
  readonly output: string;
  readonly isOfCommit: boolean;
}

/**
 * Appends the reason to the output: a command that was missing or hung printed nothing, and the next prompt
 * shows only the output.
 */
function red({ ports, home }: RoleContext, { reason, output, ...more }: Red): CommitVerified {
  const line = clip(reason);
  need(ports.files.append(join(home.turns, `${output}.out`), Buffer.from(`${line}\n`)));
  return { kind: "verified", outcome: "failed", reason: line, output, ...more };
}

/** The end of a verify run's output, for a prompt or a person. */
export function outputTail(
  { home, ports }: Pick<RoleContext, "home" | "ports">,
  output: string | undefined,
): string {
  return output === undefined ? "" : cleanedTail(ports.files, join(home.turns, `${output}.out`));
}
