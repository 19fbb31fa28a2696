import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import { NO_PROJECT_FACTS } from "../../base/ports/project-facts.ts";
import { SOURCE_MODULES_MAX } from "../../base/look-limits.ts";
import { SOURCE, ranKey, type CommandResult } from "../../fs-protocol/records/command-result.ts";
import { answerOnSource, sourceQuestionAt } from "../../session/rules/source-question.ts";
import type { VerifyResult } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { clip } from "../../work/clip.ts";
import type { Journal } from "../../work/journal.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { IMPORT_LINES } from "../harness/import-edges.ts";
import { testFileMatcher } from "../integrity/changed-tests.ts";
import { named } from "../integrity/left-out.ts";
import { isSearched } from "../missing/searched-files.ts";
import { environmentInTree } from "../missing/uninstalled.ts";
import { commandKey } from "../verify/command-key.ts";
import type { VerifyUnknown } from "../verify/verify-head.ts";
import { modulesOfTests, type TestedModule } from "./imported-modules.ts";
import {
  lookAtOneTest,
  lookWithoutModule,
  unknownSource,
  type OverwriteContext,
  type SourceSeen,
} from "./overwrite-module.ts";

/** A role that records what it saw. */
type SourceContext = OverwriteContext & { readonly journal: Journal<CommandResult> };

/** How verify ended at the base as it is. */
type BaseSeen = Pick<VerifyResult, "outcome" | "ran" | "network" | "output">;

/** A unit that checks, and what it knows. */
export interface SourceCheck {
  readonly unit: string;
  /** Undefined if verify was not run there. */
  readonly base: BaseSeen | undefined;
  /** Whether it is left to another unit if it needs the whole suite, unless a single test file has raised a doubt. */
  readonly isCheap: boolean;
}

/**
 * Checks once in a session whether verify looks at the tree at all, and not at an installed copy of the product: at the
 * base, the module that most tests import is overwritten by text that cannot be loaded, and up to two more after it. If
 * verify stays green with each, a person is asked, before anything is tested. Where the runner can run one of the test files
 * that import the module, and what that prints shows that the text was loaded, the suite is not run. The result is on
 * record; where there is no such module, or verify was red at the base, that it is not known is.
 */
export async function checkSource(
  context: SourceContext,
  state: Pick<SessionState, "builder" | "tester" | "human">,
  { unit, base, isCheap }: SourceCheck,
): Promise<{ readonly kind: "checked" } | VerifyUnknown> {
  const { session, journal } = context;
  if (session.version < 3 || session.verify.length === 0) return { kind: "checked" };
  const at = session.base;
  const { tree, setup } = await context.trees.factsAt(at);
  const key = { command: `${SOURCE}${commandKey(session.verify)}`, tree };
  const ran = ranKey({ ...key, tests: undefined });
  const known = state.tester.ran.get(ran) ?? state.builder.ran.get(ran);
  const answer = answerOnSource(state, at);
  if (answer === "accept" || (known !== undefined && known.outcome !== "passed")) {
    return { kind: "checked" };
  }
  const isAsked = known !== undefined && answer === undefined;
  const seen = isAsked ? known : await lookWithout(context, at, { base, isCheap });
  if (seen === "stopped") return { kind: "stopped" };
  if (seen === "costly") return { kind: "checked" };
  if (!isAsked) {
    journal.append({
      ...{ kind: "command.result", time: journal.time(), unit, at, ...key, setup },
      ...{ outcome: seen.outcome, reason: seen.reason, output: seen.output },
    });
  }
  if (seen.outcome !== "passed") return { kind: "checked" };
  const question = questionAbout(at, seen.reason, await remedyAt(context, at));
  return { kind: "question", outcome: "needs_input", question };
}

/** How verify ended with one module after the other overwritten; `costly` if the whole suite has to say that. */
async function lookWithout(
  context: SourceContext,
  at: Oid,
  { base, isCheap }: Pick<SourceCheck, "base" | "isCheap">,
): Promise<SourceSeen | "stopped" | "costly"> {
  if (base?.outcome !== "passed") return unknownSource("verify is not green at the base");
  if (base.ran === 0) return unknownSource("no test ran at the base");
  const modules = await modulesAt(context, at);
  const wanted = { at, network: base.network, printed: printedAt(context, base) };
  let seen: SourceSeen | undefined;
  for (const [index, module] of modules.entries()) {
    const without = { ...wanted, module, n: index + 1 };
    const one = await lookAtOneTest(context, without);
    if (one === "stopped") return one;
    if (one === "unclear" && isCheap) return "costly";
    if (one !== "unclear" && one.outcome === "failed") return one;
    const whole = await lookWithoutModule(context, without);
    if (whole === "stopped" || whole.outcome !== "passed") return whole;
    seen = whole;
  }
  if (seen !== undefined) return { ...seen, reason: clip(named(modules.map(({ path }) => path))) };
  return isCheap ? "costly" : unknownSource("no module is known that tests import from the tree");
}

/** How much of what verify printed is searched for the names of test files. */
const PRINTED_CHARS_MAX = 4 * 1024 * 1024;

function printedAt({ ports, home }: SourceContext, { output }: BaseSeen): string {
  if (output === undefined) return "";
  return cleanedTail(ports.files, join(home.turns, `${output}.out`), PRINTED_CHARS_MAX);
}

async function modulesAt(
  { clone: open, session }: Pick<RoleContext, "clone" | "session">,
  at: Oid,
): Promise<readonly TestedModule[]> {
  const clone = await open();
  need(await clone.bring(at));
  const paths = new Set(need(await clone.pathsAt(at)));
  const lines = need(await clone.linesLike(at, IMPORT_LINES));
  const modules = modulesOfTests(lines, paths, testFileMatcher(session.testPaths));
  return modules.slice(0, SOURCE_MODULES_MAX);
}

/** What may be written into the settings; only words. */
async function remedyAt({ hub, session }: SourceContext, at: Oid): Promise<string> {
  const read = await hub.project?.(at, isSearched);
  const facts = read?.ok === true ? read.value : NO_PROJECT_FACTS;
  const { setup, build = [], verify } = session;
  const settings = environmentInTree(facts, { setup, build, verify });
  return settings === undefined
    ? "for example by an editable install"
    : `for example with ${settings} in .wisp/config.yaml`;
}

function questionAbout(at: Oid, modules: string | undefined, remedy: string): string {
  return (
    `${sourceQuestionAt(at)} also where these cannot be loaded, one after the other: ${modules ?? ""}. Tests import them, ` +
    `so it does not look at the tree that it runs in, but perhaps at an installed copy, and nothing that it says counts ` +
    `for these commits. Have setup or verify use the tree's own files, ${remedy}, then answer "again". ` +
    `Or answer "accept": verify counts as it is.`
  );
}
