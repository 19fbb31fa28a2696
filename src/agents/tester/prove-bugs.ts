import { BUG_COMMANDS_PER_TURN_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { readBugCommand } from "./bug-command.ts";
import { commandPlaces } from "./command-places.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import {
  failureCounts,
  failuresBeyond,
  type FailureCounts,
} from "../../evidence/verify/failure-counts.ts";
import { redAtBase } from "../../evidence/verify/red-at-base.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { clip } from "../../work/clip.ts";
import { fitFindings } from "../judge/findings-for-record.ts";
import { commandTrees, whyInconclusive } from "./cannot-judge.ts";
import { runBugCommand, type BugRunEnd } from "./run-bug-command.ts";

/** The bugs that a turn reported, and the commit at which their commands have to show them. */
export interface Claims {
  readonly unit: string;
  readonly clone: Clone;
  readonly at: Oid;
  readonly bugs: readonly Finding[];
}

export type Proved =
  | {
      readonly kind: "proved";
      /** The bugs whose commands failed when wisp ran them, with the output. */
      readonly bugs: readonly Finding[];
      /** The refused bugs, one line each: the bug and the reason. */
      readonly refused: readonly string[];
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Accepts only bugs whose command fails when wisp runs it, and fails again when it is repeated. A bug is refused if its command passes, is not a
 * single command for any tree or proves nothing, or if everything that fails was red before the session began.
 */
export async function proveBugs(
  context: RoleContext<"tester">,
  state: SessionState,
  { unit, clone, at, bugs }: Claims,
): Promise<Proved> {
  if (bugs.length === 0) return { kind: "proved", bugs: [], refused: [] };
  const baseline = await redAtBase(context, state, at);
  const places = commandPlaces(context);
  const proved: Finding[] = [];
  const refused: string[] = [];
  for (const [index, bug] of bugs.entries()) {
    const command = readBugCommand(bug.command ?? "", places);
    if (!command.ok || index >= BUG_COMMANDS_PER_TURN_MAX) {
      refused.push(refusalOf(bug, command.ok ? TOO_MANY : command.failure.reason));
      continue;
    }
    const run = { unit, command: command.value, at };
    const ran = await runBugCommand(context, state.tester.ran, run);
    if (ran.kind !== "ran") return ran;
    const directories = commandTrees(context, clone);
    const why =
      refusalReason(ran, baseline) ??
      (await whyInconclusive(context, { command: command.value, directories, ran }));
    if (why === undefined) proved.push({ ...bug, output: ran.shown });
    else refused.push(refusalOf(bug, why));
  }
  return { kind: "proved", bugs: fitFindings(proved), refused };
}

const TOO_MANY = `it is beyond the ${String(BUG_COMMANDS_PER_TURN_MAX)} of one turn that are looked at`;

function refusalReason(
  { outcome, isUnsteady, failing, tally }: Extract<BugRunEnd, { kind: "ran" }>,
  baseline: FailureCounts,
): string | undefined {
  if (isUnsteady) return "its command failed in one run and passed in another at the same commit";
  if (outcome === "passed") return "its command passes";
  const counts = failureCounts({ failing, tally });
  const isOld = counts.size > 0 && failuresBeyond(counts, baseline).length === 0;
  return isOld ? `it was red before the session began: ${failing.join(", ")}` : undefined;
}

function refusalOf({ brief, file, line, command }: Finding, why: string): string {
  const place = line === undefined ? file : `${file ?? ""}:${String(line)}`;
  const at = place === undefined ? "" : ` at ${place}`;
  return clip(
    `refused a bug${at}, ${why}: ${brief}${command === undefined ? "" : ` (${command})`}`,
  );
}
