import { Oid } from "../../base/oid.ts";
import { encodeKeyPart } from "../tasks/milestone-name.ts";

/**
 * Keys of units: what makes doing a piece of work twice impossible (coordination, section 3). Names
 * are percent-encoded, so that a key holds neither spaces nor colons that are not its own.
 */
export const unitKey = {
  plan: (boundary: number, request: number, refusals: number, reopens: number | undefined) =>
    `plan:b${String(boundary)}:r${String(request)}` +
    (refusals > 0 ? `:again${String(refusals)}` : "") +
    again(reopens),
  /** Verify at the session's base, and what a person says of it. */
  base: (at: Oid) => `base:${at}`,
  /** A look at the user's remote: after so many that have ended. */
  remote: (ended: number) => `remote:${String(ended + 1)}`,
  build: (milestone: string, attempt: number) =>
    `build:${encodeKeyPart(milestone)}:${String(attempt)}`,
  /** Of a milestone after so many attempts at it, all of them counted. */
  hint: (milestone: string, attempts: number) =>
    `hint:${encodeKeyPart(milestone)}:${String(attempts)}`,
  /** Of one finding or bug, or of several findings that share the turn. */
  fix: (ids: readonly string[], attempt: number) =>
    `fix:${ids.join(BATCH_SEPARATOR)}:${String(attempt)}`,
  /** One commit, or consecutive ones of a person. */
  commits: (first: Oid, last: Oid, reopens: number | undefined) =>
    `commit:${first === last ? first : `${first}..${last}`}${again(reopens)}`,
  review: (milestone: string, end: Oid, reopens: number | undefined) =>
    `review:${encodeKeyPart(milestone)}:${end}${again(reopens)}`,
  verify: (id: string, sha: Oid, attempt: number) => `verify:${id}:${sha}:${String(attempt)}`,
  test: (milestone: string, end: Oid, reopens: number | undefined) =>
    `test:${encodeKeyPart(milestone)}:${end}${again(reopens)}`,
  final: (n: number) => `final:${String(n)}`,
};

/** Between the ids of findings that share a turn and a commit; no id holds it. */
export const BATCH_SEPARATOR = "+";

const COMMITS = /^commit:([0-9a-f]+)(?:\.\.([0-9a-f]+))?(?::re\d+)?$/u;

/** Whether a unit is a look at the user's remote: what it publishes is not wisp's own work. */
export function isRemoteUnit(unit: string): boolean {
  return unit.startsWith("remote:");
}

function again(reopens: number | undefined): string {
  return reopens === undefined ? "" : `:re${String(reopens)}`;
}

/** First and last commit of a `commit:` unit; `undefined` of any other key. */
export function commitsOf(unit: string): { readonly first: Oid; readonly last: Oid } | undefined {
  const [, one = "", other = one] = COMMITS.exec(unit) ?? [];
  const first = Oid.safeParse(one);
  const last = Oid.safeParse(other);
  return first.success && last.success ? { first: first.data, last: last.data } : undefined;
}
