import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { CommittedFile, TreeRepo } from "../../base/ports/repo.ts";
import { namedForCommands } from "../verify/command-environment.ts";
import { overlayOldTests } from "../integrity/overlay-old-tests.ts";
import { runInOrder, type CommandsEnd } from "../../work/run-in-order.ts";
import { fingerprintOf, sortUntracked, writableFolders } from "./made-paths.ts";
import { runnerIn, type SetUp } from "./run-in-tree.ts";
import { LOADED_NAMES } from "./tree-caches.ts";
import { hasMounts, type TreeDeps } from "./tree-deps.ts";
import type { TreePlace } from "./tree-place.ts";
import { readTreeState, writeTreeState, type TreeState } from "./tree-state.ts";
import type { TreeFacts, Unready, WantedTree } from "../../work/verify-trees.ts";

/** The facts about a commit that its verify tree depends on. */
export interface CommitFacts extends TreeFacts {
  readonly files: readonly CommittedFile[];
}

export type Prepared =
  { readonly kind: "ready"; readonly setUp: SetUp } | { readonly kind: "stopped" } | Unready;

/**
 * Prepares a tree that holds exactly a commit, what its setup made, and what its build makes of both; nothing
 * that earlier runs left remains. Steps that are not needed are skipped: the same setup is reused if it is
 * unchanged.
 */
export async function prepareTree(
  deps: TreeDeps,
  place: TreePlace,
  { at, tests, output }: WantedTree,
  facts: CommitFacts,
): Promise<Prepared> {
  const { ports } = deps;
  const known = await knownState(deps, place);
  const repo = need(await deps.open(place.tree));
  emptyUseFolders(deps, place);
  const holder = await deps.clone();
  need(await repo.checkOut(at, holder));
  const reused = known && (await reuse(deps, place, { repo, known, facts }));
  const made = reused ?? (await setUp(deps, place, { repo, facts }));
  if ("kind" in made) return made;
  if (reused === undefined) {
    // Setup may have overwritten files of the commit.
    need(await repo.checkOut(at, holder));
  }
  const hash = need(await repo.contentHash(at));
  if (hash !== facts.tree) {
    const reason = `the files checked out make the tree ${hash}, and the commit ${at} has ${facts.tree}`;
    return { kind: "unready", stage: "tree", reason, output: undefined };
  }
  if (output !== undefined) {
    const heading = `tree ${hash} commit ${at} setup ${facts.setup}\n`;
    need(ports.files.append(pathOf(deps, output), Buffer.from(heading)));
  }
  const overlaid =
    tests === undefined ? undefined : await overlayOldTests(ports.files, repo, tests);
  if (overlaid?.ok === false) {
    const { failure } = overlaid;
    const reason = "message" in failure ? failure.message : `${failure.path}: ${failure.errno}`;
    return { kind: "unready", stage: "tests", reason, output: undefined };
  }
  // From here on wisp does not use git in this tree, so any later change of git's files is somebody else's.
  writeTreeState(ports.files, place, { ...made, git: await gitFingerprint(deps, place) });
  return build(deps, place, made, output);
}

/**
 * Reads the recorded state of the tree. If there is none, or git's files in the tree changed since, the tree is
 * removed, to be created again.
 */
async function knownState(deps: TreeDeps, place: TreePlace): Promise<TreeState | undefined> {
  const { files, directories } = deps.ports;
  const known = readTreeState(files, place);
  if (known !== undefined && known.git === (await gitFingerprint(deps, place))) return known;
  need(files.remove(place.state));
  const beside = ["", ".config", ".submodules"];
  for (const end of beside) need(directories.removeTree(`${place.tree}${end}`));
  return undefined;
}

/**
 * Hashes git's files without its objects, whose names already identify their content, and which are hard-linked
 * from other clones.
 */
function gitFingerprint({ ports }: TreeDeps, { tree }: TreePlace): Promise<string> {
  const git = join(tree, ".git");
  return ports.directories.fingerprint({ whole: [git], without: new Set([join(git, "objects")]) });
}

function emptyUseFolders({ ports }: TreeDeps, place: TreePlace): void {
  const { home, temporary, runCaches, setupCaches } = place;
  for (const path of [home, temporary, runCaches]) {
    need(ports.directories.empty(path));
    need(ports.files.makeScratchDirectory(path));
  }
  need(ports.files.makeDirectory(setupCaches));
}

interface CheckedOut {
  readonly repo: TreeRepo;
  readonly facts: CommitFacts;
}

/** Reuses the present setup if it is the one that the commit needs and nothing changed it. */
async function reuse(
  deps: TreeDeps,
  place: TreePlace,
  { repo, facts, known }: CheckedOut & { readonly known: TreeState },
): Promise<Omit<TreeState, "git"> | undefined> {
  const { directories } = deps.ports;
  if (known.key !== facts.setup) return undefined;
  const [untracked, fingerprint] = await Promise.all([
    repo.untracked(),
    fingerprintOf({ directories }, place, known, hasMounts(deps)),
  ]);
  if (fingerprint !== known.fingerprint) return undefined;
  const { others, isApart } = sortUntracked(need(untracked), known.made, facts.files);
  if (!isApart || others.some(isUndecodable)) return undefined;
  removeAll(deps, place, others);
  for (const folder of writableFolders(place, known)) need(directories.empty(folder));
  return known;
}

/** Whether a name is not UTF-8, so that the path cannot be removed by it. */
function isUndecodable(path: string): boolean {
  return path.includes("\ufffd");
}

function removeAll({ ports }: TreeDeps, { tree }: TreePlace, paths: readonly string[]): void {
  const { directories } = ports;
  for (const path of paths.map((each) => join(tree, each))) {
    if (directories.removeTree(path).ok) continue;
    // The containing folder may be read-only, too.
    need(directories.makeWritable(tree));
    need(directories.removeTree(path));
  }
}

/** Runs setup on nothing but the commit, and returns what it made. */
async function setUp(
  deps: TreeDeps,
  place: TreePlace,
  { repo, facts }: CheckedOut,
): Promise<Omit<TreeState, "git"> | Extract<Prepared, { readonly kind: "stopped" | "unready" }>> {
  const { files, directories } = deps.ports;
  // From here on the tree does not count as ready, even if this process is killed.
  need(files.remove(place.state));
  removeAll(deps, place, need(await repo.untracked()));
  const end = await runSetup(deps, place);
  if (end.kind === "stopped") return end;
  if (end.kind === "failed") {
    return { kind: "unready", stage: "setup", reason: end.reason, output: setupOutput(place) };
  }
  const made = deps.session.setup.length === 0 ? [] : need(await repo.untracked());
  const isFilled = (name: string) => need(files.list(join(place.setupCaches, name))).length > 0;
  const state = { key: facts.setup, made: [...made], filled: LOADED_NAMES.filter(isFilled) };
  for (const folder of writableFolders(place, state)) {
    need(directories.empty(folder));
    need(files.makeDirectory(folder));
  }
  const fingerprint = await fingerprintOf({ directories }, place, state, hasMounts(deps));
  return { version: 1, ...state, fingerprint };
}

/** Name of the setup's output file in `logs/turns/`, without extension. */
function setupOutput({ number }: TreePlace): string {
  return `setup-verify-${String(number)}`;
}

function runSetup(deps: TreeDeps, place: TreePlace): Promise<CommandsEnd> {
  const { session, role } = deps;
  return runInOrder(runnerIn(deps, place, undefined), {
    commands: session.setup,
    stage: "setup",
    outputPath: pathOf(deps, setupOutput(place)),
    timeoutMs: session.verifyTimeoutMs,
    envNames: namedForCommands(session, role),
    files: deps.ports.files,
    signal: deps.signal,
  });
}

/** Runs the build. Results of earlier commits' builds were removed before. */
async function build(
  deps: TreeDeps,
  place: TreePlace,
  setUp: SetUp,
  output: string | undefined,
): Promise<Prepared> {
  const { session, role, signal, ports } = deps;
  const name = output ?? `build-verify-${String(place.number)}`;
  const end = await runInOrder(runnerIn(deps, place, setUp), {
    commands: session.build ?? [],
    stage: "build",
    outputPath: pathOf(deps, name),
    timeoutMs: session.verifyTimeoutMs,
    envNames: namedForCommands(session, role),
    files: ports.files,
    signal,
  });
  if (end.kind === "stopped") return end;
  if (end.kind === "passed") return { kind: "ready", setUp };
  return { kind: "unready", stage: "build", reason: end.reason, output: name };
}

/** The path of an output file. */
function pathOf({ home }: Pick<TreeDeps, "home">, output: string): string {
  return join(home.turns, `${output}.out`);
}
