import type { Oid } from "../../../base/oid.ts";
import { cleanText } from "../../../base/words/clean-text.ts";
import type { SessionState } from "../../../session/state/session-state.ts";
import { bareUrl } from "../../../git/remote/remotes.ts";
import { publishUnit } from "../../../work/publish-unit.ts";
import type { RoleContext } from "../../../work/role-context.ts";
import { titled } from "../revision-subjects.ts";
import { failureLine } from "../../../evidence/verify/failure-report.ts";
import { isAcceptable } from "../../../evidence/verify/verify-at.ts";

const SUBJECT_CHARS_MAX = 200;

/** The result of bringing the remote's commits into the session's branch. */
export type Joined =
  | { readonly kind: "joined"; readonly head: Oid }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "red"; readonly failure: string }
  | { readonly kind: "unfiltered"; readonly reason: string }
  | { readonly kind: "stopped" };

/**
 * Brings the remote's commits into the session's branch, where they are reviewed like a person's. If the remote's branch
 * contains ours, ours is fast-forwarded. Otherwise one merge commit joins both, and is published only if verify
 * is no worse on it than before. Nothing on the branch is rewritten.
 */
export async function joinRemoteBranch(
  context: RoleContext<"builder">,
  { builder }: SessionState,
  { unit, tip }: { readonly unit: string; readonly tip: Oid },
): Promise<Joined> {
  const { journal, session } = context;
  const clone = await context.clone();
  const message = titled(session, mergeSubject(session.publish.remote ?? "", session.branch));
  let paths: readonly string[] = [];
  let failure = "";
  const published = await publishUnit(context, {
    unit,
    clone,
    brought: tip,
    place: async () => {
      const joined = await clone.joinRemote(tip, message);
      if (!joined.ok && joined.failure.kind === "conflict") ({ paths } = joined.failure);
      return joined;
    },
    beforePublish: async (head, onto) => {
      if (head === tip) return undefined;
      const verdict = await isAcceptable(context, builder, {
        at: head,
        references: [session.base, onto],
        isLast: true,
      });
      if (verdict.kind === "no") failure = failureLine(verdict.red);
      if (verdict.kind === "unknown") failure = verdict.reason;
      return verdict.kind === "yes" ? undefined : verdict.kind;
    },
    intend: (shas) => {
      const intent = { unit, shas: [...shas], ticks: [], splits: [] };
      journal.append({ kind: "push.intent", time: journal.time(), ...intent });
    },
  });
  switch (published.kind) {
    case "published":
      return { kind: "joined", head: published.head };
    case "conflict":
      return { kind: "conflict", paths };
    case "refused":
      if (published.reason === "stopped") return { kind: "stopped" };
      return { kind: "red", failure: failure || published.reason };
    case "stopped":
    case "unfiltered":
      return published;
  }
}

/** The subject of the merge commit; the user and password of a URL are left out. */
function mergeSubject(remote: string, branch: string): string {
  const subject = `Merge branch '${branch}' of ${bareUrl(remote)}`;
  return cleanText(subject, { charsMax: SUBJECT_CHARS_MAX, lines: "one" });
}
