import type { Oid } from "../../base/oid.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { itemsNamedIn } from "./item-story.ts";
import { milestoneNames, type KnownSession } from "./known-session.ts";

/** What a word names in the records of a session. */
export interface NamedThings {
  /** Ids of findings and bugs. */
  readonly items: readonly string[];
  readonly milestones: readonly string[];
  readonly commits: readonly Oid[];
}

/** The beginning of an id has at least its prefix and one digit. */
const ITEM = /^[a-z][a-z0-9]*-[0-9a-f]+$/iu;
/** As `Oid`, which is too slow for every field of a long log. */
const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
/** The beginning of a commit's id, as git accepts it. */
const COMMIT = /^[0-9a-f]{4,64}$/iu;

/**
 * What a word names: an id or its beginning, or the name of a milestone, in capitals or not. What is written exactly so
 * comes before what only begins so.
 */
export function namedInSession(known: KnownSession, word: string): NamedThings {
  return {
    items: ITEM.test(word) ? beginning([...itemsNamedIn(known).keys()], word) : [],
    milestones: exactFirst(milestoneNames(known), word, (name) => lower(name) === lower(word)),
    commits: COMMIT.test(word) ? beginning([...commitsNamedIn(known)], word) : [],
  };
}

function beginning(all: readonly string[], word: string): readonly string[] {
  return exactFirst(all, word, (one) => lower(one).startsWith(lower(word)));
}

/** Only what is written exactly like the word, in capitals or not, if there is anything. */
function exactFirst(
  all: readonly string[],
  word: string,
  isLike: (one: string) => boolean,
): readonly string[] {
  if (all.includes(word)) return [word];
  const same = all.filter((one) => lower(one) === lower(word));
  return same.length > 0 ? same : all.filter(isLike);
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** Every commit that a record names as a field or in a list. */
export function commitsNamedIn({ records }: KnownSession): ReadonlySet<Oid> {
  return new Set(records.flatMap(({ record }) => commitsIn(record)));
}

/** Fields with hashes of other things. */
const NOT_COMMITS: ReadonlySet<string> = new Set([
  "base",
  "tree",
  "plan",
  "sha256",
  "command",
  "setup",
]);

function commitsIn(record: LogRecord["record"]): readonly Oid[] {
  const ranges = record.kind === "build.end" ? record.milestones : [];
  const fields = Object.entries(record).flatMap(([name, value]): readonly unknown[] => {
    if (NOT_COMMITS.has(name)) return [];
    return Array.isArray(value) ? value : [value];
  });
  const all = [...fields, ...ranges.flatMap(({ start, end }) => [start, end])];
  return all.filter((value): value is Oid => typeof value === "string" && OID.test(value));
}
