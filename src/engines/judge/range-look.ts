import type { Call, Calls } from "../events/calls.ts";
import type { TurnRequest } from "../engine.ts";

/** What a turn was to look at: a file with a diff, in its folder, and the ends of the range. */
export type RangeAsked = Pick<TurnRequest, "folder" | "startSha" | "endSha"> & {
  readonly range: string;
};

/** Why nobody can have looked at a range: what was tried, and came to nothing. */
export interface Unseen {
  /** Calls that read the range, each refused or failed; none: no tool was called at all. */
  readonly tried: readonly Call[];
}

/**
 * Whether the calls of a turn show that it cannot have seen its range: it called no tool, or each of
 * those that read the range was refused or failed. Who read other files instead is not judged. Undefined:
 * it has seen it, or that is not known. For engines that report every call, and a fresh conversation.
 */
export function whyUnseen({ list, isWhole }: Calls, asked: RangeAsked): Unseen | undefined {
  if (!isWhole) return undefined;
  if (list.length === 0) return { tried: [] };
  const reads = list.filter((call) => readsRange(call, asked));
  if (reads.some(({ end, hasDiff }) => end === "good" || end === "none" || hasDiff))
    return undefined;
  // A diff of other commits, such as those in between, may well be the range, piece by piece.
  if (list.some(({ input, end }) => end === "good" && GIT_DIFF.test(input))) return undefined;
  const tried = reads.filter((call) => call.end === "refused" || !isWithoutHit(call));
  return tried.length === 0 ? undefined : { tried };
}

/** What ends with an error, too, where it only found nothing, or a difference. */
const WITHOUT_HIT = /\b(?:grep|egrep|rg|ag|Grep|grep_search)\b|--exit-code|--quiet|--check\b/u;

function isWithoutHit({ tool, input }: Call): boolean {
  return WITHOUT_HIT.test(`${tool} ${input}`);
}

function readsRange({ input }: Call, { range, folder, startSha, endSha }: RangeAsked): boolean {
  // What was given is JSON.
  const given = input.replaceAll("\\/", "/");
  if (namesFile(given, range.slice(range.lastIndexOf("/") + 1))) return true;
  if (folder !== undefined && namesWhole(given, folder.replace(/\/+$/u, ""))) return true;
  return GIT_DIFF.test(given) && namesEnd(given, [startSha, endSha]);
}

/** A name of a file, and not the end or the begin of another one. */
function namesFile(given: string, name: string): boolean {
  return besides(given, name).some(
    ([before, after]) => !/[\w.-]$/u.test(before) && !/^(?:[\w-]|\.\w)/u.test(after),
  );
}

/** The folder, or whatever is in it; not one other file of it. */
function namesWhole(given: string, folder: string): boolean {
  return besides(given, folder).some(([, after]) => !/^(?:\/?[\w.-])/u.test(after));
}

/** What stands directly before and behind each place of a text. */
function besides(given: string, text: string): readonly (readonly [string, string])[] {
  const parts = given.split(text);
  return parts.slice(1).map((after, at) => [(parts[at] ?? "").slice(-2), after.slice(0, 2)]);
}

/** In one command: what stands before a separator belongs to another. */
const GIT_DIFF = /\bgit\b[^;|&\n]*?\b(?:diff|log|show|whatchanged|format-patch)\b/u;

/** One end of the range at least, cut off or not; in the clone `HEAD` is its end. */
function namesEnd(given: string, ends: readonly (string | undefined)[]): boolean {
  if (/\bHEAD\b/u.test(given)) return true;
  const ids = given.match(/\b[0-9a-f]{7,64}\b/gu) ?? [];
  return ends.some((end) => end !== undefined && ids.some((id) => end.startsWith(id)));
}
