import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { BuilderFold, FixAttempt } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { pathIn, type TurnFile, type TurnFolder } from "../../work/turn/turn-folder.ts";
import { commandKey } from "../../evidence/verify/command-key.ts";
import { failureReport } from "../../evidence/verify/failure-report.ts";
import {
  redFile,
  redOutput,
  VERIFY_FILE,
  type RedResult,
} from "../../evidence/verify/red-output.ts";

// What a builder's prompt says of a red verify: what failed, and a copy of the whole output in the turn's folder.

type Place = Pick<RoleContext, "home" | "ports" | "session">;

/** The output of a red verify for the folder of a turn; none if there was no such verify, or its output is gone. */
export function redFiles(context: Place, red: RedResult | undefined): readonly TurnFile[] {
  if (red?.output === undefined) return [];
  const file = redFile(context, red.output);
  return file.bytes.length === 0 ? [] : [file];
}

/** What failed in that verify; "" if its output is not in the folder. */
export function redReport(
  context: Place,
  { baseline }: Pick<BuilderFold, "baseline">,
  { red, folder }: { readonly red: RedResult | undefined; readonly folder: TurnFolder },
): string {
  const path = pathIn(folder, VERIFY_FILE);
  if (path === "" || red === undefined) return "";
  return failureReport(redOutput(context, red, baseline?.failing), path);
}

/** The newest red verify of a milestone. */
export function redOfBuild(
  { reds, verified }: Pick<BuilderFold, "reds" | "verified">,
  milestone: string,
): RedResult | undefined {
  return recorded(verified, reds.get(milestone)?.output);
}

/** A red verify of the builder's with the names that are on record for it. */
function recorded(
  verified: BuilderFold["verified"],
  output: string | undefined,
): RedResult | undefined {
  if (output === undefined) return undefined;
  const known = [...verified.values()].findLast((one) => one.output === output);
  return { output, failing: known?.failing };
}

/** Why the attempts before one at a milestone did not count: a red verify is told whatever came after it. */
export function buildTroubles(
  { troubles, reds }: Pick<BuilderFold, "troubles" | "reds">,
  milestone: string,
  report: string,
): readonly string[] {
  const trouble = troubles.get(milestone);
  const isRed = trouble?.outcome === "unverified";
  const reason = isRed && report !== "" ? "the verify command is worse with it." : trouble?.reason;
  const last =
    trouble === undefined
      ? ""
      : `The attempt before this one did not count (${trouble.outcome}): ${reason ?? ""}`;
  if (isRed) return [last, report];
  const seen = report === "" ? (reds.get(milestone)?.reason ?? "") : report;
  return [
    seen === "" ? "" : `When verify last ran for this milestone, it was worse:\n\n${seen}`,
    last,
  ];
}

/** The newest red verify with a fix of one of these items; for the bug that verify is red, that of its tester. */
export function redOfFix(
  session: Pick<SessionJson, "verify">,
  { builder, tester }: Pick<SessionState, "builder" | "tester">,
  findings: readonly Finding[],
): RedResult | undefined {
  const newest = newestRed(builder, findings);
  const isOfVerify = findings.some(({ computed }) => computed?.of === "verify");
  if (newest?.isLast === true || !isOfVerify) return recorded(builder.verified, newest?.output);
  const key = commandKey(session.verify);
  const [, ran] =
    [...tester.ran].findLast(
      ([known, { outcome }]) =>
        known.startsWith(`${key} `) && known.endsWith(" -") && outcome === "failed",
    ) ?? [];
  return ran ?? recorded(builder.verified, newest?.output);
}

/** The newest attempt with which verify was worse, and whether it is the last one. */
function newestRed(
  { fixes }: Pick<BuilderFold, "fixes">,
  findings: readonly Finding[],
): (FixAttempt & { readonly isLast: boolean }) | undefined {
  const lists = findings.map(({ id }) => sinceFixed(fixes.get(id) ?? []));
  const list = lists.find((attempts) => attempts.some(({ output }) => output !== undefined));
  const red = list?.findLast(({ output }) => output !== undefined);
  return red && { ...red, isLast: red === list?.at(-1) };
}

/** The attempts after the last one that was published: with that one, verify was no worse. */
function sinceFixed(attempts: readonly FixAttempt[]): readonly FixAttempt[] {
  return attempts.slice(attempts.findLastIndex(({ outcome }) => outcome === "fixed") + 1);
}

/** What the report of a red verify is about, in a fix prompt; "" if there is none. */
export function fixReport(report: string): string {
  return report === ""
    ? ""
    : `When verify last ran with a fix of this, or on the finished branch, it was worse:\n\n${report}`;
}
