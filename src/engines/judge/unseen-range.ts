import type { Call, Calls } from "../events/calls.ts";
import type { TurnRequest } from "../engine.ts";

/** The range that a turn had to read: a file with the diff, in its folder, and the ends of the range. */
export type RangeAsked = Pick<TurnRequest, "folder" | "startSha" | "endSha"> & {
  readonly range: string;
};

/** Evidence that a turn did not see its range: what it tried in vain. */
export interface Unseen {
  /** The calls that tried to read the range, each refused or failed; empty if no tool was called at all. */
  readonly tried: readonly Call[];
}

/**
 * Whether the calls of a turn prove that it cannot have seen its range: it called no tool, or each call that read
 * the range was refused or failed. A turn that read other files instead is not judged. `undefined` if it saw the
 * range or this is unknown. Only for engines that report every call, and for new conversations.
 */
export function whyUnseen({ list, isWhole }: Calls, asked: RangeAsked): Unseen | undefined {
  if (!isWhole) return undefined;
  if (list.length === 0) return { tried: [] };
  const reads = list.filter((call) => readsRange(call, asked));
  if (reads.some(({ end, hasDiff }) => end === "good" || end === "none" || hasDiff))
    return undefined;
  // A diff of other commits, such as those in between, may show the range piece by piece.
  if (list.some(({ input, end }) => end === "good" && GIT_DIFF.test(input))) return undefined;
  const tried = reads.filter((call) => call.end === "refused" || !isWithoutHit(call));
  return tried.length === 0 ? undefined : { tried };
}

/** Commands that also exit with an error when they merely found nothing, or a difference. */
const WITHOUT_HIT = /\b(?:grep|egrep|rg|ag|Grep|grep_search)\b|--exit-code|--quiet|--check\b/u;

function isWithoutHit({ tool, input }: Call): boolean {
  return WITHOUT_HIT.test(`${tool} ${input}`);
}

function readsRange({ input }: Call, { range, folder, startSha, endSha }: RangeAsked): boolean {
  // The input is JSON, in which slashes may be escaped.
  const given = input.replaceAll("\\/", "/");
  if (namesFile(given, range.slice(range.lastIndexOf("/") + 1))) return true;
  if (folder !== undefined && namesWhole(given, folder.replace(/\/+$/u, ""))) return true;
  return GIT_DIFF.test(given) && namesEnd(given, [startSha, endSha]);
}

/** Whether a text contains a file's name, and not as a part of a longer name. */
function namesFile(given: string, name: string): boolean {
  return besides(given, name).some(
    ([before, after]) => !/[\w.-]$/u.test(before) && !/^(?:[\w-]|\.\w)/u.test(after),
  );
}

/** Whether a text names the folder itself or everything in it, but not one other file in it. */
function namesWhole(given: string, folder: string): boolean {
  return besides(given, folder).some(([, after]) => !/^(?:\/?[\w.-])/u.test(after));
}

/** The characters directly before and after each occurrence of a text. */
function besides(given: string, text: string): readonly (readonly [string, string])[] {
  const parts = given.split(text);
  return parts.slice(1).map((after, at) => [(parts[at] ?? "").slice(-2), after.slice(0, 2)]);
}

/** Within one command: a separator before the words starts another command. */
const GIT_DIFF = /\bgit\b[^;|&\n]*?\b(?:diff|log|show|whatchanged|format-patch)\b/u;

/** Whether a text names one end of the range, abbreviated or not; in the clone, `HEAD` is the range's end. */
function namesEnd(given: string, ends: readonly (string | undefined)[]): boolean {
  if (/\bHEAD\b/u.test(given)) return true;
  const ids = given.match(/\b[0-9a-f]{7,64}\b/gu) ?? [];
  return ends.some((end) => end !== undefined && ids.some((id) => end.startsWith(id)));
}
