import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/repo.ts";
import { verifyKey, type BuilderFold, type VerifyResult } from "../../fs-protocol/builder-state.ts";
import { ensureSetup, setupOutput } from "../clone-setup.ts";
import { commandKey } from "../command-key.ts";
import type { RoleContext } from "../role-context.ts";
import { runCommands, tailOf, type CommandsEnd } from "../run-commands.ts";
import { clip } from "../clip.ts";
import { failingTests } from "../failing-tests.ts";
import { isNoWorse } from "./no-worse.ts";

/** Of a run's output that is looked through for failing tests: a prompt's end of it misses the first. */
const READ_CHARS_MAX = 1024 * 1024;

/** What verify says of a commit, as the builder needs it. */
export type Verified =
  (VerifyResult & { readonly kind: "verified" }) | { readonly kind: "stopped" };

/**
 * The project's own verify command, run by wisp at exactly `at`, on a clean tree, cleaned up after.
 * Results are remembered by tree and command, in the journal: the same tree is not run twice, unless
 * it was red and is `judged` again: a test that failed by chance must not be held against it for ever
 * (R24).
 */
export async function verifyAt(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  at: Oid,
  purpose: "judged" | "reference" = "reference",
): Promise<Verified> {
  const { session, journal } = context;
  if (session.verify.length === 0) {
    return { kind: "verified", outcome: "passed", failing: undefined, output: undefined };
  }
  const clone = await context.clone();
  // A person may have pushed it since the clone was last brought up to date.
  if (!(await clone.has(at))) need(await clone.syncTo(at));
  const tree = need(await clone.treeOf(at));
  const command = commandKey(session.verify);
  const known = fold.verified.get(verifyKey(command, tree));
  const isGoodFor = known?.outcome === "passed" || purpose === "reference";
  if (known !== undefined && isGoodFor) return { kind: "verified", ...known };
  const end = await runVerify(context, clone, at);
  if (end.kind === "stopped") return end;
  const { outcome, failing, output } = end;
  // A setup that fails (the network is down) says nothing of the tree: it is run again the next time.
  if (output === setupOutput(context.role)) return end;
  journal.append({
    kind: "verify.result",
    time: journal.time(),
    at,
    tree,
    command,
    outcome,
    failing: failing === undefined ? undefined : [...failing],
    output,
  });
  return end;
}

async function runVerify(
  context: RoleContext<"builder">,
  clone: Clone,
  at: Oid,
): Promise<Verified> {
  const { session, home, ports } = context;
  need(await clone.syncTo(at));
  const output = `${context.journal.time().replace(/[:.]/g, "-")}-verify-${abbreviate(at)}`;
  const setup = await ensureSetup(context, clone);
  const end: CommandsEnd =
    setup.kind === "passed"
      ? await runCommands(context, {
          commands: session.verify,
          cwd: clone.directory,
          output,
          timeoutMs: session.verifyTimeoutMs,
        })
      : setup;
  need(await clone.clean());
  switch (end.kind) {
    case "stopped":
      return { kind: "stopped" };
    case "passed":
      return { kind: "verified", outcome: "passed", failing: undefined, output };
    case "failed": {
      const wrote = setup.kind === "failed" ? setupOutput(context.role) : output;
      const path = join(home.turns, `${wrote}.out`);
      const printed = wrote === output ? tailOf(ports.files, path, READ_CHARS_MAX) : "";
      // What printed nothing (it was missing, it hung) has its reason in the next prompt, too.
      need(ports.files.append(path, Buffer.from(`${clip(end.reason)}\n`)));
      return {
        kind: "verified",
        outcome: "failed",
        failing: failingTests(printed),
        output: wrote,
      };
    }
  }
}

/** `no`: with the end of the output, for the next prompt. */
export type Acceptance =
  | { readonly kind: "yes" }
  | { readonly kind: "stopped" }
  | { readonly kind: "no"; readonly tail: string };

/**
 * Whether `at` is no worse than one of `references`, which are looked at only when it is red. The last
 * one is what was there right before: that it was red, too, excuses a red that names no tests; that an
 * earlier one was does not.
 */
export async function isAcceptable(
  context: RoleContext<"builder">,
  fold: BuilderFold,
  at: Oid,
  references: readonly Oid[],
): Promise<Acceptance> {
  const after = await verifyAt(context, fold, at, "judged");
  if (after.kind === "stopped") return after;
  if (after.outcome === "passed") return { kind: "yes" };
  for (const reference of new Set(references)) {
    const before = await verifyAt(context, fold, reference);
    if (before.kind === "stopped") return before;
    const isComparable = before.failing !== undefined || reference === references.at(-1);
    if (isComparable && isNoWorse(after, before)) return { kind: "yes" };
  }
  return { kind: "no", tail: outputTail(context, after.output) };
}

/** The end of a verify run's output, for the next prompt. */
export function outputTail(
  { home, ports }: Pick<RoleContext, "home" | "ports">,
  output: string | undefined,
): string {
  return output === undefined ? "" : tailOf(ports.files, join(home.turns, `${output}.out`));
}
