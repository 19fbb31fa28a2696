import { abbreviate, type Oid } from "../../base/oid.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import { verifyKey, type BuilderFold } from "../../session/state/builder-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { commandKey } from "../verify/command-key.ts";

interface Place extends Pick<RoleContext, "sandbox"> {
  readonly session: Pick<SessionJson, "base" | "parent" | "verify">;
}

/**
 * The network of the first look at a commit: the one that was decided at the session's base. A session whose base was
 * judged by an older wisp keeps the machine's.
 *
 * @returns undefined if the sandbox leaves no choice
 */
export function firstNetwork(
  { session, sandbox }: Place,
  { baseline, stage }: Pick<BuilderFold, "baseline" | "stage">,
  at: Oid,
): LookNetwork | undefined {
  if (sandbox?.givesLoopback !== true) return undefined;
  const isUndecided = baseline === undefined && stage.kind === "plan" && at === session.base;
  return isUndecided ? (session.parent?.network ?? "own") : (baseline?.network ?? "machine");
}

/** Says for people that verify was decided by a look with the machine's network, after one without it. */
export function networkWords({ base }: Pick<SessionJson, "base">, at: Oid): string {
  const what = `verify needs more than a loopback of its own at ${abbreviate(at)}: its run with the machine's network counts`;
  return at === base ? `${what}, and so it is for later commits` : what;
}

/**
 * The network of other runs at a tree, of old tests and of the commands of bugs: the one on which verify was decided
 * there, else at the session's base.
 *
 * @returns undefined if the sandbox leaves no choice
 */
export function networkAt(
  { session, sandbox }: Place,
  { baseline, verified }: Pick<BuilderFold, "baseline" | "verified">,
  tree: Oid,
): LookNetwork | undefined {
  if (sandbox?.givesLoopback !== true) return undefined;
  const known = verified.get(verifyKey(commandKey(session.verify), tree));
  return known?.network ?? baseline?.network ?? "machine";
}
