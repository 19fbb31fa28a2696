import { join } from "node:path";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { clip } from "../../work/clip.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { VerifyTree } from "../../work/verify-trees.ts";
import type { NarrowedTests } from "../narrow/judge-narrowed.ts";
import { narrowCommand, type NarrowedCommand } from "../narrow/narrow-command.ts";
import { callsScript } from "../narrow/plain-script.ts";
import { NARROWED_OUTPUT_MAX, testsPrinted } from "../narrow/tests-printed.ts";
import { treesDirectory } from "../verify-tree/tree-place.ts";
import { namedForCommands } from "../verify/command-environment.ts";
import { commandKey } from "../verify/command-key.ts";
import type { Alone } from "./alone-here.ts";
import { aloneFields, type LookContext, type TakenLook } from "./take-look.ts";

/** How the tests of a command are run alone; undefined where they cannot be. */
export interface Narrowing {
  /** The command of the settings. */
  readonly command: readonly string[];
  readonly commandsFor: (tests: readonly string[]) => readonly NarrowedCommand[] | undefined;
}

/** Tests to look at alone, at a commit. */
export interface NarrowedLookWanted {
  readonly at: Oid;
  /** The number of the look among those that decide together, from 1. */
  readonly n: number;
  readonly only: readonly string[];
  readonly narrowing: Narrowing;
  /** Undefined if the sandbox leaves no choice. */
  readonly network: LookNetwork | undefined;
  readonly alone: Alone;
}

/** How tests of the session's verify commands can be run alone; undefined if none or several of the commands may run them. */
export async function narrowingAt(
  context: Pick<RoleContext, "clone" | "session">,
  at: Oid,
  test: string,
): Promise<Narrowing | undefined> {
  const { verify } = context.session;
  const manifest = verify.some(callsScript) ? await manifestAt(context, at) : undefined;
  const able = verify.filter((argv) => narrowCommand({ argv, manifest }, [test]) !== undefined);
  const [command, ...more] = able;
  if (command === undefined || more.length > 0) return undefined;
  const commandsFor: Narrowing["commandsFor"] = (tests) =>
    narrowCommand({ argv: command, manifest }, tests);
  return { command, commandsFor };
}

/** How the tests that failed in a look can be run alone; undefined if they cannot. */
export async function narrowingOf(
  context: Pick<RoleContext, "clone">,
  look: TakenLook,
  at: Oid,
): Promise<Narrowing | undefined> {
  const { command } = look;
  if (command === undefined || !hasNamedAll(look)) return undefined;
  const manifest = callsScript(command) ? await manifestAt(context, at) : undefined;
  const commandsFor: Narrowing["commandsFor"] = (tests) =>
    narrowCommand({ argv: command, manifest }, tests);
  return { command, commandsFor };
}

/**
 * Whether the names stand for all that failed: a run of these tests counts nothing else. In a session that an older wisp
 * began, names are lines of the output.
 */
function hasNamedAll(look: TakenLook): boolean {
  if (look.verdict !== "red" || look.failing === undefined || look.tally === undefined)
    return false;
  const { times, failed = 0, isCut } = look.tally;
  return times === undefined && isCut === undefined && failed <= look.failing.length;
}

async function manifestAt(
  { clone }: Pick<RoleContext, "clone">,
  at: Oid,
): Promise<string | undefined> {
  const shown = await (await clone()).show(at, "package.json");
  return shown.ok ? shown.value : undefined;
}

/**
 * Runs some tests alone, in a verify tree that holds nothing but the commit, and records what that shows of each by its
 * name. The output goes to `logs/turns/<output>.out`.
 */
export async function takeNarrowedLook(
  context: LookContext,
  wanted: NarrowedLookWanted,
): Promise<NarrowedTests | { readonly kind: "stopped" }> {
  const { at, n, only, narrowing } = wanted;
  const { ports, trees, home, signal } = context;
  const beganMs = ports.clock.nowMs();
  const time = new Date(beganMs).toISOString().replace(/[:.]/g, "-");
  const output = `${time}-verify-${abbreviate(at)}-${String(n)}`;
  const path = join(home.turns, `${output}.out`);
  const commands = narrowing.commandsFor(only) ?? [];
  const used = await trees.use({ at, output }, async ({ run }) => {
    const all: NarrowedTests[] = [];
    for (const each of commands) all.push(await runOne(context, { ...wanted, run, path }, each));
    return all;
  });
  if (used.kind === "stopped" || signal.aborted) return { kind: "stopped" };
  const all = used.kind === "done" ? used.value : [];
  const passed = all.flatMap((each) => each.passed);
  const failed = all.flatMap((each) => each.failed);
  const unsaid = only.filter((test) => !passed.includes(test) && !failed.includes(test));
  const tests = { passed, failed, unsaid };
  await recordLook(context, wanted, tests, {
    took: Math.max(0, ports.clock.nowMs() - beganMs),
    output,
  });
  return tests;
}

interface RunPlace extends Pick<VerifyTree, "run">, NarrowedLookWanted {
  readonly path: string;
}

/** Runs one of the commands. If it did not end by itself, nothing is known of its tests. */
async function runOne(
  { session, ports: { files }, role }: LookContext,
  { run, path, narrowing, network }: RunPlace,
  command: NarrowedCommand,
): Promise<NarrowedTests> {
  const from = files.stat(path)?.sizeBytes ?? 0;
  const end = await run(command.argv, {
    outputPath: path,
    timeoutMs: session.verifyTimeoutMs,
    envNames: namedForCommands(session, role),
    // The words that are not the person's are names of tests, which show nothing of the machine.
    named: narrowing.command,
    ...(network === "own" ? { hasOwnLoopback: true } : {}),
  });
  const sizeBytes = (files.stat(path)?.sizeBytes ?? 0) - from;
  const isOver = end.ok && end.value.kind === "exited";
  const bytes =
    isOver && sizeBytes <= NARROWED_OUTPUT_MAX && files.readChunk(path, from, sizeBytes);
  if (bytes === false || !bytes.ok) return { passed: [], failed: [], unsaid: command.tests };
  const printed = new TextDecoder().decode(bytes.value);
  return testsPrinted(command, printed, treesDirectory(session));
}

async function recordLook(
  { journal, session, trees }: LookContext,
  { at, n, only, network, alone }: NarrowedLookWanted,
  { failed, unsaid }: NarrowedTests,
  measured: { readonly took: number; readonly output: string },
): Promise<void> {
  const { tree } = await trees.factsAt(at);
  const isSaid = unsaid.length === 0;
  const seen = failed.length === 0 ? "green" : "red";
  const said = failed.length === 0 ? undefined : clip(`failed alone: ${failed.join(", ")}`);
  journal.append({
    kind: "look",
    time: journal.time(),
    ...{ at, tree, command: commandKey(session.verify), n, only: [...only] },
    verdict: isSaid ? seen : "unknown",
    reason: isSaid ? said : clip(`run alone, the output does not list ${unsaid.join(", ")}`),
    ...measured,
    network,
    ...aloneFields(alone),
    optional: "yes",
  });
}
