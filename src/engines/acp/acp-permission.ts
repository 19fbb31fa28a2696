import type { AcpTask } from "./acp-line.ts";
import { listAt, textAt } from "../events/json-value.ts";

/** The kinds of calls that are part of the work; others, such as fetching, are not allowed. */
const WORK = new Set(["read", "search", "think", "execute"]);
const EDITS = new Set(["edit", "delete", "move"]);

/**
 * Chooses the option that answers a permission request; `undefined` if none fits, which counts as a refusal. Edits
 * are allowed inside the working directory and the task's directories.
 */
export function permissionOption(
  request: { readonly toolCall: unknown; readonly options: unknown },
  task: Pick<AcpTask, "edits" | "directories">,
  cwd: string,
): { readonly isAllowed: boolean; readonly optionId: string | undefined } {
  const kind = textAt(request.toolCall, "kind") ?? "other";
  const places = listAt(request.toolCall, "locations").flatMap((at) => textAt(at, "path") ?? []);
  const isInside = places.every((path) =>
    [cwd, ...task.directories].some((directory) => isBelow(path, directory)),
  );
  const isAllowed = WORK.has(kind) || (EDITS.has(kind) && task.edits && isInside);
  // Never "always": only a person may grant a permission permanently.
  const wanted = isAllowed ? "allow_once" : "reject_once";
  const option = listAt(request, "options").find((one) => textAt(one, "kind") === wanted);
  return { isAllowed, optionId: textAt(option, "optionId") };
}

function isBelow(path: string, directory: string): boolean {
  const isPlain = !path.split("/").includes("..");
  return isPlain && (path === directory || path.startsWith(`${directory}/`));
}
