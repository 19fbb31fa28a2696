import type { JudgeFold } from "../../session/state/fold-judge.ts";

/** Lists the open findings, one line each, so that a review can report them again under the same ids. */
export function describeOpen(own: JudgeFold): string {
  const lines = [...own.open].flatMap((id) => {
    const item = own.items.get(id);
    return item === undefined ? [] : [`- ${id}: ${item.file ?? ""} ${item.brief}`];
  });
  return lines.length === 0 ? "(none)" : lines.join("\n");
}
