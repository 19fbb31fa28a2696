import { isSpent } from "../../session/state/builder-state.ts";
import type { Level } from "../../fs-protocol/records/finding.ts";
import { isStalemate } from "../../session/state/fold-judge.ts";
import { holdsUp } from "../../fs-protocol/home/policy.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { unjudgedFixes } from "../../session/steps/log-summaries.ts";

/** A finding or bug that is not closed. */
export interface OpenItem {
  readonly id: string;
  readonly kind: "finding" | "bug";
  readonly level: Level;
  readonly brief: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** Whether the session cannot complete while the item is open. */
  readonly isBlocking: boolean;
  readonly attempts: number;
  /**
   * `fixed`: the opener has not judged the fix yet. `spent`: all attempts are used up. `stalemate`: fix after fix
   * leaves the item's lines unchanged, and the opener does not accept it.
   */
  readonly state: "open" | "fixed" | "spent" | "stalemate";
}

/** The open items of the reviewer and the tester, blocking ones first. */
export function openItems(state: SessionState): readonly OpenItem[] {
  const items = [...itemsOf(state, "reviewer"), ...itemsOf(state, "tester")];
  return items.sort((one, other) => Number(other.isBlocking) - Number(one.isBlocking));
}

function itemsOf(state: SessionState, role: "reviewer" | "tester"): readonly OpenItem[] {
  const { builder, policy } = state;
  const awaiting = new Set(unjudgedFixes(state[role], role, builder).map(({ id }) => id));
  return [...state[role].open].flatMap((id) => {
    const finding = state[role].items.get(id);
    if (finding === undefined) return [];
    const { level, brief, file, line } = finding;
    const attempted = isStalemate(state[role], id, builder.reopens) ? "stalemate" : "open";
    const spent = isSpent(builder, id, policy) ? "spent" : attempted;
    const item: OpenItem = {
      id,
      kind: role === "reviewer" ? "finding" : "bug",
      level,
      brief,
      file,
      line,
      isBlocking: holdsUp(level, policy),
      attempts: builder.fixes.get(id)?.length ?? 0,
      state: awaiting.has(id) ? "fixed" : spent,
    };
    return [item];
  });
}

/** The location of something, as far as it is known. */
interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** The location as `src/api.ts:12`, as far as it is known; otherwise empty. */
export function fileAndLine({ file, line }: Place): string {
  if (file === undefined) return "";
  return line === undefined ? file : `${file}:${String(line)}`;
}

/** The location in parentheses, as a suffix. */
export function placeWords(item: Place): string {
  const place = fileAndLine(item);
  return place === "" ? "" : ` (${place})`;
}
