import type { Oid } from "../../base/oid.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { judgedKey } from "../../session/state/fold-judge.ts";
import { placeOf, type SessionState } from "../../session/state/session-state.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";

/**
 * The texts of all findings and bugs whose fixes are in a range and were closed by their openers: such a fix
 * was judged one by one, and may have been about a test. Each is one text, like that of a task.
 *
 * @param isMeant which of them count
 */
export function askedByFixes(
  state: SessionState,
  { start, end }: { readonly start: Oid; readonly end: Oid },
  isMeant: (item: Finding) => boolean = () => true,
): readonly string[] {
  const { builder, branch } = state;
  const [first, last] = [placeOf(branch, start), placeOf(branch, end)];
  return [...builder.fixes.values()].flat().flatMap(({ id, attempt, outcome, sha }) => {
    const place = placeOf(branch, sha);
    const opener = state[openerOf(id)];
    const isClosed = opener.judged.get(judgedKey(id, attempt)) === "closed";
    if (outcome !== "fixed" || !isClosed || place <= first || place > last) return [];
    const item = opener.items.get(id);
    if (item === undefined || !isMeant(item)) return [];
    const { brief, issue, suggestion, file = "", command = "" } = item;
    return [[brief, issue, suggestion, file, command].join("\n")];
  });
}
