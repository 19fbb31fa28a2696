import type { BroughtIn } from "../../src/base/ports/brought-in.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import { ok } from "../../src/base/result.ts";
import { sha } from "../rig/records.ts";

/** For a range without anything unusual. */
export const NOTHING_BROUGHT: BroughtIn = {
  startMs: 0,
  commits: [],
  links: [],
  submodules: [],
  blobs: [],
};

/** A clone in which nothing happens except what a test defines; it records the commits to which it was synced. */
export function fakeClone(
  directory: string,
  methods: Partial<Clone> = {},
): Clone & { readonly synced: string[] } {
  const synced: string[] = [];
  const nothing = async () => ok({ rescue: undefined });
  return {
    directory,
    synced,
    head: async () => ok(sha(1)),
    syncTo: async (at = sha(0)) => {
      synced.push(at);
      return ok(at);
    },
    commitsSince: async () => ok([]),
    branchBeside: async () => ok(undefined),
    isDirty: async () => ok(false),
    commitAll: async () => ok(undefined),
    prefixSubjects: async () => ok(new Map()),
    squashSince: async () => ok(undefined),
    rebaseOntoHub: async () => ok({ head: sha(1), moved: false }),
    joinRemote: async () => ok({ head: sha(1) }),
    publish: async () => ok(undefined),
    unfiltered: async () => ok([]),
    impossiblePath: async () => ok(undefined),
    readAhead: () => undefined,
    bring: async () => ok(undefined),
    has: async () => true,
    changedPaths: async () => ok([]),
    diff: async () => ok({ text: "", isWhole: true }),
    changedLines: async () => ok(0),
    broughtIn: async () => ok(NOTHING_BROUGHT),
    filesAt: async () => ok([]),
    treeOf: async (at) => ok(at),
    subjectOf: async () => ok("Add a"),
    overlayFiles: async () => ok(undefined),
    saved: async () => ok(undefined),
    pathsAt: async () => ok([]),
    linesLike: async () => ok([]),
    textsAt: async () => ok([]),
    show: async () => ok(undefined),
    repair: nothing,
    rescueAndReset: nothing,
    clean: async () => ok(undefined),
    saveBeside: async () => ok({ rescue: undefined, held: [] }),
    rest: async () => ok(false),
    ...methods,
  };
}
