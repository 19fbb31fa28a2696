import type { Files } from "../../base/ports/files.ts";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, Clone } from "../../base/ports/repo.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { readBugCommand } from "./bug-command.ts";
import { commandPlaces, type CommandPlaces } from "./command-places.ts";
import { decodeFindingsBlocks } from "../../fs-protocol/findings/findings-block.ts";
import { unparseable } from "../../fs-protocol/findings/findings-judge.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { answerTo, attemptUnit, beginUnit, type Attempted, type UnitEnd } from "../../work/unit.ts";
import { ensureSetup } from "../../evidence/verify/clone-setup.ts";
import { judgeTurn } from "../judge/judge-turn.ts";
import { redAtBase } from "../../evidence/verify/red-at-base.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { unfilteredPrompt } from "../../work/unfiltered.ts";
import type { RoleTurn } from "../../work/turn/turn.ts";
import { noteOmitted } from "../judge/note-omitted.ts";
import { fitFindings, identifyFindings } from "../judge/findings-for-record.ts";
import { FILES_NAME, rangeFiles, requestFiles, REQUEST_NAME } from "../../work/turn/turn-files.ts";
import { folderWords, pathIn, turnFolder } from "../../work/turn/turn-folder.ts";
import { verifyWords } from "../../evidence/verify/verify-words.ts";
import { checkSource } from "../../evidence/canary/source-canary.ts";
import { checkBaseTests } from "../../evidence/base-tests/base-tests.ts";
import { harmPrompt } from "./harmed-tests.ts";
import { foldersPrompt } from "./named-folders.ts";
import { missingPath } from "./named-paths.ts";
import { proveBugs, type Claims } from "./prove-bugs.ts";
import { publishTests, withoutCommits, type Tested, type TestStep } from "./publish-tests.ts";
import { END_RULES } from "../../evidence/rules/all-rules.ts";
import { verifyHead, type VerifiedHead } from "../../evidence/verify/verify-head.ts";

/** The commit that a unit tests. */
interface TestPlace {
  readonly at: Oid;
  /**
   * Tests that this unit published before an interruption; if there are any, nothing more is committed (I4).
   */
  readonly published: readonly Oid[];
}

/** Tests a milestone at its end, or the whole at HEAD, in at most as many attempts as the policy allows. */
export async function runTests(
  context: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  published: readonly Oid[],
): Promise<UnitEnd<Tested>> {
  const { hub, session } = context;
  const { unit } = step;
  const head = (await hub.head(session.branch)) ?? session.base;
  const at = published.at(-1) ?? (step.kind === "test" ? step.milestone.end : head);
  beginUnit(context, unit, at);
  const source = await checkSource(context, state, {
    unit,
    base: state.builder.baseline,
    isCheap: false,
  });
  if (source.kind !== "checked") return source;
  return attemptUnit(context, unit, state.tester.openUnit, async (attempt, lastFailure) => {
    const once = { step, attempt, lastFailure, place: { at, published } };
    return step.kind === "test"
      ? testOnce(context, state, { ...once, verified: undefined })
      : verifiedPass(context, state, once);
  });
}

/**
 * A final pass runs verify at HEAD before and after its turn, since its own commits may have moved HEAD.
 * Afterwards it also runs the base tests.
 */
async function verifiedPass(
  context: RoleContext<"tester">,
  state: SessionState,
  once: Omit<Once, "verified">,
): Promise<Attempted<Tested>> {
  const { unit } = once.step;
  const before = await verifyHead(context, state, { unit, at: once.place.at });
  if (before.kind !== "verified") return before;
  const tested = await testOnce(context, state, { ...once, verified: before });
  if (tested.kind !== "done") return tested;
  const { at, bugs } = tested.value;
  // The results of the pass itself are recorded by now.
  const now = at === once.place.at ? state : need(await context.reader.read());
  const after = at === once.place.at ? before : await verifyHead(context, now, { unit, at });
  if (after.kind !== "verified") return after;
  const { verify } = after;
  const seen = await checkBaseTests(context, now, { unit, at });
  if (seen.kind !== "checked") return seen;
  const end = { session: context.session, at, verified: after, baseTests: seen.failed };
  const all = fitFindings([...END_RULES.flatMap((rule) => rule.find(end)), ...bugs]);
  return { kind: "done", value: { ...tested.value, verify, baseTests: seen.listed, bugs: all } };
}

interface Once {
  readonly step: TestStep;
  readonly attempt: number;
  readonly lastFailure: string | undefined;
  readonly place: TestPlace;
  /** Only for a final pass: the result of verify at the commit where it begins. */
  readonly verified: Extract<VerifiedHead, { readonly kind: "verified" }> | undefined;
}

async function testOnce(
  context: RoleContext<"tester">,
  state: SessionState,
  { step, attempt, lastFailure, place, verified }: Once,
): Promise<Attempted<Tested>> {
  const { at, published } = place;
  const clone = await context.clone();
  // Work that an earlier attempt left behind is saved, not mixed in.
  need(await clone.rescueAndReset(at));
  const setup = await ensureSetup(context, clone);
  if (setup.kind === "stopped") return setup;
  if (setup.kind === "failed") return { kind: "failed", reason: `setup: ${setup.reason}` };
  const judged = await judgeTurn(context, {
    turn: await turnOf(context, state, step, { attempt, at, clone, lastFailure, verified }),
    clone,
    at,
    read: readBugs(context.ports.files, clone.directory, commandPlaces(context)),
  });
  if (judged.kind !== "done") return judged;
  noteOmitted(context, judged.value.output);
  const finder = { kind: "bug", reviewer: "tester", level: "blocking", clone, at } as const;
  const bugs = await identifyFindings(judged.value.output, finder);
  const claims: Claims = { unit: step.unit, clone, at, bugs };
  if (published.length > 0) {
    need(await clone.syncTo(at));
    return withoutCommits(await proveBugs(context, state, claims), published, at);
  }
  const isLastTry = attempt >= context.session.policy.unitAttemptsMax;
  return publishTests(context, state, step, { claims, lastFailure, isLastTry });
}

/**
 * Asks the engine once more for bugs whose commands cannot be run. If some still cannot, only these are
 * refused.
 */
function readBugs(
  files: Files,
  root: string,
  places: CommandPlaces,
): (output: string) => ReturnType<typeof decodeFindingsBlocks> {
  let asked = 0;
  return (output) => {
    const blocks = decodeFindingsBlocks(output, { root });
    asked += 1;
    if (!blocks.ok || asked > 1) return blocks;
    for (const { brief, command } of blocks.value.flatMap(({ findings }) => findings)) {
      const read = readBugCommand(command ?? "", places);
      const why = read.ok ? missingPath(files, root, read.value.relative) : read.failure.reason;
      if (why !== undefined) {
        return unparseable(`The \`Command:\` of "${brief}" is refused: ${why}`);
      }
    }
    return blocks;
  };
}

/** What an earlier turn of the unit was refused for, in words for the next one. */
function refusedBefore(lastFailure: string | undefined): readonly string[] {
  return [harmPrompt, foldersPrompt, unfilteredPrompt].map((say) => say(lastFailure));
}

interface TurnOptions extends Pick<Once, "attempt" | "lastFailure" | "verified"> {
  readonly at: Oid;
  readonly clone: Clone;
}

async function turnOf(
  context: RoleContext<"tester">,
  state: SessionState,
  step: TestStep,
  { attempt, at, clone, lastFailure, verified }: TurnOptions,
): Promise<Omit<RoleTurn, "ask" | "cwd">> {
  const { templates, session } = context;
  const start = step.kind === "test" ? step.milestone.start : state.branch.base;
  const changed = need(await clone.changedPaths(start, at));
  const range = await rangeFiles(clone, { start, end: at, changed });
  const folder = turnFolder(context, [...requestFiles(context), ...range]);
  const baseline = await redAtBase(context, state, at);
  const milestone = step.kind === "test" ? step.milestone.name : undefined;
  const purpose = step.kind;
  const answer = answerTo(step.unit, state.tester.questions, state.human.answers);
  return {
    purpose,
    unit: step.unit,
    attempt,
    milestone,
    prompt: templates.render(purpose, {
      request: pathIn(folder, REQUEST_NAME),
      files: folderWords(folder),
      verify: verifyWords(session.verify),
      milestone: milestone ?? "",
      start_sha: start,
      end_sha: at,
      changed_files: changedText(changed, pathIn(folder, FILES_NAME)),
      // Both texts share one slot, because the user's own templates have only that one.
      baseline: [verifiedText(session, verified), baselineText([...baseline.keys()])]
        .filter((text) => text !== "")
        .join("\n\n"),
      answers: [...refusedBefore(lastFailure), answer].filter((text) => text !== "").join("\n\n"),
    }),
    folder,
    about: { milestone, startSha: start, endSha: at },
  };
}

/** The names of changed files, for the prompt; of a long list the beginning, and the file with the rest. */
function changedText(changed: readonly ChangedPath[], path: string): string {
  const more = changed.length - CHANGED_NAMED_MAX;
  return [
    ...changed.slice(0, CHANGED_NAMED_MAX).map((each) => `- ${each.path}`),
    ...(more > 0 ? [`- and ${String(more)} more, all in \`${path}\``] : []),
  ].join("\n");
}

const CHANGED_NAMED_MAX = 50;

/** The tests that were red before the session began, for the prompt; bounded. */
function baselineText(red: readonly string[]): string {
  if (red.length === 0) return "";
  const named = red.slice(0, BASELINE_NAMED_MAX).map((name) => `- ${name}`);
  const more = red.length - named.length;
  const rest = more === 0 ? [] : [`- and ${String(more)} more`];
  const head =
    "These tests were red before the work began. They are nobody's bugs: do not report them.";
  return cleanText([head, ...named, ...rest].join("\n"), { charsMax: 8_000, lines: "many" });
}

const BASELINE_NAMED_MAX = 50;

/** The result of verify at the start of a final pass, for its prompt. */
function verifiedText(
  { verify }: Pick<SessionJson, "verify">,
  verified: { readonly verify: FinalVerify } | undefined,
): string {
  const commands = verify.map((words) => `\`${words.join(" ")}\``).join(", then ");
  const ran = `wisp ran the project's verify commands (${commands}) on this commit`;
  switch (verified?.verify) {
    case undefined:
    case "nosuite":
      return "";
    case "passed":
      return `${ran}: they pass.`;
    case "asbase":
      return `${ran}: they fail as they did before the work began.`;
    case "excused":
      return `${ran}: they fail, and a person has said that this is no bug.`;
    case "red":
      return `${ran}: they fail. That is on record as a bug already: do not report it again.`;
  }
}
