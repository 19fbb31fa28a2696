import type { Finding } from "../../fs-protocol/records/finding.ts";
import { judgedKey } from "../../session/state/fold-judge.ts";
import { holdsUp } from "../../fs-protocol/home/policy.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { openItems, type OpenItem } from "../status/open-items.ts";

/** One attempt of the builder at an item, and the verdict of the role that opened the item. */
export interface FixView {
  readonly attempt: number;
  /** `nochange`: the builder claims that no change is needed. */
  readonly outcome: "fixed" | "failed" | "nochange";
  readonly sha: string | undefined;
  readonly reason: string | undefined;
  /** Undefined until the opener has judged the fix, and for attempts that failed. */
  readonly verdict: "closed" | "reopened" | "gaveup" | undefined;
}

/** A finding or bug, open or not, with everything on record about it. */
export interface FindingView extends Finding {
  readonly kind: "finding" | "bug";
  /** See `OpenItem`. */
  readonly state: OpenItem["state"] | "closed" | "dismissed";
  readonly isOpen: boolean;
  /** Whether the session cannot complete while the item is open. */
  readonly isBlocking: boolean;
  readonly fixes: readonly FixView[];
  /** Why the opener refused the last refused fix, in the opener's words. */
  readonly refusal: string | undefined;
  /** Why a person dismissed the item. */
  readonly dismissal: string | undefined;
}

/** All findings and bugs of a session, open ones first, and blocking ones first among those. */
export function findingsView(state: SessionState): readonly FindingView[] {
  const open = openItems(state);
  const views = [...viewsOf(state, "reviewer", open), ...viewsOf(state, "tester", open)];
  return views.sort(
    (one, other) =>
      Number(other.isOpen) - Number(one.isOpen) ||
      Number(other.isBlocking) - Number(one.isBlocking),
  );
}

function viewsOf(
  state: SessionState,
  role: "reviewer" | "tester",
  open: readonly OpenItem[],
): readonly FindingView[] {
  const { items, dismissed, refusals } = state[role];
  return [...items.values()].map((finding) => {
    const openItem = open.find(({ id }) => id === finding.id);
    return {
      ...finding,
      kind: role === "reviewer" ? "finding" : "bug",
      state: openItem?.state ?? (dismissed.has(finding.id) ? "dismissed" : "closed"),
      isOpen: openItem !== undefined,
      isBlocking: holdsUp(finding.level, state.policy),
      fixes: fixesOf(state, role, finding.id),
      refusal: refusals.get(finding.id),
      dismissal: dismissed.has(finding.id) ? reasonFor(state, finding.id) : undefined,
    };
  });
}

function reasonFor({ human }: SessionState, id: string): string | undefined {
  const dismissal = human.items.find((item) => item.kind === "dismiss" && item.id === id);
  return dismissal?.kind === "dismiss" ? dismissal.why : undefined;
}

function fixesOf(
  { builder, ...state }: SessionState,
  role: "reviewer" | "tester",
  id: string,
): readonly FixView[] {
  return (builder.fixes.get(id) ?? []).map(({ attempt, outcome, sha, reason }) => ({
    attempt,
    outcome,
    sha,
    reason,
    verdict: state[role].judged.get(judgedKey(id, attempt)),
  }));
}
