import { GitFailure } from "../../src/base/ports/repo.ts";
import type { Oid } from "../../src/base/oid.ts";
import type { ChangedPath, Clone, Hub, PublishFailure } from "../../src/base/ports/repo.ts";
import { fail, ok, type Result } from "../../src/base/result.ts";
import { NOTHING_BROUGHT } from "../agents/fake-clone.ts";
import { difference, treeId, type SimRepository, type Tree } from "./sim-repository.ts";
import type { Simulator } from "./simulator.ts";

/** A role's clone on the disk, which outlives the role's processes. */
export interface CloneState {
  readonly directory: string;
  head: Oid;
  work: Map<string, string>;
  /** Its commits, made here or fetched, reachable or not. */
  readonly known: Set<Oid>;
}

/** A new clone, at the base. */
export function newClone(repository: SimRepository, directory: string): CloneState {
  const { base: head } = repository;
  return { directory, head, work: new Map(repository.at(head).tree), known: new Set([head]) };
}

/** The input of the repository's ports. */
export interface GitWorld {
  readonly simulator: Simulator;
  readonly repository: SimRepository;
  /** Whether git fails now by chance. */
  readonly isFailing: (operation: string) => boolean;
}

function gitFailure(operation: string, directory: string): GitFailure {
  return GitFailure({ operation, directory, message: "simulated: cannot lock ref" });
}

/** Runs a git command: it takes a moment, in which its process and the role's may be killed. */
async function ask<T, F>(
  { simulator, isFailing }: GitWorld,
  state: { readonly directory: string },
  operation: string,
  act: () => Result<T, F>,
): Promise<Result<T, F | GitFailure>> {
  // The effect and its answer are two events: a crash may come between them.
  const done = await simulator.answer(`git ${operation}`, () =>
    isFailing(operation) ? fail(gitFailure(operation, state.directory)) : act(),
  );
  return simulator.answer(`git ${operation} done`, () => done);
}

/** The user's repository behind the port. */
export function simHub(world: GitWorld, directory: string): Hub {
  const { simulator, repository } = world;
  return {
    directory,
    // These read files, and are mostly done before anything else can happen.
    head: async () => {
      if (simulator.random.chance(0.8)) return repository.head;
      return simulator.answer("hub head", () => repository.head);
    },
    heldAt: async () => (repository.isCheckedOut ? directory : undefined),
    commits: (base, head) =>
      ask(world, { directory }, "log", () =>
        ok(repository.between(base, head).map(({ sha }) => sha)),
      ),
  };
}

/** A clone behind the port, with the behaviour of the real one; each operation is one step. */
export function simClone(world: GitWorld, state: CloneState): Clone {
  const { repository } = world;
  const run = <T, F = never>(operation: string, act: () => Result<T, F>) =>
    ask(world, state, operation, act);
  const put = (at: Oid) => {
    state.head = at;
    state.work = new Map(repository.at(at).tree);
    learn(repository, state, at);
  };
  const fetch = () => {
    learn(repository, state, repository.head);
  };
  const isDirty = () => difference(repository.at(state.head).tree, state.work).size > 0;
  return {
    directory: state.directory,
    head: () => run("head", () => ok(state.head)),
    syncTo: (at) =>
      run("checkout", () => {
        fetch();
        put(at ?? repository.head);
        return ok(state.head);
      }),
    commitsSince: (base) =>
      run("rev-list", () => ok(repository.between(base, state.head).map(({ sha }) => sha))),
    isDirty: () => run("status", () => ok(isDirty())),
    commitAll: (message) => run("commit", () => ok(commitWork(repository, state, message))),
    // No simulated session is a revision.
    prefixSubjects: () => run("reword", () => ok(new Map())),
    squashSince: (base, message) =>
      run("squash", () => {
        const work: Tree = state.work;
        if (difference(repository.at(base).tree, work).size === 0) {
          put(base);
          return ok(undefined);
        }
        put(repository.commit(base, message, new Map(work)).sha);
        return ok(state.head);
      }),
    branchBeside: () => run("refs", () => ok(undefined)),
    rebaseOntoHub: () =>
      run("rebase", () => {
        fetch();
        return rebase(repository, state, put);
      }),
    joinRemote: () => {
      throw new Error("there is no remote in the simulated world");
    },
    unfiltered: async () => ok([]),
    impossiblePath: async () => ok(undefined),
    publish: (at) => run<undefined, PublishFailure>("fetch", () => publish(repository, state, at)),
    readAhead: () => undefined,
    bring: (oid) =>
      run("fetch", () => {
        if (!state.known.has(oid)) fetch();
        if (state.known.has(oid)) return ok(undefined);
        return fail(GitFailure({ operation: "fetch", directory: state.directory, message: oid }));
      }),
    has: async (oid) => {
      const found = await run("cat-file", () => ok(state.known.has(oid)));
      return found.ok && found.value;
    },
    changedPaths: (start, end) => run("diff", () => ok(changedPaths(repository, start, end))),
    diff: (start, end) =>
      run("diff", () => {
        const paths = changedPaths(repository, start, end).map(({ path }) => `+++ b/${path}\n`);
        return ok({ text: paths.join(""), isWhole: true });
      }),
    // Each of its files is one line.
    changedLines: (start, end) =>
      run("diff", () => ok(changedPaths(repository, start, end).length)),
    broughtIn: () => run("log", () => ok(NOTHING_BROUGHT)),
    filesAt: (at) =>
      run("ls-tree", () =>
        ok(
          [...repository.at(at).tree].map(([path, text]) => ({ path, oid: text, mode: "100644" })),
        ),
      ),
    treeOf: (at) => run("tree", () => ok(treeId(repository.at(at).tree))),
    subjectOf: (at) => run("subject", () => ok(repository.at(at).subject)),
    overlayFiles: (from, paths) =>
      run("checkout", () => {
        const { tree } = repository.at(from);
        for (const path of paths) state.work.set(path, tree.get(path) ?? "");
        return ok(undefined);
      }),
    saved: () => run("fetch", () => ok(undefined)),
    pathsAt: (at) => run("ls-tree", () => ok([...repository.at(at).tree.keys()])),
    linesLike: (at, { pattern }) =>
      run("grep", () => {
        const like = new RegExp(pattern);
        const lines = [...repository.at(at).tree].flatMap(([path, text]) =>
          text.split("\n").map((line) => ({ path, text: line })),
        );
        return ok(lines.filter(({ text }) => like.test(text)));
      }),
    textsAt: (at) =>
      run("cat-file", () =>
        ok([...repository.at(at).tree].map(([path, text]) => ({ path, bytes: Buffer.from(text) }))),
      ),
    show: (at, path) => run("show", () => ok(repository.at(at).tree.get(path))),
    repair: () =>
      run("repair", () => {
        const rescue = isDirty() ? saveWork(world, state) : undefined;
        put(state.head);
        return ok({ rescue });
      }),
    rescueAndReset: (at = repository.head) =>
      run("rescue", () => {
        const isLoose = !repository.isAncestor(state.head, repository.head);
        const rescue = isDirty() || isLoose ? saveWork(world, state) : undefined;
        put(at);
        return ok({ rescue });
      }),
    clean: () =>
      run("clean", () => {
        put(state.head);
        return ok(undefined);
      }),
    saveBeside: () => Promise.resolve(ok({ rescue: undefined, held: [] })),
    rest: () => Promise.resolve(ok(false)),
  };
}

/** Commits the work tree, as engines do, too. */
export function commitWork(
  repository: SimRepository,
  state: CloneState,
  message: string,
): Oid | undefined {
  if (difference(repository.at(state.head).tree, state.work).size === 0) return undefined;
  state.head = repository.commit(state.head, message, new Map(state.work)).sha;
  learn(repository, state, state.head);
  return state.head;
}

function rebase(
  repository: SimRepository,
  state: CloneState,
  put: (at: Oid) => void,
): Result<{ head: Oid; moved: boolean }, { readonly kind: "conflict" }> {
  if (repository.isAncestor(repository.head, state.head)) {
    return ok({ head: state.head, moved: false });
  }
  const ours = repository.between(repository.head, state.head);
  const head = repository.replay(ours, repository.head);
  if (head === undefined) return fail({ kind: "conflict" });
  put(head);
  return ok({ head, moved: true });
}

function publish(
  repository: SimRepository,
  { directory }: CloneState,
  at: Oid,
): Result<undefined, PublishFailure> {
  if (repository.head === at) return ok(undefined);
  if (repository.isCheckedOut) return fail({ kind: "checked-out", directory });
  if (!repository.isAncestor(repository.head, at)) return fail({ kind: "not-fast-forward" });
  repository.head = at;
  return ok(undefined);
}

/** Adds a commit and all its ancestors to the clone. */
function learn(repository: SimRepository, { known }: CloneState, head: Oid): void {
  for (let at: Oid | undefined = head; at !== undefined && !known.has(at);) {
    known.add(at);
    at = repository.at(at).parent;
  }
}

function changedPaths(repository: SimRepository, start: Oid, end: Oid): readonly ChangedPath[] {
  return [...repository.changed(start, end)].map(([path, status]) => ({ status, path }));
}

function saveWork({ repository }: GitWorld, state: CloneState): string {
  const saved = repository.commit(state.head, "Work saved by wisp", new Map(state.work)).sha;
  const name = `refs/wisp/rescue/demo/${String(repository.rescues.size + 1)}`;
  repository.rescues.set(name, saved);
  return name;
}
