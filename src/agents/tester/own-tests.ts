import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, Clone } from "../../base/ports/repo.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { isOwn, type BugOrigin } from "../../session/state/own-commits.ts";
import { placeOf, previousOf, type SessionState } from "../../session/state/session-state.ts";
import type { OldTests } from "../../work/verify-trees.ts";

/** The tests that came with a bug, and the commit after which others may have replaced them. */
interface Brought {
  readonly from: Oid;
  readonly paths: readonly string[];
  readonly since: Oid;
}

/**
 * The tests that came with a bug, where they differ at a commit, as the tester or a person left them last: a fix may
 * neither leave them out nor bend them, and a test that was wrong is replaced by one of these two. Tests that both are
 * in one commit are in one entry.
 */
export async function ownTestsOf(
  clone: Clone,
  state: SessionState,
  item: Finding,
  at: Oid,
): Promise<readonly OldTests[]> {
  const brought = await broughtWith(clone, state, item);
  if (brought === undefined) return [];
  const versions = await versionsOf(clone, state, brought, at);
  const byCommit = new Map<Oid, string[]>();
  for (const [path, from] of versions) {
    if (need(await clone.show(from, path)) === need(await clone.show(at, path))) continue;
    byCommit.set(from, [...(byCommit.get(from) ?? []), path]);
  }
  return [...byCommit].map(([from, paths]) => ({ from, paths, commands: new Map() }));
}

/** Undefined if the bug came without tests, or if they are gone: a person has removed what kept them. */
async function broughtWith(
  clone: Clone,
  { tester, branch }: SessionState,
  item: Finding,
): Promise<Brought | undefined> {
  const origin: BugOrigin | undefined = tester.origins.get(item.id);
  if (item.tests !== undefined) {
    const saved = need(await clone.saved(item.tests));
    return saved && { from: saved.commit, paths: saved.paths, since: origin?.at ?? branch.base };
  }
  const [first] = origin?.commits ?? [];
  if (first === undefined || placeOf(branch, first) === 0) return undefined;
  const last = present(origin?.commits.at(-1), "a list with a first commit has a last");
  const changed = need(await clone.changedPaths(previousOf(branch, first), last));
  const paths = changed.filter((each) => !isDeleted(each)).map(({ path }) => path);
  return { from: last, paths, since: last };
}

function isDeleted({ status }: ChangedPath): boolean {
  return status === "deleted";
}

/** The commit of the newest version of each test that the builder did not make; without those that were removed. */
async function versionsOf(
  clone: Clone,
  { branch, builder }: SessionState,
  { from, paths, since }: Brought,
  at: Oid,
): Promise<ReadonlyMap<string, Oid>> {
  const versions = new Map(paths.map((path) => [path, from]));
  const later = branch.commits.slice(placeOf(branch, since), placeOf(branch, at));
  for (const sha of later.filter((one) => !isOwn(builder.own, one))) {
    const changed = need(await clone.changedPaths(previousOf(branch, sha), sha));
    const touched = changed.filter(({ path }) => paths.includes(path));
    for (const { path } of touched) versions.set(path, sha);
    for (const { path } of touched.filter(isDeleted)) versions.delete(path);
  }
  return versions;
}
