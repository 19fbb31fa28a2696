import { abbreviate, type Oid } from "../base/oid.ts";
import type { FilterDrivers, UnfilteredPath } from "../base/ports/filters.ts";
import type { Clone, GitFailure, Hub } from "../base/ports/repo.ts";
import { ok, type Result } from "../base/result.ts";
import { cleanText } from "../base/words/clean-text.ts";
import { shown } from "../base/words/shown.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import { isFilterShown } from "../sandbox/clean-git-config.ts";

/** What decides which filters agents have. */
export type FilterSession = Pick<SessionJson, "filters" | "sandbox">;

/**
 * The filters that git runs in the person's checkout, now or when the session began, and that agents do not have; without
 * those that the person named in their own settings. A filter that nothing defines is none: git ignores it there, too.
 */
export function withheldFilters(
  { filters = { defined: [], allowed: [] }, sandbox }: FilterSession,
  drivers: FilterDrivers,
): readonly string[] {
  const kind = sandbox?.kind ?? "none";
  // An image has a git configuration of its own.
  const there = kind === "container" ? drivers.ofPerson : drivers.ofMachine;
  const isCleaned = kind === "container" || kind === "bubblewrap";
  const available = there.filter((name) => !isCleaned || isFilterShown(name));
  const all = new Set([...filters.defined, ...drivers.defined]);
  return [...all].filter((name) => !available.includes(name) && !filters.allowed.includes(name));
}

/** The commits that a role is about to publish. */
export interface AboutToPublish {
  readonly hub: Hub;
  readonly session: FilterSession & Pick<SessionJson, "base">;
  readonly clone: Clone;
  readonly onto: Oid;
  readonly head: Oid;
  /** The tip of a remote's branch that they join. */
  readonly brought?: Oid | undefined;
}

/** Files that would be published without their filter, for people and agents. */
export interface Unfiltered {
  /** Why nothing was published, as one line. */
  readonly reason: string;
  /** The question of the last attempt. */
  readonly question: string;
}

/**
 * What would be published without a filter that agents do not have, such as secrets in the clear; undefined if nothing
 * would. Where nothing defines such a filter, no process is started.
 */
export async function findUnfiltered(
  about: AboutToPublish,
): Promise<Result<Unfiltered | undefined, GitFailure>> {
  const { hub, session, clone, onto, head, brought } = about;
  if (hub.filters === undefined) return ok(undefined);
  const isAny = (session.filters?.defined.length ?? 0) > 0;
  const drivers = await hub.filters(isAny);
  if (!drivers.ok) return drivers;
  const withheld = withheldFilters(session, drivers.value);
  if (withheld.length === 0) return ok(undefined);
  const range = { base: session.base, onto, head, brought };
  const found = await clone.unfiltered(range, withheld);
  if (!found.ok) return found;
  return ok(found.value.length === 0 ? undefined : unfilteredWords(found.value));
}

/** Limits of what is named. */
const PATHS_SHOWN_MAX = 5;
const PATH_CHARS_MAX = 120;

/** The words about such files. */
function unfilteredWords(paths: readonly UnfilteredPath[]): Unfiltered {
  const named = paths.slice(0, PATHS_SHOWN_MAX).map(wordsOf);
  const more = paths.length - named.length;
  const list = named.join(", ") + (more > 0 ? ` and ${String(more)} more` : "");
  return {
    reason: `${UNFILTERED}: ${list}. It would be published as it is. Leave such files as they are, and out of every commit`,
    question: `Nothing was published: ${UNFILTERED}: ${list}. Such files are yours: commit them in your own checkout, or say what to do instead. To let agents publish them as they are, name the filter as \`filters\` in ~/.config/wisp/config.yaml and start a new session.`,
  };
}

const UNFILTERED = "git is to run a filter that agents do not have on what was committed";

/** The note for the prompt of the next attempt; "" if the last one failed for another reason. */
export function unfilteredPrompt(lastFailure: string | undefined): string {
  if (lastFailure?.startsWith(UNFILTERED) !== true) return "";
  return `What your last turn left was refused, and is not there any more: ${lastFailure}`;
}

function wordsOf({ path, filter, commit }: UnfilteredPath): string {
  const name = cleanText(path, { charsMax: PATH_CHARS_MAX, lines: "one" });
  return `${name} (filter ${shown(filter)}, in ${abbreviate(commit)})`;
}
