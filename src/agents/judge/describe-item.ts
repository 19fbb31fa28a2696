import type { Finding } from "../../fs-protocol/records/finding.ts";

/** A finding or bug as a prompt shows it. */
export function describeItem(item: Finding): string {
  const place = item.file === undefined ? "" : `${item.file}${item.line ? `:${item.line}` : ""}`;
  const lines = [
    `${item.id} (${item.level}, ${item.category}): ${item.brief}`,
    place === "" ? "" : `File: ${place}`,
    `Issue: ${item.issue}`,
    `Suggestion: ${item.suggestion}`,
    item.command === undefined ? "" : `Command that shows it: ${item.command}`,
    item.output === undefined ? "" : `It printed:\n${indented(item.output)}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}

/** So that no line of a program's output is taken for a line of the prompt. */
function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
