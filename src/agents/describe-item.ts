import type { Finding } from "../fs-protocol/finding.ts";

/** A finding or bug as a prompt shows it. */
export function describeItem(item: Finding): string {
  const place = item.file === undefined ? "" : `${item.file}${item.line ? `:${item.line}` : ""}`;
  const lines = [
    `${item.id} (${item.level}, ${item.category}): ${item.brief}`,
    place === "" ? "" : `File: ${place}`,
    `Issue: ${item.issue}`,
    `Suggestion: ${item.suggestion}`,
    item.command === undefined ? "" : `Command that shows it: ${item.command}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}
