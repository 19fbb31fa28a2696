import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { FileFailure } from "../../base/files.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/repo.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/command-result.ts";
import { ensureSetup } from "../clone-setup.ts";
import { commandKey } from "../command-key.ts";
import { failingTests } from "../failing-tests.ts";
import type { RoleContext } from "../role-context.ts";
import { runCommands, tailOf, type CommandsEnd } from "../run-commands.ts";
import { clip } from "../clip.ts";
import type { Texts } from "./compare-tests.ts";
import { layOldTests } from "./lay-old-tests.ts";

/** Which tests to lay over which tree. */
export interface OldTestsRun {
  readonly unit: string;
  readonly clone: Clone;
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
 * Runs the project's verify commands on the tree of `end`, with test files, and the commands that
 * stand behind verify (scripts, recipes), as they were at `start`; then the clone is clean at `end` again. Remembered by both.
 */
export async function runOldTests(
  context: RoleContext<"reviewer">,
  remembered: ReadonlyMap<string, RanCommand>,
  tests: OldTestsRun,
): Promise<OldTestsEnd> {
  const { journal, session } = context;
  const { unit, clone, start, end } = tests;
  const command = commandKey(session.verify);
  const tree = need(await clone.treeOf(end));
  const key = { command, tree, tests: start };
  const known = remembered.get(ranKey(key));
  if (known !== undefined) return ended(context, known);
  const time = journal.time();
  const output = `${time.replace(/[:.]/g, "-")}-old-tests-${abbreviate(end)}`;
  const ran = await runOver(context, tests, output);
  need(await clone.syncTo(end));
  if (ran.kind === "stopped") return ran;
  const result = resultOf(context, ran, output);
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
  context: RoleContext<"reviewer">,
  { clone, start, end, paths, commands }: OldTestsRun,
  output: string,
): Promise<Ran> {
  const { session, ports } = context;
  need(await clone.syncTo(end));
  const setup = await ensureSetup(context, clone);
  if (setup.kind === "stopped") return setup;
  if (setup.kind === "failed") return { kind: "unstarted", reason: `setup: ${setup.reason}` };
  const laid = await layOldTests(ports.files, clone, { from: start, paths, commands });
  // A file may now be where a folder was: that is no reason to end, and no finding either.
  if (!laid.ok) return { kind: "unstarted", reason: reasonOf(laid.failure) };
  return runCommands(context, {
    commands: session.verify,
    cwd: clone.directory,
    output,
    timeoutMs: session.verifyTimeoutMs,
  });
}

function reasonOf(failure: GitFailure | FileFailure): string {
  return "message" in failure ? failure.message : `${failure.path}: ${failure.errno}`;
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
