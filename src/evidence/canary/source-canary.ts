import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { SOURCE_MODULES_MAX } from "../../base/look-limits.ts";
import { SOURCE, ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import { baseAnswerOf, type BaseAnswer } from "../../session/state/base-outcome.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { clip } from "../../work/clip.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { IMPORT_LINES } from "../harness/import-edges.ts";
import { testFileMatcher } from "../integrity/changed-tests.ts";
import { named } from "../integrity/left-out.ts";
import { commandKey } from "../verify/command-key.ts";
import { runVerify } from "../verify/run-verify.ts";
import type { VerifyUnknown } from "../verify/verify-head.ts";
import { modulesOfTests } from "./imported-modules.ts";

/** Nothing parses this: neither the languages whose imports wisp reads, nor what compiles them. */
const UNLOADABLE = ")}{(\n";

type Seen = Pick<RanCommand, "outcome" | "reason" | "output">;

/**
 * Checks once in a session whether verify looks at the tree at all, and not at an installed copy of the product: at the
 * base, the module that most tests import is overwritten by text that cannot be loaded, and up to two more after it. If
 * verify stays green with each, a person is asked, before anything is tested. The result is on record; where there is no
 * such module, or verify was red at the base, that it is not known is.
 */
export async function checkSource(
  context: RoleContext<"tester">,
  state: SessionState,
  unit: string,
): Promise<{ readonly kind: "checked" } | VerifyUnknown> {
  const { session, journal } = context;
  if (session.version < 3 || session.verify.length === 0) return { kind: "checked" };
  const at = session.base;
  const { tree, setup } = await context.trees.factsAt(at);
  const key = { command: `${SOURCE}${commandKey(session.verify)}`, tree };
  const known = state.tester.ran.get(ranKey({ ...key, tests: undefined }));
  const answer = answerIn(state, at);
  if (answer === "accept" || (known !== undefined && known.outcome !== "passed")) {
    return { kind: "checked" };
  }
  const isAsked = known !== undefined && answer === undefined;
  const seen = isAsked ? known : await lookWithout(context, state, at);
  if (seen === "stopped") return { kind: "stopped" };
  if (!isAsked) {
    journal.append({
      ...{ kind: "command.result", time: journal.time(), unit, at, ...key, setup },
      ...{ outcome: seen.outcome, reason: seen.reason, output: seen.output },
    });
  }
  if (seen.outcome !== "passed") return { kind: "checked" };
  return { kind: "question", outcome: "needs_input", question: questionAbout(at, seen.reason) };
}

/** How verify ended with one module after the other overwritten. */
async function lookWithout(
  context: RoleContext<"tester">,
  { builder }: SessionState,
  at: Oid,
): Promise<Seen | "stopped"> {
  if (builder.baseline?.outcome !== "passed") return unknown("verify is not green at the base");
  if (builder.baseline.ran === 0) return unknown("no test ran at the base");
  const modules = await modulesAt(context, at);
  if (modules.length === 0) return unknown("no module is known that tests import from the tree");
  let seen: Seen | "stopped" = unknown("");
  for (const [index, path] of modules.entries()) {
    seen = await overwritten(context, at, {
      path,
      n: index + 1,
      network: builder.baseline.network,
    });
    if (seen === "stopped" || seen.outcome !== "passed") return seen;
  }
  return { ...seen, reason: clip(named(modules)) };
}

function unknown(reason: string): Seen {
  return { outcome: "unstarted", reason: clip(reason), output: undefined };
}

interface Overwritten {
  readonly path: string;
  readonly n: number;
  readonly network: LookNetwork | undefined;
}

/** How verify ended with one module overwritten. */
async function overwritten(
  context: RoleContext<"tester">,
  at: Oid,
  { path, n, network }: Overwritten,
): Promise<Seen | "stopped"> {
  const time = context.journal.time().replace(/[:.]/g, "-");
  const output = `${time}-source-${abbreviate(at)}-${String(n)}`;
  const tests = { from: at, paths: [], commands: new Map([[path, UNLOADABLE]]) };
  const used = await runVerify(context, { at, tests, output, network });
  if (used.kind === "stopped") return "stopped";
  const noticed: Seen = { outcome: "failed", reason: clip(path), output };
  // A build that fails has noticed it.
  if (used.kind === "unready") return used.stage === "build" ? noticed : unknown(used.reason);
  const { end, isDiskFull } = used.value;
  if (end.kind === "stopped") return "stopped";
  if (end.kind === "passed") return { outcome: "passed", reason: clip(path), output };
  return end.ended.kind === "exited" && !isDiskFull ? noticed : unknown(end.reason);
}

async function modulesAt(
  { clone: open, session }: RoleContext<"tester">,
  at: Oid,
): Promise<readonly string[]> {
  const clone = await open();
  need(await clone.bring(at));
  const paths = new Set(need(await clone.pathsAt(at)));
  const lines = need(await clone.linesLike(at, IMPORT_LINES));
  const modules = modulesOfTests(lines, paths, testFileMatcher(session.testPaths));
  return modules.slice(0, SOURCE_MODULES_MAX);
}

const ASKED = "Verify is green at ";

function questionAbout(at: Oid, modules = ""): string {
  return (
    `${ASKED}${abbreviate(at)} also where these cannot be loaded, one after the other: ${modules}. Tests import them, ` +
    `so it does not look at the tree that it runs in, but perhaps at an installed copy, and nothing that it says counts ` +
    `for these commits. Have setup or verify use the tree's own files, for example by an editable install, then answer ` +
    `"again". Or answer "accept": ` +
    `verify counts as it is.`
  );
}

/** What a person answered the last time that this was asked; undefined if it was not, or has no answer. */
function answerIn({ tester, human }: SessionState, at: Oid): BaseAnswer | undefined {
  const asked = tester.questions.findLast(({ ask }) => ask.startsWith(`${ASKED}${abbreviate(at)}`));
  const answer = asked && human.answers.get(asked.id);
  return answer === undefined ? undefined : baseAnswerOf(answer);
}
