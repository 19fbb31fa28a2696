import type { Oid } from "../../base/oid.ts";
import type { GitFailure, Hub } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { type Git, userGit } from "../command/git.ts";
import { assertOids, printedOids } from "../command/object-ids.ts";
import { readHistory } from "../command/read-commit.ts";
import { askForRef, readRef } from "../command/read-ref.ts";
import { entriesOf, linesOf } from "../command/raw-output.ts";
import { filterReader, type FilterReader } from "./filter-drivers.ts";
import { askCheckedOut, checkedOutAt } from "./branches.ts";
import { type CopiesOfCommit, readProject } from "./read-project.ts";
import { runsLfs } from "../lfs/runs-lfs.ts";
import {
  type CommittedPointer,
  type StayingPointers,
  stayingPointers,
} from "../lfs/staying-pointers.ts";

/** How many ranges are remembered: one per base, and a role needs one or two. */
const RANGES_MAX = 16;

/** The hub, as the clones of this process use it. */
export interface HubRepo extends Hub {
  /** These are always there, unlike in the port. */
  project: NonNullable<Hub["project"]>;
  filters: FilterReader;
  /** Records commits, oldest first, that were published on top of `from`, so that git need not list them. */
  grew(from: Oid, commits: readonly Oid[]): void;
  /** What clones take from the user's settings. git is asked once. */
  cloneSettings(): Promise<HubSettings>;
}

/** Settings of the user's that are asked of git, as it reads them in the repository. */
export interface HubSettings {
  /** A global ignore file, as a path; `undefined` if none is set. */
  readonly excludesFile: string | undefined;
  /** Whether files under Git LFS go through git-lfs when they are added, as `git lfs install` sets it. */
  readonly hasLfs: boolean;
  /** `lfs.storage`; `undefined` if it is not set. */
  readonly lfsStorage: string | undefined;
}

/**
 * Opens the user's repository; `directory` is the top of the work tree in which wisp was called.
 *
 * @param mirrored the ref at which the session's branch is as it is elsewhere; the branch here may wait behind it
 */
export function openHub(context: GitContext, directory: string, mirrored?: string): HubRepo {
  const git = userGit(context, directory);
  const located = locateGitDirectory(context.files, directory);
  const ranges = new Map<Oid, KnownRange>();
  const filters = filterReader(git, { files: context.files, located });
  let settings: Promise<HubSettings> | undefined;
  const source: RangeSource = {
    git,
    read: (range) => located && readHistory(context.files, located, range),
  };
  const hub: HubRepo = {
    directory,
    head: async (branch) => {
      for (const ref of [mirrored, `refs/heads/${branch}`]) {
        const read = ref && located ? readRef(context.files, located, ref) : undefined;
        if (read?.kind === "found") return read.oid;
        const asked = ref && read?.kind !== "absent" ? await askForRef(git, ref) : undefined;
        if (asked !== undefined) return asked;
      }
      return undefined;
    },
    heldAt: (branch) => heldAt(context, { git, located, called: directory }, branch),
    commits: async (base, head, seen) => {
      if (seen !== undefined && seen !== head && !ranges.has(base)) {
        // If this fails, `seen` is gone because the branch was rewritten, and the order no longer matters.
        const first = await listRange(source, { base, head: seen, known: undefined });
        if (first.ok) remember(ranges, base, { head: seen, commits: first.value });
      }
      const known = ranges.get(base);
      const listed = await listRange(source, { base, head, known });
      // A request for a part of the known range must not replace it.
      const isLess = known?.commits.includes(head) === true;
      if (listed.ok && !isLess) remember(ranges, base, { head, commits: listed.value });
      return listed;
    },
    project: (at, isWanted) => readProject(git, at, isWanted, copiesFrom(context, hub)),
    filters,
    cloneSettings: () => {
      settings ??= git.ask(SETTINGS).then(settingsIn);
      return settings;
    },
    grew: (from, commits) => {
      const head = commits.at(-1);
      const grown = [...ranges].filter(([, known]) => known.head === from);
      if (head === undefined) return;
      for (const [base, known] of grown) {
        ranges.set(base, { head, commits: [...known.commits, ...commits] });
      }
    },
  };
  return hub;
}

/** In another format than files, those of work trees do not say which branch they are on. */
async function heldAt(
  { files }: GitContext,
  {
    git,
    located,
    called,
  }: {
    readonly git: Git;
    readonly located: ReturnType<typeof locateGitDirectory>;
    readonly called: string;
  },
  branch: string,
): Promise<string | undefined> {
  const isRead = located && readRef(files, located, `refs/heads/${branch}`).kind === "found";
  return isRead ? checkedOutAt(files, { at: located, called }, branch) : askCheckedOut(git, branch);
}

function copiesFrom(context: GitContext, hub: HubRepo): CopiesOfCommit {
  return { staying: (found) => stayingIn(context, hub, found), files: context.files };
}

/** Which pointers of Git LFS stay in copies of a commit. */
async function stayingIn(
  context: GitContext,
  hub: HubRepo,
  found: readonly CommittedPointer[],
): Promise<StayingPointers> {
  const { hasLfs, lfsStorage } = await hub.cloneSettings();
  const isRunning = found.length > 0 && hasLfs && (await runsLfs(context, hub));
  const lfs = { hasLfs: isRunning, lfsStorage };
  return stayingPointers(context, { hub: hub.directory, lfs }, found);
}

const NAMES = String.raw`^(core\.excludesfile|filter\.lfs\.(clean|process)|lfs\.storage)$`;
const SETTINGS = ["config", "--type=path", "-z", "--get-regexp", NAMES];

/** Reads them as git prints them: a name, a line feed and the value, then a NUL; the last one counts. */
function settingsIn(printed: string | undefined): HubSettings {
  const entries = entriesOf(printed ?? "").map((entry): readonly [string, string] => {
    const end = entry.indexOf("\n");
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  const set = new Map(entries);
  const isOwn = (name: string) => set.get(`filter.lfs.${name}`)?.startsWith("git-lfs ") === true;
  return {
    excludesFile: set.get("core.excludesfile"),
    hasLfs: isOwn("clean") || isOwn("process"),
    lfsStorage: set.get("lfs.storage"),
  };
}

interface KnownRange {
  readonly head: Oid;
  readonly commits: readonly Oid[];
}

/** Where a range of commits is looked up. */
interface RangeSource {
  readonly git: Git;
  /** Reads a short range from files; undefined if only git can tell. */
  readonly read: (range: { readonly from: Oid; readonly to: Oid }) => readonly Oid[] | undefined;
}

/** Lists `base..head`, asking git only for commits after the known head of this base. */
async function listRange(
  source: RangeSource,
  range: { readonly base: Oid; readonly head: Oid; readonly known: KnownRange | undefined },
): Promise<Result<readonly Oid[], GitFailure>> {
  const { base, head, known } = range;
  const { git } = source;
  assertOids(base, head);
  if (known?.head === head) return ok(known.commits);
  const from = known?.head ?? base;
  if (from === head) return ok([]);
  const read = source.read({ from, to: head });
  if (read !== undefined) return ok([...(known?.commits ?? []), ...read]);
  const args = ["rev-list", "--reverse", "--topo-order", "--left-right", `${from}...${head}`, "--"];
  // simple-git would be too slow: every role runs this before it starts its work.
  const printed = await git.must(args);
  if (!printed.ok) return printed;
  const lines = linesOf(printed.value);
  const isGrown = lines.every((line) => line.startsWith(">"));
  // A rewritten branch has lost known commits, so list the whole range again.
  if (known !== undefined && !isGrown) return listRange(source, { base, head, known: undefined });
  const added = lines.filter((line) => line.startsWith(">")).map((line) => line.slice(1));
  const commits = printedOids(added.join("\n"), git.directory);
  if (!commits.ok) return commits;
  return ok([...(known?.commits ?? []), ...commits.value]);
}

function remember(ranges: Map<Oid, KnownRange>, base: Oid, range: KnownRange): void {
  ranges.delete(base);
  ranges.set(base, range);
  const oldest = ranges.keys().next();
  if (ranges.size > RANGES_MAX && oldest.done !== true) ranges.delete(oldest.value);
}
