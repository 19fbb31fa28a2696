import { join } from "node:path";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/command-result.ts";
import { namedForCommands } from "../command-environment.ts";
import { commandKey } from "../command-key.ts";
import { failingTests } from "../failing-tests.ts";
import type { RoleContext } from "../role-context.ts";
import { runInOrder, tailOf, type CommandsEnd } from "../run-in-order.ts";
import { clip } from "../clip.ts";
import type { Texts } from "./compare-tests.ts";

/** Which tests to lay over which tree. */
export interface OldTestsRun {
  readonly unit: string;
  readonly start: Oid;
  readonly end: Oid;
  /** Test files as they were at `start`, all of which are there. */
  readonly paths: readonly string[];
  /** Files of `end` with the test commands of `start`. */
  readonly commands: Texts;
}

export type OldTestsEnd =
  | {
      readonly kind: "ran";
      readonly outcome: RanCommand["outcome"];
      readonly reason: string;
      /** Undefined: none could be told. */
      readonly failing: readonly string[] | undefined;
      /** The end of the output, cleaned. */
      readonly tail: string;
    }
  | { readonly kind: "stopped" };

/**
 * Runs the project's verify commands on the tree of `end`, in a verify tree, with test files, and the commands that
 * stand behind verify (scripts, recipes), as they were at `start`. Remembered by both.
 */
export async function runOldTests(
  context: RoleContext<"reviewer">,
  remembered: ReadonlyMap<string, RanCommand>,
  tests: OldTestsRun,
): Promise<OldTestsEnd> {
  const { journal, session } = context;
  const { unit, start, end } = tests;
  const command = commandKey(session.verify);
  const { tree, setup } = await context.trees.factsAt(end);
  const key = { command, tree, tests: start };
  const known = remembered.get(ranKey(key));
  if (known?.setup === setup) return ended(context, known);
  const time = journal.time();
  const output = `${time.replace(/[:.]/g, "-")}-old-tests-${abbreviate(end)}`;
  const ran = await runOver(context, tests, output);
  if (ran.kind === "stopped") return ran;
  const result = { ...resultOf(context, ran, output), setup };
  journal.append({
    kind: "command.result",
    time: journal.time(),
    unit,
    at: end,
    ...key,
    ...result,
  });
  return ended(context, result);
}

type Ran = CommandsEnd | { readonly kind: "unstarted"; readonly reason: string };

async function runOver(
  { session, ports, home, role, signal, trees }: RoleContext<"reviewer">,
  { start, end, paths, commands }: OldTestsRun,
  output: string,
): Promise<Ran> {
  const tests = { from: start, paths, commands };
  const used = await trees.use({ at: end, tests, output }, ({ run }) =>
    runInOrder(run, {
      commands: session.verify,
      outputPath: join(home.turns, `${output}.out`),
      timeoutMs: session.verifyTimeoutMs,
      envNames: namedForCommands(session, role),
      files: ports.files,
      signal,
    }),
  );
  switch (used.kind) {
    case "done":
      return used.value;
    case "stopped":
      return used;
    case "unready": {
      const { stage, reason } = used;
      // Tests that no longer fit into what is built fail, as they would in a suite that builds itself.
      if (stage === "build") return { kind: "failed", reason, tail: "" };
      // A file may now be where a folder was: that is no reason to end, and no finding either.
      return { kind: "unstarted", reason: stage === "setup" ? `setup: ${reason}` : reason };
    }
  }
}

/** Of an output that is looked through for failing tests. */
const READ_CHARS_MAX = 1024 * 1024;

function resultOf(
  { home, ports }: RoleContext<"reviewer">,
  ran: Exclude<Ran, { kind: "stopped" }>,
  output: string,
): Omit<RanCommand, "unit"> {
  switch (ran.kind) {
    case "passed":
      return { outcome: "passed", reason: undefined, failing: undefined, output };
    case "unstarted":
      return {
        outcome: "unstarted",
        reason: clip(ran.reason),
        failing: undefined,
        output: undefined,
      };
    case "failed": {
      const failing = failingTests(
        tailOf(ports.files, join(home.turns, `${output}.out`), READ_CHARS_MAX),
      );
      return {
        outcome: "failed",
        reason: clip(ran.reason),
        failing: failing === undefined ? undefined : [...failing],
        output,
      };
    }
  }
}

function ended(
  { home, ports }: RoleContext<"reviewer">,
  { outcome, reason = "", failing, output }: Omit<RanCommand, "unit">,
): OldTestsEnd {
  const tail = output === undefined ? "" : tailOf(ports.files, join(home.turns, `${output}.out`));
  return { kind: "ran", outcome, reason, failing, tail };
}
