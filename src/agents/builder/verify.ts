import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { verifyKey, type BuilderFold, type VerifyResult } from "../../fs-protocol/builder-state.ts";
import { namedForCommands } from "../command-environment.ts";
import { commandKey } from "../command-key.ts";
import type { RoleContext } from "../role-context.ts";
import { runInOrder, tailOf, type CommandsEnd } from "../run-in-order.ts";
import { clip } from "../clip.ts";
import { failingTests } from "../failing-tests.ts";
import { isNoWorse } from "./no-worse.ts";

/** Of a run's output that is looked through for failing tests: a prompt's end of it misses the first. */
const READ_CHARS_MAX = 1024 * 1024;

/** What verify says of a commit, as the builder needs it. */
export type Verified =
  (VerifyResult & { readonly kind: "verified" }) | { readonly kind: "stopped" };

/**
 * The project's own verify command, run by wisp in a verify tree, on nothing but the commit. Results are
 * remembered by tree, command and setup, in the journal: the same is not run twice, unless it was red and is
 * `judged` again: a test that failed by chance must not be held against it for ever (R24).
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
  const { tree, setup } = await context.trees.factsAt(at);
  const command = commandKey(session.verify);
  const known = fold.verified.get(verifyKey(command, tree));
  // A result without the setup that it was made with was made elsewhere, where engines write.
  const isComparable = known?.setup === setup;
  const isGoodFor = known?.outcome === "passed" || purpose === "reference";
  if (known !== undefined && isComparable && isGoodFor) return { kind: "verified", ...known };
  const { end, isOfCommit } = await runVerify(context, at);
  // A setup that fails (the network is down) says nothing of the commit: it is run again the next time.
  if (end.kind === "stopped" || !isOfCommit) return end;
  const { outcome, failing, output } = end;
  journal.append({
    kind: "verify.result",
    time: journal.time(),
    at,
    tree,
    command,
    setup,
    outcome,
    failing: failing === undefined ? undefined : [...failing],
    output,
  });
  return { ...end, setup };
}

interface Run {
  readonly end: Verified;
  /** Whether it says something of the commit. */
  readonly isOfCommit: boolean;
}

async function runVerify(context: RoleContext<"builder">, at: Oid): Promise<Run> {
  const { session, home, ports, journal, trees, signal, role } = context;
  const output = `${journal.time().replace(/[:.]/g, "-")}-verify-${abbreviate(at)}`;
  const used = await trees.use({ at, output }, ({ run }) =>
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
    case "stopped":
      return { end: used, isOfCommit: false };
    case "unready":
      return {
        end: red(context, used.reason, used.output ?? output, undefined),
        isOfCommit: used.stage === "build",
      };
    case "done":
      return { end: endOf(context, used.value, output), isOfCommit: true };
  }
}

function endOf(context: RoleContext<"builder">, end: CommandsEnd, output: string): Verified {
  switch (end.kind) {
    case "stopped":
      return { kind: "stopped" };
    case "passed":
      return { kind: "verified", outcome: "passed", failing: undefined, output };
    case "failed": {
      const { files } = context.ports;
      const printed = tailOf(files, join(context.home.turns, `${output}.out`), READ_CHARS_MAX);
      return red(context, end.reason, output, failingTests(printed));
    }
  }
}

/** What printed nothing (it was missing, it hung) has its reason in the next prompt, too. */
function red(
  { ports, home }: RoleContext<"builder">,
  reason: string,
  output: string,
  failing: readonly string[] | undefined,
): Verified {
  const path = join(home.turns, `${output}.out`);
  need(ports.files.append(path, Buffer.from(`${clip(reason)}\n`)));
  return { kind: "verified", outcome: "failed", failing, output };
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
