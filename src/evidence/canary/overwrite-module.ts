import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { VerifyTree, WantedTree } from "../../work/verify-trees.ts";
import { narrowToFile } from "../narrow/narrow-command.ts";
import { callsScript } from "../narrow/plain-script.ts";
import { NARROWED_OUTPUT_MAX } from "../narrow/tests-printed.ts";
import { namedForCommands } from "../verify/command-environment.ts";
import { runVerify } from "../verify/run-verify.ts";
import type { TestedModule } from "./imported-modules.ts";

/** What a run showed. `failed`: it loads the module from its tree; `passed`: it does not. */
export type SourceSeen = Pick<RanCommand, "outcome" | "reason" | "output">;

/** A module to overwrite, at a commit where verify is green. */
export interface OverwriteWanted {
  readonly at: Oid;
  readonly module: TestedModule;
  /** Its number among those that are overwritten, from 1. */
  readonly n: number;
  readonly network: LookNetwork | undefined;
  /** What verify printed at that commit as it is. */
  readonly printed: string;
}

/** What overwrites modules needs no journal. */
export type OverwriteContext = Omit<RoleContext, "journal">;

/** A result that shows nothing. */
export function unknownSource(reason: string): SourceSeen {
  return { outcome: "unstarted", reason: clip(reason), output: undefined };
}

/** Runs the whole of verify with a module overwritten. */
export async function lookWithoutModule(
  context: OverwriteContext,
  wanted: OverwriteWanted,
): Promise<SourceSeen | "stopped"> {
  const { network, module } = wanted;
  const output = outputOf(context, wanted, "");
  const tree = treeWith(wanted, output, wordOf(context));
  const used = await runVerify(context, { ...tree, output, network });
  if (used.kind === "stopped") return "stopped";
  const reason = clip(module.path);
  // A build that fails has noticed it.
  if (used.kind === "unready") {
    return used.stage === "build"
      ? { outcome: "failed", reason, output }
      : unknownSource(used.reason);
  }
  const { end, isDiskFull } = used.value;
  if (end.kind === "stopped") return "stopped";
  if (end.kind === "passed") return { outcome: "passed", reason, output };
  return end.ended.kind === "exited" && !isDiskFull
    ? { outcome: "failed", reason, output }
    : unknownSource(end.reason);
}

/**
 * Runs one of the test files that import a module, with the module overwritten. That it fails proves nothing by itself:
 * only if what is printed holds a word of the text in the module's place, which nobody can know beforehand, that text was
 * loaded.
 *
 * @returns `unclear` if no test file can be run alone, or if that shows nothing
 */
export async function lookAtOneTest(
  context: OverwriteContext,
  wanted: OverwriteWanted,
): Promise<SourceSeen | "stopped" | "unclear"> {
  const { module, network } = wanted;
  const command = await commandFor(context, wanted);
  if (command === undefined) return "unclear";
  const output = outputOf(context, wanted, "-narrowed");
  const word = wordOf(context);
  const used = await context.trees.use(treeWith(wanted, output, word), ({ run }) =>
    runOneFile(context, { run, output, network }, command),
  );
  if (used.kind === "stopped" || context.signal.aborted) return "stopped";
  const reason = clip(module.path);
  if (used.kind === "unready") {
    return used.stage === "build" ? { outcome: "failed", reason, output } : "unclear";
  }
  const { exitCode, printed } = used.value;
  if (exitCode === undefined) return "unclear";
  if (exitCode === 0) return { outcome: "passed", reason, output };
  return printed.includes(word) ? { outcome: "failed", reason, output } : "unclear";
}

function outputOf({ ports }: OverwriteContext, { at, n }: OverwriteWanted, end: string): string {
  const time = new Date(ports.clock.nowMs()).toISOString().replace(/[:.]/g, "-");
  return `${time}-source-${abbreviate(at)}-${String(n)}${end}`;
}

/** A word that no file holds: what loads the text in which it is the first one says which one it was. */
function wordOf({ random }: OverwriteContext): string {
  const digits = () =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, "0");
  return `w${digits()}${digits()}`;
}

/** Nothing parses this: neither the languages whose imports wisp reads, nor what compiles them. */
function treeWith({ at, module }: OverwriteWanted, output: string, word: string): WantedTree {
  const commands = new Map([[module.path, `${word} )}{(\n`]]);
  return { at, output, tests: { from: at, paths: [], commands } };
}

interface OneFile {
  /** The command of the settings. */
  readonly whole: readonly string[];
  readonly argv: readonly string[];
}

/** Of more test files, none is tried. */
const TESTS_MAX = 40;

/** How one of the test files is run alone: only one of verify's commands can run it. */
async function commandFor(
  { session, clone }: OverwriteContext,
  { at, module, printed }: OverwriteWanted,
): Promise<OneFile | undefined> {
  const shown =
    session.verify.some(callsScript) && (await (await clone()).show(at, "package.json"));
  const manifest = shown !== false && shown.ok ? shown.value : undefined;
  for (const path of module.tests.slice(0, TESTS_MAX)) {
    const file = { path, isSeen: isSeenIn(printed, path) };
    const able = session.verify.flatMap((whole) => {
      const argv = narrowToFile({ argv: whole, manifest }, file);
      return argv === undefined ? [] : [{ whole, argv }];
    });
    if (able.length === 1) return able[0];
  }
  return undefined;
}

/** Whether a line of a runner's output is about a test file. */
function isSeenIn(printed: string, path: string): boolean {
  return printed.split("\n").some((line) => {
    const [said = ""] = /(?<=^\W*(?:PASS +)?)\w.*$/u.exec(line) ?? [];
    return said.startsWith(path) && /^(?:$|[\s:])/u.test(said.slice(path.length));
  });
}

interface RunPlace extends Pick<VerifyTree, "run">, Pick<OverwriteWanted, "network"> {
  readonly output: string;
}

/** `exitCode`: undefined if it did not end by itself, or printed too much. */
async function runOneFile(
  { ports: { files }, home, session, role }: OverwriteContext,
  { run, output, network }: RunPlace,
  { whole, argv }: OneFile,
): Promise<{ readonly exitCode: number | undefined; readonly printed: string }> {
  const path = join(home.turns, `${output}.out`);
  // What the build printed before may hold the word without having stopped at it.
  const from = files.stat(path)?.sizeBytes ?? 0;
  const end = await run(argv, {
    outputPath: path,
    timeoutMs: session.verifyTimeoutMs,
    envNames: namedForCommands(session, role),
    named: whole,
    ...(network === "own" ? { hasOwnLoopback: true } : {}),
  });
  const bytes = (files.stat(path)?.sizeBytes ?? 0) - from;
  const isOver = end.ok && end.value.kind === "exited" && bytes <= NARROWED_OUTPUT_MAX;
  if (!isOver) return { exitCode: undefined, printed: "" };
  const printed = new TextDecoder().decode(need(files.readChunk(path, from, bytes)));
  // Some runners colour each character of a line of code.
  const plain = cleanText(printed, { charsMax: NARROWED_OUTPUT_MAX, lines: "many" });
  return { exitCode: end.value.exitCode, printed: plain };
}
