import { posix } from "node:path";
import { need } from "../../base/fatal.ts";
import { VERIFY_TREES_MAX } from "../../base/limits.ts";
import type { Command } from "../../base/ports/processes.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { NO_SANDBOX } from "../../base/ports/sandbox.ts";
import type { BugCommand } from "./bug-command.ts";
import { environmentIn } from "../../engines/run/environment-in.ts";
import { commandEnvironment, placeOfCommands } from "../../evidence/verify/command-environment.ts";
import { runIdOf, type RoleContext } from "../../work/role-context.ts";
import { treePlace } from "../../evidence/verify-tree/tree-place.ts";
import { missingPath } from "./named-paths.ts";
import type { BugRunEnd } from "./run-bug-command.ts";

/** A failed command, and the trees that it may have run in. */
export interface FailedRun {
  readonly command: Pick<BugCommand, "relative">;
  /** Roots of these trees, the clone's first. */
  readonly directories: readonly string[];
  readonly ran: Extract<BugRunEnd, { kind: "ran" }>;
  /** Paths of the tests that were laid over the tree. */
  readonly brought?: readonly string[] | undefined;
}

/** Roots of all trees in which the tester may have run a command: its clone and the verify trees. */
export function commandTrees(
  { session }: RoleContext<"tester">,
  { directory }: Pick<Clone, "directory">,
): readonly string[] {
  const trees = Array.from(
    { length: VERIFY_TREES_MAX },
    (_, index) => treePlace(session, index + 1).tree,
  );
  return [directory, ...trees];
}

/**
 * How `make`, `just` and npm report that a program they call could not be started. Their own exit codes do
 * not tell.
 */
const START_FAILURES = [
  /^g?make(?:\[\d+\])?: \*\*\* .* Error 12[67]$/mu,
  /^error: [Rr]ecipe .* exit code 12[67]$/mu,
  /\bELIFECYCLE\b.* exit code 12[67]\.?$/mu,
];

const PROBES_MAX = 3;
const PROBE_MS_MAX = 10_000;

/**
 * Returns why a bug's failed command proves nothing about the tree: the command, or a program that it
 * calls, could not be started; it names a file that does not exist; or the sandbox refused it something.
 * Undefined if the failure counts. The output alone never proves a refusal by the sandbox: wisp probes the
 * paths that it names.
 */
export async function whyInconclusive(
  context: RoleContext<"tester">,
  { command, directories, ran, brought }: FailedRun,
): Promise<string | undefined> {
  if (ran.outcome === "passed") return undefined;
  // Files that setup or build made exist only in the verify trees.
  const [missing, ...others] = directories.map((one) =>
    missingPath(context.ports.files, one, command.relative, brought),
  );
  if (missing !== undefined && others.every((other) => other !== undefined)) return missing;
  if (ran.outcome === "unstarted") return ran.reason;
  if (START_FAILURES.some((pattern) => pattern.test(ran.tail)))
    return "a program that it starts is missing";
  const [directory = "/"] = directories;
  for (const path of refusedIn(ran.tail, directories)) {
    if (await isRefused(context, directory, path)) return `the sandbox keeps it from ${path}`;
  }
  return undefined;
}

const REFUSED =
  /(?:\b(?:EROFS|EACCES|EPERM)\b|[Rr]ead-only file system|[Pp]ermission denied|Operation not permitted)/u;
const ABSOLUTE = /(?<![\w./-])\/[^\s'"`:,;()[\]{}<>]+/gu;

/** The absolute paths outside the trees that occur in lines about a refusal. */
function refusedIn(output: string, directories: readonly string[]): readonly string[] {
  const isInside = (path: string) =>
    directories.some((one) => path === one || path.startsWith(`${one}/`));
  const paths = output
    .split("\n")
    .filter((line) => REFUSED.test(line))
    .flatMap((line) => line.match(ABSOLUTE) ?? [])
    .map((path) => posix.normalize(path))
    .filter((path) => !isInside(path));
  return [...new Set(paths)].slice(0, PROBES_MAX);
}

/**
 * Whether the sandbox denies reading or writing a path that is allowed without it. Of a path that does not
 * exist, its folder is probed.
 */
async function isRefused(
  context: RoleContext<"tester">,
  directory: string,
  path: string,
): Promise<boolean> {
  const { sandbox = NO_SANDBOX } = context;
  if (sandbox.kind === "none") return false;
  const may = (what: string, place: string, isConfined: boolean) =>
    passes(context, { argv: ["test", what, place], cwd: directory }, isConfined);
  const place = (await may("-e", path, false)) ? path : posix.dirname(path);
  for (const what of ["-r", "-w"]) {
    if ((await may(what, place, false)) && !(await may(what, place, true))) return true;
  }
  return false;
}

async function passes(
  context: RoleContext<"tester">,
  { argv, cwd }: Pick<Command, "argv" | "cwd">,
  isConfined: boolean,
): Promise<boolean> {
  const { home, role, ports, signal, sandbox = NO_SANDBOX } = context;
  const seen = commandEnvironment(context.env, { named: [], isConfined });
  const command: Command = { argv, cwd, env: environmentIn(seen, placeOfCommands(context, cwd)) };
  const enclosure = isConfined ? sandbox.confine({ command, hidesCheckout: true }) : undefined;
  if (enclosure?.ok === false) return false;
  const outputPath = posix.join(home.turns, "probe.out");
  const end = await ports.processes.run({
    ...command,
    enclosure: enclosure?.value,
    stdin: "",
    stdoutPath: outputPath,
    stderrPath: outputPath,
    timeoutMs: PROBE_MS_MAX,
    runId: runIdOf(home, role),
    signal,
  });
  need(ports.files.remove(outputPath));
  return end.ok && end.value.kind === "exited" && end.value.exitCode === 0;
}
