import { basename, dirname, join } from "node:path";
import type { AcpCall } from "./acp-calls.ts";
import { listAt, textAt } from "../events/json-value.ts";

/** The kinds of calls that are part of the work; others, such as fetching, are not allowed. */
const WORK = new Set(["read", "search", "think", "execute"]);
const EDITS = new Set(["edit", "delete", "move"]);

/** What a turn may touch. */
export interface AcpReach {
  /** Whether it may edit at all. */
  readonly edits: boolean;
  /** Absolute paths of the directories in which it may edit, read and run. */
  readonly writable: readonly string[];
  /** Further ones in which it may only read and run. */
  readonly readable: readonly string[];
}

/** What is at a path: its path with all links resolved, `none`, or `unclear`, such as a link that leads nowhere. */
export type RealPlace = (path: string) => { readonly path: string } | "none" | "unclear";

/**
 * Chooses the option that answers a permission request; without an `optionId` none fits, which counts as a refusal.
 * A call is allowed if all that it touches may be touched in that way; one of an unknown kind is not.
 */
export function permissionOption(
  { call, options }: { readonly call: AcpCall; readonly options: unknown },
  reach: AcpReach,
  realPlace: RealPlace,
): { readonly isAllowed: boolean; readonly optionId: string | undefined } {
  const kinds = [...call.kinds];
  const isEdit = kinds.some((kind) => EDITS.has(kind));
  const isKnown = kinds.length > 0 && kinds.every((kind) => WORK.has(kind) || EDITS.has(kind));
  const directories = isEdit ? reach.writable : [...reach.writable, ...reach.readable];
  const real = directories.flatMap((directory) => realOf(directory, realPlace) ?? []);
  const isInside = [...call.places].every((path) => {
    if (path === "/dev/null") return true;
    const at = realOf(path, realPlace);
    return at !== undefined && real.some((directory) => isBelow(at, directory));
  });
  const isAllowed = isKnown && isInside && (!isEdit || reach.edits);
  // Never "always": only a person may grant a permission permanently.
  const wanted = isAllowed ? "allow_once" : "reject_once";
  const option = listAt(options).find((one) => textAt(one, "kind") === wanted);
  return { isAllowed, optionId: textAt(option, "optionId") };
}

/** Where a path leads if links are followed; what does not exist yet is where its folder is. */
function realOf(path: string, realPlace: RealPlace): string | undefined {
  // Above a folder that does not exist, `..` leads elsewhere than it says.
  if (!path.startsWith("/") || path.split("/").includes("..")) return undefined;
  const names: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const found = realPlace(at);
    if (found === "unclear") return undefined;
    if (found !== "none") return join(found.path, ...names);
    if (at === "/") return undefined;
    names.unshift(basename(at));
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
