import { join } from "node:path";
import { RUN_ID_VARIABLE, type Command } from "../../base/ports/processes.ts";
import { NO_SANDBOX, type Confinement } from "../../base/ports/sandbox.ts";
import { environmentIn, replacementIn } from "../../engines/run/environment-in.ts";
import { rebaseWords } from "../../engines/run/rebase-environment.ts";
import { commandEnvironment, placeOfCommands } from "../verify/command-environment.ts";
import { treeRunId } from "../../work/role-context.ts";
import type { CommandRunner } from "../../work/run-in-order.ts";
import { protectMade, writableFolders } from "./made-paths.ts";
import { slotVariables } from "./slot.ts";
import { hasMounts, type TreeDeps } from "./tree-deps.ts";
import { treeEnvironment } from "./tree-environment.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeState } from "./tree-state.ts";

/** What a finished setup made. */
export type SetUp = Pick<TreeState, "made" | "filled">;

/**
 * Returns a function that runs commands in a tree. With `setUp` undefined, it runs the setup itself; otherwise
 * it protects what setup made.
 */
export function runnerIn(
  deps: TreeDeps,
  place: TreePlace,
  setUp: SetUp | undefined,
): CommandRunner {
  const { ports, sandbox = NO_SANDBOX, home, role, signal } = deps;
  return async (argv, bounds) => {
    const isConfined = sandbox.kind !== "none";
    const ci = setUp !== undefined && (deps.hasCi ?? deps.session.commands?.ci === true);
    const seen = commandEnvironment(deps.env, { named: bounds.envNames, isConfined, ci });
    const made = (setUp?.made ?? []).map((path) => join(place.tree, path));
    const instead = { ...placeOfCommands(deps, place.tree), made };
    const by = replacementIn(instead);
    const forTree = treeEnvironment(environmentIn(seen, instead), {
      place,
      stage: setUp === undefined ? "setup" : "run",
      filled: new Set(setUp?.filled),
      hasMounts: hasMounts(deps),
      isThere: (path) => ports.files.stat(path) !== undefined,
    });
    const env = setUp === undefined ? forTree : { ...forTree, ...slotOf(deps, place) };
    const words = rebaseWords(argv, by);
    const [executable = "", ...args] = place.isNeutral === true ? withoutMark(words) : words;
    const own: Command = { argv: [executable, ...args], cwd: place.tree, env };
    const enclosure = sandbox.confine({
      ...{ command: own, named: bounds.named && rebaseWords(bounds.named, by) },
      ...confinementOf(deps, place, setUp),
      hasOwnLoopback: bounds.hasOwnLoopback,
      hidesCheckout: true,
    });
    if (!enclosure.ok) return enclosure;
    return ports.processes.run({
      ...own,
      enclosure: enclosure.value,
      stdin: "",
      stdoutPath: bounds.outputPath,
      stderrPath: bounds.outputPath,
      timeoutMs: bounds.timeoutMs,
      outputBytesMax: bounds.outputBytesMax,
      // Without the mark, what it leaves behind can only be found by its namespace.
      ...(place.isNeutral === true && !isConfined ? { isIsolated: true } : {}),
      runId: treeRunId(home, role, place.number),
      signal,
    });
  };
}

function slotOf(
  { slot, session }: TreeDeps,
  { isNeutral = false }: TreePlace,
): Readonly<Record<string, string>> {
  if (slot === undefined) return {};
  const { WISP_SLOT, ...ports } = slotVariables(slot, session.commands?.slot ?? []);
  return isNeutral || WISP_SLOT === undefined ? ports : { ...ports, WISP_SLOT };
}

/** The command, started without the mark by which wisp finds what a command leaves behind. */
function withoutMark(argv: readonly string[]): readonly string[] {
  return ["env", "-u", RUN_ID_VARIABLE, ...argv];
}

function confinementOf(
  deps: TreeDeps,
  place: TreePlace,
  setUp: SetUp | undefined,
): Omit<Confinement, "command"> {
  const { tree, home, temporary, setupCaches, runCaches } = place;
  // Without mounts, home and caches are at the paths that the environment names.
  const outside = hasMounts(deps) ? [] : [home, temporary];
  if (setUp === undefined) {
    return {
      writable: hasMounts(deps) ? [] : [...outside, setupCaches],
      caches: { folder: setupCaches, filled: { folder: setupCaches, names: new Set() } },
      // Setup needs the network to install packages.
      needsNetwork: true,
    };
  }
  const { readOnly } = protectMade(deps.ports, place, setUp, hasMounts(deps));
  return {
    writable: hasMounts(deps) ? [] : [...outside, runCaches],
    readOnly: hasMounts(deps) ? [join(tree, ".git"), ...readOnly] : [],
    writableWithin: hasMounts(deps) ? writableFolders(place, setUp) : [],
    caches: {
      folder: runCaches,
      filled: { folder: setupCaches, names: new Set(setUp.filled) },
    },
  };
}
