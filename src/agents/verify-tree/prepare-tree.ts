import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { CommittedFile, TreeRepo } from "../../base/ports/repo.ts";
import { namedForCommands } from "../verify/command-environment.ts";
import { overlayOldTests } from "../integrity/overlay-old-tests.ts";
import { runInOrder, type CommandsEnd } from "../work/run-in-order.ts";
import { fingerprintOf, sortUntracked, writableFolders } from "./made-paths.ts";
import { runnerIn, type SetUp } from "./run-in-tree.ts";
import { LOADED_NAMES } from "./tree-caches.ts";
import { hasMounts, type TreeDeps } from "./tree-deps.ts";
import type { TreePlace } from "./tree-place.ts";
import { readTreeState, writeTreeState, type TreeState } from "./tree-state.ts";
import type { TreeFacts, Unready, WantedTree } from "./verify-trees.ts";

/** What a commit is, as far as its tree has to know. */
export interface CommitFacts extends TreeFacts {
  readonly files: readonly CommittedFile[];
}

export type Prepared =
  { readonly kind: "ready"; readonly setUp: SetUp } | { readonly kind: "stopped" } | Unready;

/**
 * Makes a tree hold exactly a commit, what its setup made, and what its build makes of both; nothing that a run
 * before this one left is in it. The steps that are not due (the same setup, as it was left) are passed over.
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
  emptyOwn(deps, place);
  const holder = await deps.clone();
  need(await repo.checkOut(at, holder));
  const reused = known && (await reuse(deps, place, { repo, known, facts }));
  const made = reused ?? (await setUp(deps, place, { repo, facts }));
  if ("kind" in made) return made;
  if (reused === undefined) {
    // Setup may have written over what the commit has.
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
  const laid = tests === undefined ? undefined : await overlayOldTests(ports.files, repo, tests);
  if (laid?.ok === false) {
    const { failure } = laid;
    const reason = "message" in failure ? failure.message : `${failure.path}: ${failure.errno}`;
    return { kind: "unready", stage: "tests", reason, output: undefined };
  }
  // The last that wisp's git does here: what is different the next time somebody else has changed.
  writeTreeState(ports.files, place, { ...made, git: await gitFingerprint(deps, place) });
  return build(deps, place, made, output);
}

/** What is known of the tree. Where nothing is, or git's files in it are not as they were, it is made anew. */
async function knownState(deps: TreeDeps, place: TreePlace): Promise<TreeState | undefined> {
  const { files, directories } = deps.ports;
  const known = readTreeState(files, place);
  if (known !== undefined && known.git === (await gitFingerprint(deps, place))) return known;
  need(files.remove(place.state));
  for (const path of [place.tree, `${place.tree}.config`]) need(directories.removeTree(path));
  return undefined;
}

/** Objects are left out: their names say what is in them, and other clones have links to them. */
function gitFingerprint({ ports }: TreeDeps, { tree }: TreePlace): Promise<string> {
  const git = join(tree, ".git");
  return ports.directories.fingerprint({ whole: [git], without: new Set([join(git, "objects")]) });
}

function emptyOwn({ ports }: TreeDeps, place: TreePlace): void {
  const { home, temporary, runCaches, setupCaches } = place;
  for (const path of [home, temporary, runCaches]) {
    need(ports.directories.empty(path));
    need(ports.files.makeDirectory(path));
  }
  need(ports.files.makeDirectory(setupCaches));
}

interface Checked {
  readonly repo: TreeRepo;
  readonly facts: CommitFacts;
}

/** The setup that is there, where it is the one that the commit asks for, and as it was left. */
async function reuse(
  deps: TreeDeps,
  place: TreePlace,
  { repo, facts, known }: Checked & { readonly known: TreeState },
): Promise<Omit<TreeState, "git"> | undefined> {
  const { directories } = deps.ports;
  if (known.key !== facts.setup) return undefined;
  const [untracked, fingerprint] = await Promise.all([
    repo.untracked(),
    fingerprintOf({ directories }, place, known, hasMounts(deps)),
  ]);
  if (fingerprint !== known.fingerprint) return undefined;
  const { others, isApart } = sortUntracked(need(untracked), known.made, facts.files);
  if (!isApart || others.some(isNoText)) return undefined;
  removeAll(deps, place, others);
  for (const folder of writableFolders(place, known)) need(directories.empty(folder));
  return known;
}

/** A name that is no UTF-8: it cannot be removed by that name. */
function isNoText(path: string): boolean {
  return path.includes("\ufffd");
}

function removeAll({ ports }: TreeDeps, { tree }: TreePlace, paths: readonly string[]): void {
  const { directories } = ports;
  for (const path of paths.map((each) => join(tree, each))) {
    if (directories.removeTree(path).ok) continue;
    // The folder that it is in may not be written either.
    need(directories.makeWritable(tree));
    need(directories.removeTree(path));
  }
}

/** Runs setup on nothing but the commit, and looks what it made. */
async function setUp(
  deps: TreeDeps,
  place: TreePlace,
  { repo, facts }: Checked,
): Promise<Omit<TreeState, "git"> | Extract<Prepared, { readonly kind: "stopped" | "unready" }>> {
  const { files, directories } = deps.ports;
  // From here on the tree is not ready, whoever is killed.
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

/** Name of the file below `logs/turns/` that the setup of a tree writes to, without ending. */
function setupOutput({ number }: TreePlace): string {
  return `setup-verify-${String(number)}`;
}

function runSetup(deps: TreeDeps, place: TreePlace): Promise<CommandsEnd> {
  const { session, role } = deps;
  return runInOrder(runnerIn(deps, place, undefined), {
    commands: session.setup,
    outputPath: pathOf(deps, setupOutput(place)),
    timeoutMs: session.verifyTimeoutMs,
    envNames: namedForCommands(session, role),
    files: deps.ports.files,
    signal: deps.signal,
  });
}

/** Only what the build makes, of this commit: what it made of another is gone. */
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

/** Of an output file of the session. */
function pathOf({ home }: Pick<TreeDeps, "home">, output: string): string {
  return join(home.turns, `${output}.out`);
}
