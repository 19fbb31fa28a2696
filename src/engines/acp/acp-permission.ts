import type { AcpTask } from "./acp-line.ts";
import { listAt, textAt } from "../events/json-value.ts";

/** Kinds of calls that are part of the work; others, such as fetching, are not allowed. */
const WORK = new Set(["read", "search", "think", "execute"]);
const EDITS = new Set(["edit", "delete", "move"]);

/**
 * The option that answers a request for permission; `undefined`: there is none that fits, which counts
 * as a refusal. Edits are allowed inside the working directory and the named ones.
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
  // Once only: what is allowed for good is a decision of a person.
  const wanted = isAllowed ? "allow_once" : "reject_once";
  const option = listAt(request, "options").find((one) => textAt(one, "kind") === wanted);
  return { isAllowed, optionId: textAt(option, "optionId") };
}

function isBelow(path: string, directory: string): boolean {
  const isPlain = !path.split("/").includes("..");
  return isPlain && (path === directory || path.startsWith(`${directory}/`));
}
