import type { PlantedMistake } from "./planted-mistake.ts";

const REST = "git/clone/rest-clone.ts";
const RESTING = "test/git/rest-clone.test.ts";
const STORE = "test/git/object-store.test.ts";
const HIBERNATE = "actions/up/hibernate.ts";
const HIBERNATING = "test/actions/hibernate.test.ts";
const SETTLED = "test/git/settled-clone.test.ts";

/** A check of what a clone holds that is left out. */
function unseen(mistake: string, find: string, title: string, replace = ""): PlantedMistake {
  return {
    mistake: `a clone is removed with ${mistake}`,
    edits: [{ file: REST, find, replace }],
    foundBy: { file: RESTING, title: `a clone with ${title} stays` },
  };
}

/** Mistakes in the store of shared objects, in removing clones, and in what a process remembers of its clone. */
export const MISTAKES_IN_CLONES: readonly PlantedMistake[] = [
  {
    mistake: "a store is seen in its place before it is complete",
    edits: [
      {
        file: "git/store/fill-store.ts",
        find: "const beside = `${store}.making`;",
        replace: "const beside = store;",
      },
    ],
    foundBy: { file: STORE, title: "a process that dies at any point while it fills the store" },
  },
  {
    mistake: "a store counts as whole whatever its files are",
    edits: [
      {
        file: "git/store/store-record.ts",
        find: "if (!isLooseFolder(name)) return context.files.stat(path)?.sizeBytes === count;",
        replace: "if (!isLooseFolder(name)) return context.files.stat(path) !== undefined;",
      },
    ],
    foundBy: { file: STORE, title: "a store that has a pack that was cut off is filled again" },
  },
  {
    mistake: "files of the store are links to those of the user's repository",
    edits: [
      {
        file: "host/system/effects.ts",
        find: "await copy(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);",
        replace: "await Promise.resolve(copy).then(() => fs.linkSync(from, to));",
      },
    ],
    foundBy: { file: STORE, title: "clones hold no objects but their own" },
  },
  {
    mistake: "what only the store still has is lost when it is filled again",
    edits: [
      {
        file: "git/store/fill-store.ts",
        find: "const isGood = goodFiles(context, store);",
        replace: "const isGood = (path: string) => !goodFiles(context, store)(path);",
      },
    ],
    foundBy: { file: STORE, title: "what a damaged store alone still has is kept" },
  },
  {
    mistake: "a store is removed although a clone was begun meanwhile",
    edits: [
      {
        file: "git/store/remove-store.ts",
        find: "if (isNeeded() && directories.kindOf(directory) === undefined) {",
        replace: "if (directories.kindOf(directory) !== undefined && isNeeded()) {",
      },
    ],
    foundBy: {
      file: STORE,
      title: "a store goes when no clone needs it, and stays for one that is being made",
    },
  },
  {
    mistake: "two processes fill the store at once",
    edits: [
      {
        file: "git/store/store-lock.ts",
        find: "const path = `${directory}.lock`;",
        replace: "const path = `${directory}.${crypto.randomUUID()}.lock`;",
      },
    ],
    foundBy: { file: STORE, title: "clones that are made at once share one store" },
  },
  {
    mistake: "what an engine wrote into `alternates` stays",
    edits: [
      {
        file: "git/clone/restore-clone.ts",
        find: "...borrowing(context, { config, hub }),",
        replace: '...(config === "" ? borrowing(context, { config, hub }) : {}),',
      },
    ],
    foundBy: { file: STORE, title: "whatever an engine makes of what its clone borrows" },
  },
  {
    mistake: "a clone is seen in its place before it is complete",
    edits: [
      {
        file: "git/clone/create-clone.ts",
        find: 'const beside = `${directory}.making-${randomBytes(6).toString("hex")}`;',
        replace: "const beside = directory + (randomBytes.length > 9 ? 1 : ``);",
      },
    ],
    foundBy: {
      file: "test/crash/clones.test.ts",
      title: "a clone with copies of its own is whole wherever a process was killed that made it",
    },
  },
  {
    mistake: "what a command did to the references of a verify tree stays",
    edits: [
      {
        file: "git/clone/open-tree.ts",
        find: 'giveRefs(repo, "removed")',
        replace: 'giveRefs(repo, "kept")',
      },
    ],
    foundBy: { file: "test/git/base-refs.test.ts", title: "a tree whose command moved a tag" },
  },
  {
    mistake: "references are cleared where a link leads",
    edits: [
      {
        file: "git/refs/give-refs.ts",
        find: "const restored = repo.restore();",
        replace: "const restored = ok(undefined);",
      },
    ],
    foundBy: { file: "test/git/base-refs.test.ts", title: "a link that a command made" },
  },
  {
    mistake: "a clone is removed in its place, so that a part of it stays there after a kill",
    edits: [
      {
        file: REST,
        find: "const moved = directories.move(directory, aside);",
        replace: "const moved = directories.removeTree(directory);",
      },
    ],
    foundBy: {
      file: RESTING,
      title: "a clone has left its path before any part of it is removed",
    },
  },
  unseen(
    "an unpublished commit",
    "if (!(await isAncestor(repo.atHub, head, published))) return ok(false);",
    "an unpublished commit",
  ),
  unseen(
    "a changed file",
    'hidden.value.length === 0 && left.value === ""',
    "a changed file",
    "hidden.value.length === 0",
  ),
  unseen(
    "an ignored file",
    '"--untracked-files=normal", "--ignored"',
    "an ignored file",
    '"--untracked-files=normal"',
  ),
  unseen(
    "an untracked file",
    '"--untracked-files=normal", "--ignored"',
    "an untracked file",
    '"--untracked-files=no"',
  ),
  unseen(
    "a branch or a stash",
    "if (!refs.ok || refs.value) return refs.ok ? ok(false) : refs;",
    "a stash",
    "if (!refs.ok) return refs;",
  ),
  unseen(
    "a changed file that git was told to ignore",
    "hidden.value.length === 0 && left",
    "a changed file that git was told to ignore",
    "left",
  ),
  unseen(
    "an unfinished merge",
    "|| unfinishedOperation(repo) !== undefined",
    "an unfinished merge",
  ),
  unseen(
    "what a setup made elsewhere",
    "if (context.directories.kindOf(marker) !== undefined) return ok(false);",
    "what a setup made elsewhere",
  ),
  unseen("a submodule", "if (!(await areOnlyFilled(repo))) return ok(false);", "a submodule"),
  {
    mistake: "a clone is called settled after a turn may have written in it",
    edits: [
      {
        file: "git/publish/sync.ts",
        find: "const { settledAt } = repo.memory;\n  repo.memory.settledAt = undefined;",
        replace: "const { settledAt } = repo.memory;",
      },
    ],
    foundBy: {
      file: SETTLED,
      title: "what a turn leaves after a reset and a sync is saved by the next reset",
    },
  },
  {
    mistake: "a clone is called settled after a setup may have written in it",
    edits: [
      {
        file: "git/repository/work-tree.ts",
        find: "  repo.memory.settledAt = undefined;\n  const [dirty, hidden]",
        replace: "  const [dirty, hidden]",
      },
    ],
    foundBy: { file: SETTLED, title: "what setup leaves after a reset is found by the next sync" },
  },
  {
    mistake: "a clone is believed to be settled at another commit than it is at",
    edits: [
      {
        file: "git/publish/repair.ts",
        find: "if (settledAt === undefined || settledAt !== (await headOf(repo))) return false;",
        replace: "if (settledAt === undefined) return false;",
      },
    ],
    foundBy: {
      file: SETTLED,
      title: "what somebody commits and leaves in a clone after it was found clean",
    },
  },
  {
    mistake: "a verify tree counts as checked out whatever its index lists",
    edits: [
      {
        file: "git/clone/open-tree.ts",
        find: "if (!listsExactly(index.value, committed)) return false;",
        replace: "",
      },
    ],
    foundBy: { file: SETTLED, title: "old tests laid over a verify tree are gone" },
  },
  {
    mistake: "a clone that was removed while its role waited is not made again",
    edits: [
      {
        file: "work/role-clones.ts",
        find: "(isClone(lane) ? clone : create(lane))",
        replace: "(isClone(lane) ? clone : clone)",
      },
    ],
    foundBy: {
      file: "test/work/role-clones.test.ts",
      title: "a clone that was removed while the role waited",
    },
  },
  {
    mistake: "a clone is used while it is being removed",
    edits: [
      {
        file: "work/role-clones.ts",
        find: "keep(lane, restOne(lane, known))",
        replace: "restOne(lane, known)",
      },
    ],
    foundBy: {
      file: "test/work/role-clones.test.ts",
      title: "a clone that is needed while it is being removed",
    },
  },
  {
    mistake: "verify trees are forgotten when the clones of their session are gone",
    edits: [
      {
        file: HIBERNATE,
        find: "if (trees.ok && trees.value.length > 0) return true;",
        replace: "if (!trees.ok) return true;",
      },
    ],
    foundBy: { file: HIBERNATING, title: "verify trees of an idle session that has no clones" },
  },
  {
    mistake: "verify trees are removed although a unit is unfinished",
    edits: [
      {
        file: HIBERNATE,
        find: "return isOver && ROLES.every((role) => openUnitOf(state, role) === undefined);",
        replace: "return isOver && ROLES.some((role) => openUnitOf(state, role) === undefined);",
      },
    ],
    foundBy: { file: HIBERNATING, title: "verify trees stay if a unit is unfinished" },
  },
  {
    mistake: "shared objects are removed although another session has a clone",
    edits: [
      {
        file: "workspace/has-clones.ts",
        find: "return [...trees, ...clones].some(",
        replace: "return [...trees, ...clones.slice(clones.length)].some(",
      },
    ],
    foundBy: { file: HIBERNATING, title: "the shared objects stay for another session" },
  },
];
