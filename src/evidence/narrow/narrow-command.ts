import { NARROWED_TESTS_MAX } from "../../base/look-limits.ts";
import type { PassReader } from "../printed/listed-tree.ts";
import { javascriptNarrowers } from "./narrow-javascript.ts";
import { nativeNarrowers } from "./narrow-native.ts";
import { otherNarrowers } from "./narrow-others.ts";
import { pythonNarrowers } from "./narrow-python.ts";
import {
  isBelow,
  wantedTest,
  type Narrower,
  type WantedFile,
  type WantedTest,
} from "./narrower.ts";
import { callsScript, plainScript, type PlainScript } from "./plain-script.ts";

/** The runners that wisp can make to run chosen tests only. */
export const NARROWERS: readonly Narrower[] = [
  ...javascriptNarrowers,
  ...pythonNarrowers,
  ...nativeNarrowers,
  ...otherNarrowers,
];

/** A command that runs some tests only, and how what passed is read in its output. */
export interface NarrowedCommand {
  readonly argv: readonly string[];
  /** The identities of the tests that it runs. */
  readonly tests: readonly string[];
  readonly passed: PassReader;
}

/** A verify command, and what it may lead to. */
export interface VerifyCommand {
  readonly argv: readonly string[];
  /** The package.json of the commit; undefined if there is none. */
  readonly manifest: string | undefined;
}

/**
 * The commands that run some tests of a verify command alone. Undefined if its runner, its words or the names of the tests
 * do not allow that, so that only the whole can be run. Whether a test ran can be seen in the output only: most runners
 * are content if nothing matches. Pure.
 *
 * @param tests identities, as in records
 */
export function narrowCommand(
  { argv, manifest }: VerifyCommand,
  tests: readonly string[],
): readonly NarrowedCommand[] | undefined {
  const started = startedBy({ argv, manifest });
  const wanted = tests.flatMap((text) => wantedTest(text) ?? []);
  if (wanted.length < tests.length || tests.length === 0 || tests.length > NARROWED_TESTS_MAX) {
    return undefined;
  }
  if (started === undefined) return undefined;
  const groups = started.narrower.isPerFile ? byFile(wanted) : [wanted];
  const all = groups.flatMap((group) => narrowed(started, group) ?? []);
  return all.length === groups.length ? all : undefined;
}

/**
 * The command that runs one test file of a verify command alone. Undefined if its runner or its words do not allow that, or
 * if it is not certain that the file is one of those that the whole runs. Pure.
 */
export function narrowToFile(
  command: VerifyCommand,
  file: WantedFile,
): readonly string[] | undefined {
  const started = isBelow(file.path) ? startedBy(command) : undefined;
  const { narrower, words = [], start = 0 } = started ?? {};
  const chosen = narrower?.ofFile?.(words.slice(start), file);
  return started && chosen && withArguments(started, chosen);
}

/** The runner that a command starts, itself or by a script. */
function startedBy({ argv, manifest }: VerifyCommand): Started | undefined {
  const script = callsScript(argv) ? plainScript(argv, manifest) : undefined;
  if (callsScript(argv) && script === undefined) return undefined;
  const words = script?.words ?? argv;
  for (const narrower of NARROWERS) {
    const start = narrower.startOf(words);
    if (start !== undefined) return { narrower, words, start, script };
  }
  return undefined;
}

interface Started {
  readonly narrower: Narrower;
  readonly words: readonly string[];
  readonly start: number;
  readonly script: PlainScript | undefined;
}

function narrowed(started: Started, group: readonly WantedTest[]): NarrowedCommand | undefined {
  const { narrower, words, start } = started;
  const chosen = narrower.narrow(words.slice(start), group);
  const argv = chosen && withArguments(started, chosen);
  const tests = group.map(({ text }) => text);
  return argv && { argv, tests, passed: narrower.passed };
}

/** The command with other arguments for its runner; undefined if they cannot be given to it. */
function withArguments(
  { words, start, script }: Started,
  chosen: readonly string[],
): readonly string[] | undefined {
  const args = words.slice(start);
  const own = [...words.slice(0, start), ...chosen];
  if (script === undefined) return own;
  const isAppended = args.every((word, at) => chosen[at] === word);
  if (isAppended) return script.append(chosen.slice(args.length));
  // Without the package manager, programs of the project are not found by their name, nor does a shell replace words.
  const kept = chosen.filter((word) => args.includes(word));
  const isPlain = words[0] === "node" && !kept.some((word) => /[*?[\]{}~]/.test(word));
  const { variables } = script;
  const argv = variables.length === 0 ? own : ["env", ...variables, ...own];
  return isPlain ? argv : undefined;
}

function byFile(tests: readonly WantedTest[]): readonly (readonly WantedTest[])[] {
  const files = [...new Set(tests.map(({ parts: [file] }) => file))];
  return files.map((name) => tests.filter(({ parts: [file] }) => file === name));
}
