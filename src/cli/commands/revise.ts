import { join, relative, resolve } from "node:path";
import { NobodyToAsk } from "../../actions/revise/revision-failures.ts";
import { EXIT } from "../../base/exit-code.ts";
import type { Refusal } from "../../base/failure.ts";
import { need, CannotGoOn } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { readProblems } from "../../fs-protocol/findings/read-problems.ts";
import type { RevisionPlan } from "../../session/rules/revision-plan.ts";
import { renderRevisionRequest } from "../../session/rules/revision-request.ts";
import { approvedPlan } from "../../actions/revise/approve-plan.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import {
  cleanProblem,
  collectProblems,
  problemsText,
  PROBLEMS_MAX,
  PROBLEM_CHARS_MAX,
} from "../../actions/revise/collect-problems.ts";
import { createRevision } from "../../actions/revise/create-revision.ts";
import { draftRevision } from "../../actions/revise/draft-revision.ts";
import { explain } from "../../base/explain.ts";
import { openEditor } from "../../terminal/open-editor.ts";
import { paintRows } from "../../terminal/paint-rows.ts";
import { planRows } from "../../actions/revise/plan-rows.ts";
import { openPrompts } from "../../terminal/prompt-lines.ts";
import { findRevisable, pendingWarning } from "../../actions/revise/revise-target.ts";
import { materialPlace } from "../../actions/revise/revision-material.ts";
import { count } from "../../base/words/sentence.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { plannedRevision, reviseView } from "../../actions/revise/revise-view.ts";
import { warnCheckedOut } from "../../actions/revise/warn-checked-out.ts";
import { errorView } from "../../terminal/error-view.ts";
import { Usage } from "../../workspace/usage.ts";

export interface ReviseOptions {
  /** By default the newest session, or the parent of the newest revision. */
  readonly session: string | undefined;
  readonly problems: readonly string[];
  /** A file of problems, relative to the working directory. */
  readonly file: string | undefined;
  /** The plan is approved in advance. */
  readonly yes: boolean;
  /** False to only create the revision. */
  readonly start: boolean;
  readonly detach: boolean;
  /** Print lines instead of showing the screen, even on a terminal. */
  readonly plain: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * `wisp revise`: revises finished work. Problems are collected, the planner's engine turns them into a plan,
 * the person approves it or says what to change, and then a revision of the session is created,
 * which runs like any other session. Until the plan is approved, nothing in the session changes.
 */
export async function revise(cli: Cli, options: ReviseOptions): Promise<Outcome> {
  const revisable = await findRevisable(cli, options.session);
  const { found, state } = revisable;
  const given = givenProblems(cli, options);
  const warning = pendingWarning(state);
  if (warning !== undefined) cli.terminal.err(warning);
  await warnCheckedOut(cli, found);
  if (options.dryRun) return sayRevise(cli, found, { given, json: options.json });
  const missing = whatIsMissing(cli, options, given);
  if (missing !== undefined) {
    const again = againWords(options);
    return fail(NobodyToAsk({ session: found.session.id, missing, again }));
  }
  const lock = join(found.home.locks, "revising.lock");
  need(cli.host.files.makeDirectory(found.home.locks));
  const lease = need(await cli.host.locks.takeLease(lock));
  const made = await make(cli, { found, options, given }).finally(() => lease.release());
  if (made !== undefined) return begin(cli, made, options);
  sayNothingMade(cli, found, options);
  return ok(EXIT.interrupted);
}

/** Problems given on the command line; none if the person is to be asked. */
function givenProblems(cli: Cli, { problems, file }: ReviseOptions): readonly string[] {
  if (problems.some((problem) => cleanProblem(problem) === "")) {
    throw new CannotGoOn(Usage({ problem: "--problem is empty" }));
  }
  if (file === undefined) return need(bounded(problems));
  const path = resolve(cli.cwd, file);
  const read = need(cli.host.files.read(path, DOCUMENT_BYTES_MAX));
  if (read === undefined) {
    throw new CannotGoOn(Usage({ problem: `--file: there is no file ${path}` }));
  }
  const listed = readProblems(new TextDecoder().decode(read));
  if (listed.length === 0) throw new CannotGoOn(Usage({ problem: `--file: ${path} is empty` }));
  return need(bounded([...problems, ...listed]));
}

function bounded(problems: readonly string[]): Result<readonly string[], Refusal> {
  const isLong = problems.some(({ length }) => length > PROBLEM_CHARS_MAX);
  if (problems.length <= PROBLEMS_MAX && !isLong) {
    return ok(problems.map(cleanProblem).filter((problem) => problem !== ""));
  }
  const max = isLong
    ? `a problem is longer than ${String(PROBLEM_CHARS_MAX)} characters: put the rest into a file and name it there`
    : `there are more than ${String(PROBLEMS_MAX)} problems: revise in several steps`;
  return fail(Usage({ problem: max }));
}

function whatIsMissing(
  { terminal }: Cli,
  { yes }: ReviseOptions,
  given: readonly string[],
): "problems" | "approval" | undefined {
  if (terminal.isInteractive) return undefined;
  if (given.length === 0) return "problems";
  return yes ? undefined : "approval";
}

function sayRevise(
  { terminal }: Cli,
  { session }: FoundSession,
  { given, json }: { readonly given: readonly string[]; readonly json: boolean },
): Outcome {
  if (given.length > 0) terminal.err(problemsText(given));
  const what = given.length > 0 ? "these problems" : "the problems that you describe";
  const { name } = session.engines.planner;
  terminal.err(`Would have ${name} plan a revision of ${session.id} from ${what}, and run it on`);
  terminal.err(`branch ${shellWord(session.branch)} when you approve. Nothing was done.`);
  if (json) terminal.out(JSON.stringify(plannedRevision(session, given), undefined, 2));
  return ok(EXIT.ok);
}

interface Making {
  readonly found: FoundSession;
  readonly options: ReviseOptions;
  readonly given: readonly string[];
}

interface Made {
  readonly revision: FoundSession;
  readonly problems: readonly string[];
  readonly plan: RevisionPlan;
}

/** Undefined if the person left before anything was created. */
async function make(cli: Cli, { found, options, given }: Making): Promise<Made | undefined> {
  const { terminal, host } = cli;
  const say = (text: string) => terminal.err(text);
  const problems = given.length > 0 ? given : await withPrompts((one) => collectProblems(one, say));
  if (problems === undefined) return;
  if (given.length > 0) say(problemsText(problems));
  const isTalking = terminal.isInteractive && !options.yes;
  const planning = { world: cli, found, isTalking, conversations: new Map() };
  const { directory } = materialPlace(found);
  const approved = need(
    await approvedPlan({
      problems,
      isApproved: options.yes,
      ask: (question) =>
        terminal.isInteractive
          ? withPrompts((one) => one.ask(question))
          : Promise.resolve(undefined),
      say,
      show: (plan) => showPlan(cli, plan, options.json),
      draft: async (question, round) =>
        answered(cli, { found, options }, await draftRevision(planning, question, round)),
      edit: (text) => openEditor(cli, { directory, name: "edited-plan.md", text }),
      explain: (failure) => explain(failure).message,
    }),
  );
  if (approved === undefined) return;
  const plan = approved;
  const revision = await createFrom(cli, found, { problems, plan });
  host.directories.removeTree(directory);
  return { revision, problems, plan };
}

/** A question from the planner needs a person to answer it. */
function answered(
  { terminal }: Cli,
  { found, options }: Pick<Making, "found" | "options">,
  drafted: Awaited<ReturnType<typeof draftRevision>>,
): typeof drafted {
  if (!drafted.ok || drafted.value.kind !== "question" || terminal.isInteractive) return drafted;
  const { question } = drafted.value;
  const again = againWords(options);
  return fail(NobodyToAsk({ session: found.session.id, missing: "answer", question, again }));
}

/** Reports that the person approved no plan, also to a program. */
function sayNothingMade(
  { terminal }: Cli,
  { session }: FoundSession,
  options: ReviseOptions,
): void {
  if (!options.json) {
    terminal.err("Nothing was created.");
    return;
  }
  const words = ["wisp revise", shellWord(session.id), againWords(options) ?? ""];
  const message = "No plan was approved. Nothing was created.";
  const next = [words.join(" ").trim()];
  const error = { code: "declined", message, hint: "To try again:", details: [], next };
  terminal.out(JSON.stringify(errorView(error), undefined, 2));
}

/** The arguments that name the problems; undefined if there are none. */
function againWords({ problems, file }: ReviseOptions): string | undefined {
  const words = [
    ...problems.map((problem) => `--problem ${shellWord(problem)}`),
    ...(file === undefined ? [] : [`--file ${shellWord(file)}`]),
  ];
  return words.length === 0 ? undefined : words.join(" ");
}

/** Between two questions the terminal belongs to an engine or an editor. */
async function withPrompts<T>(
  action: (prompts: ReturnType<typeof openPrompts>) => Promise<T>,
): Promise<T> {
  const prompts = openPrompts();
  try {
    return await action(prompts);
  } finally {
    prompts.close();
  }
}

function showPlan({ terminal }: Cli, { text }: RevisionPlan, isJson: boolean): void {
  const hasColors = isJson ? terminal.errHasColors : terminal.outHasColors;
  const shown = `\n${paintRows(planRows(text, hasColors), hasColors)}\n`;
  // With --json, standard output is for programs.
  if (isJson) terminal.err(shown);
  else terminal.out(shown);
}

function createFrom(
  cli: Cli,
  parent: FoundSession,
  { problems, plan }: Pick<Made, "problems" | "plan">,
): ReturnType<typeof createRevision> {
  const path = parent.home.request;
  const read = need(cli.host.files.read(path, DOCUMENT_BYTES_MAX));
  const original = { path, text: new TextDecoder().decode(read ?? new Uint8Array()) };
  const { id } = parent.session;
  return createRevision(cli, {
    ...{
      parent,
      how: "revise",
      asked: [...problems],
      builder: undefined,
      preserve: true,
      plan: plan.plan,
    },
    request: (revision) =>
      renderRevisionRequest({ parent: id, revision, problems, plan, original }),
  });
}

/** Reports what was created, and runs it. */
async function begin(cli: Cli, made: Made, options: ReviseOptions): Promise<Outcome> {
  const { terminal, cwd } = cli;
  const { revision, plan } = made;
  const { id, branch } = revision.session;
  const tasks = plan.items.reduce((sum, { criteria }) => sum + criteria, 0);
  const files = relative(cwd, revision.home.directory);
  terminal.err(`Revision ${id} on branch ${shellWord(branch)}, files in ${files}`);
  terminal.err(`${count(plan.items.length, "item")}, ${count(tasks, "task")}.`);
  if (!options.start) terminal.err(`To run it: wisp up ${id}`);
  const ended = options.start ? await run(cli, revision, options) : ok(EXIT.ok);
  // A failure has already printed an object.
  if (ended.ok && options.json) {
    terminal.out(JSON.stringify(reviseView(made, options), undefined, 2));
  }
  return ended;
}

async function run(cli: Cli, revision: FoundSession, options: ReviseOptions): Promise<Outcome> {
  const { runNew } = await import("./up.ts");
  // A caller that reads JSON does not watch.
  const detach = options.detach || options.json;
  return runNew(cli, revision, { detach, plain: options.plain });
}
