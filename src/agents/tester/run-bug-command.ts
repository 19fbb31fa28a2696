import { basename, join } from "node:path";
import { need } from "../../base/fatal.ts";
import {
  BUG_COMMAND_MS_MAX,
  BUG_OUTPUT_BYTES_MAX,
  BUG_OUTPUT_TAIL_CHARS_MAX,
} from "../../base/limits.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { RunEnd, SpawnFailure } from "../../base/ports/processes.ts";
import type { Result } from "../../base/result.ts";
import type { SandboxFailure } from "../../base/ports/sandbox.ts";
import type { BugCommand } from "./bug-command.ts";
import type { CommandWords } from "./command-line.ts";
import { repeatBugRun } from "./repeat-bug-run.ts";
import { runOnNetworks, type RunOnNetwork } from "./run-on-networks.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import { failureLine, namedExcerpt } from "../../evidence/verify/failure-report.ts";
import { allAlone, type Alone } from "../../evidence/look/alone-here.ts";
import { isFromOutside } from "../../evidence/look/judge-run.ts";
import { isFull } from "../../evidence/verify/run-verify.ts";
import { networkAt } from "../../evidence/look/kept-network.ts";
import { Repeats } from "../../evidence/look/repeats.ts";
import { aloneFields } from "../../evidence/look/take-look.ts";
import { readFailures } from "../../evidence/verify/read-failures.ts";
import { redOutput } from "../../evidence/verify/red-output.ts";
import type { OldTests } from "../../work/verify-trees.ts";
import { needRoom } from "../../work/turn/need-room.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail, whyNotRun } from "../../work/run-in-order.ts";
import type { TreeEnd, Unready } from "../../work/verify-trees.ts";
import { clip } from "../../work/clip.ts";

/** A command that should show a bug, and the commit to run it on. */
export interface BugRun {
  readonly unit: string;
  readonly command: BugCommand;
  readonly at: Oid;
  /** Tests of another commit, overlaid on the tree first. */
  readonly tests?: OldTests | undefined;
}

export type BugRunEnd =
  | {
      readonly kind: "ran";
      /** `unstarted` proves nothing about the tree. */
      readonly outcome: RanCommand["outcome"];
      /** How it ended; empty if it passed. */
      readonly reason: string;
      /** Whether it failed in a run before the one in which it passed. */
      readonly isUnsteady: boolean;
      /** Names of failing tests; empty if the output could not be parsed. */
      readonly failing: readonly string[];
      readonly tally: RanCommand["tally"];
      /** The end of its output and how it ended, cleaned and bounded. */
      readonly tail: string;
      /** The names of tests, the first failure, the end of its output and how it ended, for people and engines; bounded. */
      readonly shown: string;
      /** The same in one line: names of tests first. */
      readonly line: string;
    }
  | { readonly kind: "stopped" }
  /** There was no tree to run it in. This proves nothing, and the attempt is repeated. */
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Runs a bug's command in a verify tree with nothing but the given commit, with its paths into the project replaced by
 * those of the tree: without a shell, with only the
 * environment variables that the settings name for commands, and within limits of time and output. The result
 * is recorded. A command that fails on a loopback of its own is run with the machine's network as well, and one that fails is
 * repeated: each run but the first is alone, as repeated looks at verify are. A recorded result for the same tree is reused if the command passed, or if the same unit ran it.
 */
export async function runBugCommand(
  context: RoleContext<"tester">,
  remembered: ReadonlyMap<string, RanCommand>,
  run: BugRun,
): Promise<BugRunEnd> {
  const { journal } = context;
  const { unit, at, tests } = run;
  const { key: command } = run.command;
  const { tree, setup } = await context.trees.factsAt(at);
  const key = { command, tree, tests: tests?.from };
  const known = remembered.get(ranKey(key));
  const isComparable = known?.setup === setup;
  if (known !== undefined && isComparable && (known.outcome === "passed" || known.unit === unit)) {
    return ended(context, known);
  }
  const network = networkAt(context, need(await context.reader.read()).builder, tree);
  const alones: Alone[] = [];
  const repeats = new Repeats(context, "the command of a bug");
  let taken = 0;
  const ran = await repeatBugRun((n, before) => {
    const once = async (on: LookNetwork | undefined): Promise<RunOnNetwork> => {
      taken += 1;
      const ended = await repeats.take(taken, (alone) => {
        if (alone !== undefined) alones.push(alone);
        return runOnce(context, run, { network: on, n });
      });
      return ended ?? { kind: "stopped" };
    };
    return before === undefined ? runOnNetworks(network, once) : once(before.network);
  });
  if (ran.kind !== "judged") return ran;
  const looks = ran.looks > 1 ? { looks: ran.looks } : {};
  const measured = { ...looks, ...aloneFields(allAlone(alones)) };
  const result = { unit, of: "bug", setup, ...ran.result, ...measured } as const;
  journal.append({ kind: "command.result", time: journal.time(), at, ...key, ...result });
  return ended(context, result);
}

/** Runs the command once, on one network. */
async function runOnce(
  context: RoleContext<"tester">,
  run: BugRun,
  { network, n }: { readonly network: LookNetwork | undefined; readonly n: number },
): Promise<RunOnNetwork> {
  const again = n === 1 ? "" : `-${String(n)}`;
  const output = `${outputOf(context, run)}${network === "machine" ? "-network" : ""}${again}`;
  const path = join(context.home.turns, `${output}.out`);
  const used = await start(context, run, { path, network });
  if (used.kind === "stopped") return used;
  if (used.kind === "unready" && used.stage === "setup") {
    return { kind: "failed", reason: `setup: ${used.reason}` };
  }
  const { words } = run.command;
  const judged = used.kind === "done" ? judge(used.value, context, words) : unstarted(used);
  // What ends this process may have ended the command, too: that is an interruption, not a failure.
  if (judged === undefined || (judged.outcome !== "passed" && context.signal.aborted)) {
    return { kind: "stopped" };
  }
  if (judged.outcome !== "passed") needRoom(context.ports.files, context.home);
  const failures = judged.outcome === "failed" ? await failuresOf(context, output) : {};
  cutOutput(context, path);
  const { isPassing = false, ...result } = judged;
  return { kind: "judged", result: { ...result, ...failures, output }, isPassing, network };
}

function outputOf(
  { journal }: RoleContext<"tester">,
  { at, tests, command: { key } }: BugRun,
): string {
  const time = journal.time().replace(/[:.]/g, "-");
  return `${time}-bug-${abbreviate(at)}-${key}${tests === undefined ? "" : "-old-tests"}`;
}

interface Started {
  readonly end: Result<RunEnd, SpawnFailure | SandboxFailure>;
  readonly isDiskFull: boolean;
}

function start(
  { trees, session, ports }: RoleContext<"tester">,
  { command, at, tests }: BugRun,
  { path, network }: { readonly path: string; readonly network: LookNetwork | undefined },
): Promise<TreeEnd<Started>> {
  return trees.use({ at, tests }, async ({ run, directory }) => {
    const end = await run(command.within(directory), {
      outputPath: path,
      timeoutMs: timeoutMsOf(session),
      outputBytesMax: BUG_OUTPUT_BYTES_MAX,
      envNames: session.commands?.env ?? [],
      named: personsCommand(session, command.words),
      hasOwnLoopback: network === "own",
    });
    return { end, isDiskFull: isFull(ports, directory) };
  });
}

/** Nothing ran, so the result proves nothing about the commit. */
function unstarted({ stage, reason }: Unready): JudgedOnce {
  const words = stage === "build" ? `build: ${reason}` : reason;
  return { outcome: "unstarted", reason: clip(words) };
}

/** A command that the person's settings contain word for word counts as the person's own. */
function personsCommand(
  { verify }: RoleContext["session"],
  words: CommandWords,
): readonly string[] | undefined {
  const isTheirs = (command: readonly string[]) =>
    command.length === words.length && command.every((word, at) => word === words[at]);
  return verify.some(isTheirs) ? words : undefined;
}

function timeoutMsOf({ verifyTimeoutMs }: RoleContext["session"]): number {
  return Math.min(verifyTimeoutMs, BUG_COMMAND_MS_MAX);
}

/** Exit codes with which programs such as `env`, `npx` and `sh` report that they could not start a program. */
const NOT_STARTED = [126, 127];

/** Programs that exit with 1 for a negative answer, and with 2 if they failed. */
const QUERY_PROGRAMS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg", "test", "["]);
const QUERY_FAILED = 2;

interface JudgedOnce extends Pick<RanCommand, "outcome" | "reason"> {
  readonly isPassing?: true;
}

function judge(
  { end, isDiskFull }: Started,
  { session }: RoleContext<"tester">,
  [executable]: CommandWords,
): JudgedOnce | undefined {
  if (!end.ok) return { outcome: "unstarted", reason: clip(whyNotRun(end.failure)) };
  const { value } = end;
  const isPassed = value.kind === "exited" && value.exitCode === 0;
  if (isDiskFull && !isPassed && value.kind !== "stopped") {
    return { outcome: "unstarted", reason: "the disk is full", isPassing: true };
  }
  switch (value.kind) {
    case "stopped":
      return undefined;
    case "timed-out":
      return {
        outcome: "failed",
        reason: `it did not end within ${secondsOf(timeoutMsOf(session))} s`,
      };
    case "killed": {
      const reason = `it was ended by ${value.signalName}`;
      if (isFromOutside(value.signalName)) {
        return { outcome: "unstarted", reason, isPassing: true };
      }
      return value.signalName === "SIGXFSZ"
        ? { outcome: "failed", reason: "it printed without end" }
        : { outcome: "failed", reason };
    }
    case "exited": {
      if (value.exitCode === 0) return { outcome: "passed", reason: undefined };
      const isMissing = NOT_STARTED.includes(value.exitCode);
      const reason = `it exited with ${String(value.exitCode)}`;
      const program = basename(executable);
      if (QUERY_PROGRAMS.has(program) && value.exitCode === QUERY_FAILED) {
        return { outcome: "unstarted", reason: `${reason}: ${program} could not look` };
      }
      return isMissing
        ? { outcome: "unstarted", reason: `${reason}: a program is missing` }
        : { outcome: "failed", reason };
    }
  }
}

function secondsOf(durationMs: number): string {
  return String(Math.ceil(durationMs / 1000));
}

async function failuresOf(
  context: RoleContext<"tester">,
  output: string,
): Promise<Pick<RanCommand, "failing" | "tally">> {
  const { failing, tally } = await readFailures(context, output);
  return { failing: failing === undefined ? undefined : [...failing], tally };
}

/** Keeps only the end of an output that reached the limit. */
function cutOutput({ ports: { files } }: RoleContext<"tester">, path: string): void {
  const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
  if (sizeBytes <= BUG_OUTPUT_BYTES_MAX) return;
  const tailBytes = BUG_OUTPUT_BYTES_MAX / 8;
  const tail = need(files.readChunk(path, sizeBytes - tailBytes, tailBytes));
  need(files.replace(path, tail));
}

function ended(
  context: RoleContext<"tester">,
  { outcome, reason = "", failing = [], tally, output, looks = 1 }: Omit<RanCommand, "unit">,
): BugRunEnd {
  const { home, ports } = context;
  const path = output === undefined ? undefined : join(home.turns, `${output}.out`);
  const printed =
    path === undefined ? "" : cleanedTail(ports.files, path, BUG_OUTPUT_TAIL_CHARS_MAX);
  const how = reason === "" ? "" : `(${reason})`;
  const withEnding = (text: string) => [text, how].filter((part) => part !== "").join("\n");
  const red = redOutput(context, { output, failing });
  // A command that printed nothing is told by how it ended.
  const line = printed === "" ? reason : failureLine(red, how);
  const isUnsteady = outcome === "passed" && looks > 1;
  const ran = { kind: "ran", outcome, reason, isUnsteady, failing, tally, line } as const;
  return { ...ran, tail: withEnding(printed), shown: withEnding(namedExcerpt(red)) };
}
