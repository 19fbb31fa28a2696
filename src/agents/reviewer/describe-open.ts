import type { JudgeFold } from "../../session/state/fold-judge.ts";

/** The findings that are open, one line each, so that a review names them again by their ids. */
export function describeOpen(own: JudgeFold): string {
  const lines = [...own.open].flatMap((id) => {
    const item = own.items.get(id);
    return item === undefined ? [] : [`- ${id}: ${item.file ?? ""} ${item.brief}`];
  });
  return lines.length === 0 ? "(none)" : lines.join("\n");
}
