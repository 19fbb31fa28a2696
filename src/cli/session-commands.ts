import { Option, type Command } from "commander";
import { asAct } from "./as-act.ts";
import type { Cli, Outcome, Run } from "../terminal/cli.ts";
import { wholeNumber } from "./fleet/whole-number.ts";
import { EXAMPLES } from "./help.ts";
import { MOVE_EXAMPLES } from "./help/move-examples.ts";

/** Commands that create a session or change how it continues. */
export function addSessionCommands(program: Command, run: Run): void {
  addStart(program, run);
  addUp(program, run);
  addUpdate(program, run);
  addMove(program, run);
}

interface MoveFlags {
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function addMove(program: Command, run: Run): void {
  program
    .command("move")
    .argument("[session]", "session id or branch")
    .argument("[executor]", "where to: as after start --on, or here")
    .description("Moves a session to another machine, on from there, or back, while it runs.")
    .option("--force", "give up what a side has that cannot be reached, or has more records")
    .option("-y, --yes", "do not ask before records are lost")
    .option(...DRY_RUN)
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", MOVE_EXAMPLES)
    .action((session: string | undefined, to: string | undefined, flags: MoveFlags) => {
      const { force = false, yes = false, dryRun = false, json = false } = flags;
      return run(
        (cli) =>
          asAct(cli, { act: "move", session, dryRun, json }, async (one) =>
            (await import("./elsewhere/move.ts")).move(one, { session, to, force, yes, dryRun }),
          ),
        { json },
      );
    });
}

const DRY_RUN = ["--dry-run", "only show what would be done"] as const;

const JSON_AT_ONCE = [
  "--json",
  "return immediately and print one JSON object, for programs",
] as const;

/** Limits, in the form that `budget-setting.ts` parses. */
const BUDGET = [
  "--budget <limits>",
  "what the session may use: usd=5,turns=200,tokens=2M,duration=4h, or some of these",
] as const;
const MILESTONE_BUDGET = [
  "--milestone-budget <limits>",
  "what each milestone may use, in the same form",
] as const;

/** Given by the command that starts several requests, which splits a budget among them. */
const FLEET = () => new Option("--fleet <id>", "the sessions that share a budget").hideHelp();

const PLAN = ["--plan", "have the planner plan the request, whatever its form"] as const;

const PLAIN = ["--plain", "print one line per event instead of showing the screen"] as const;

const RECORD = [
  "--record <directory>",
  "record what the engines do, as a cassette for the engine replay",
] as const;

const TRACE = [
  "--trace <file>",
  "record where wisp's own time goes, for ui.perfetto.dev or chrome://tracing; continues a trace (also: WISP_TRACE)",
] as const;

interface CommonFlags {
  readonly plain?: boolean;
  readonly dryRun?: boolean;
  readonly record?: string;
  readonly trace?: string;
  readonly budget?: string;
  readonly milestoneBudget?: string;
}

interface StartFlags extends CommonFlags {
  readonly branch?: string;
  readonly up: boolean;
  readonly detach?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly again?: boolean;
  readonly fix: boolean;
  readonly plan?: boolean;
  readonly acceptRedBase?: boolean;
  readonly fleet?: string;
  readonly on?: string;
  readonly sandbox: boolean;
  readonly max?: number;
}

function addStart(program: Command, run: Run): void {
  program
    .command("start")
    .argument("<request...>", "the request, a text file, or - for standard input; or several files")
    .description("Creates a session for a request, or for each of several, and runs it.")
    .option("--branch <name>", "the session's branch (default: wisp/<name of the request>)")
    .option("--no-up", "only create the session")
    .option("-d, --detach", "return immediately")
    .option(...PLAIN)
    .option(...PLAN)
    .option("--strict", "also have warnings and suggestions fixed (settings: review.strict)")
    .option(
      "--no-fix",
      "only report findings, and leave fixing them to you (settings: review.noFix)",
    )
    .option(
      "--accept-red-base",
      "begin though verify is red before any work, instead of asking you (settings: verify.knownRed)",
    )
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .addOption(FLEET())
    .option(...RECORD)
    .option(...TRACE)
    .option("--again", "create a session even if another one has the same request")
    .option("-y, --yes", "run the commands in the repository's settings without asking")
    .option(
      "--on <executor>",
      "run it elsewhere: ssh:<host>, container:<image>, sprites, local, or a name in your settings; or here",
    )
    .option("--no-sandbox", "with --on: accept a place at which no sandbox works")
    .addOption(
      new Option(
        "--max <sessions>",
        "of several requests: how many sessions may be unfinished at a time; the others wait",
      ).argParser(wholeNumber),
    )
    .option(...DRY_RUN)
    .option(...JSON_AT_ONCE)
    .addHelpText("after", EXAMPLES.start)
    .action((requests: string[], options: StartFlags) => runStart(run, requests, options));
}

function runStart(run: Run, requests: readonly string[], options: StartFlags): Promise<void> {
  const [request = ""] = requests;
  if (requests.length > 1 || options.max !== undefined) return runStarts(run, requests, options);
  const { detach = false, dryRun = false, plain = false, ...rest } = options;
  const { json = false, yes = false } = rest;
  const chosen = { ...rest, json, noFix: !rest.fix, request, branch: rest.branch };
  return run(
    async (cli) => {
      const on = await executorOf(cli, rest.on);
      if (dryRun) {
        const { previewStart } = await import("./commands/start-dry-run.ts");
        return previewStart(cli, { ...chosen, on });
      }
      if (on !== undefined) {
        const { startOn } = await import("./elsewhere/start-on.ts");
        return startOn(cli, { ...chosen, on, detach, plain, yes });
      }
      const { start } = await import("./commands/start.ts");
      return released(cli, await start(cli, { ...chosen, detach, plain, yes }));
    },
    // What is only shown is not traced.
    { json, trace: dryRun ? undefined : rest.trace },
  );
}

function runStarts(run: Run, requests: readonly string[], options: StartFlags): Promise<void> {
  const { dryRun = false, json = false, yes = false, max, ...rest } = options;
  return run(
    async (cli) => {
      const { startMany } = await import("./fleet/start-many.ts");
      const on = await executorOf(cli, rest.on);
      const how = { noFix: !rest.fix, detach: true, plain: true };
      return startMany(cli, { ...rest, ...how, requests, max, on, json, yes, dryRun });
    },
    { json },
  );
}

/** The executor that a person names, or else the settings; undefined: the session runs here. */
async function executorOf(cli: Cli, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) return named === "here" ? undefined : named;
  return (await import("../actions/elsewhere/settings-executor.ts")).settingsExecutor(cli);
}

interface UpFlags extends CommonFlags {
  readonly detach?: boolean;
  readonly fix?: boolean;
  readonly json?: boolean;
}

function addUp(program: Command, run: Run): void {
  program
    .command("up")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Runs or continues a session, and shows what it does.")
    .option("-d, --detach", "return immediately")
    .option(...PLAIN)
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .option(...TRACE)
    .option(...DRY_RUN)
    .option(...JSON_AT_ONCE)
    .addHelpText("after", EXAMPLES.up)
    .action((session: string | undefined, flags: UpFlags) => runUp(run, session, flags, false));
  program
    .command("resume")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Resumes a session that is stuck, stopped or paused, with fresh attempts.")
    .option("-d, --detach", "return immediately")
    .option(...PLAIN)
    .option(...BUDGET)
    .option("--fix", "from now on, have fixed what --no-fix left to you")
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .option(...TRACE)
    .option(...DRY_RUN)
    .option(...JSON_AT_ONCE)
    .addHelpText("after", EXAMPLES.resume)
    .action((session: string | undefined, flags: UpFlags) => runUp(run, session, flags, true));
}

function runUp(
  run: Run,
  session: string | undefined,
  { detach = false, dryRun = false, plain = false, json = false, ...rest }: UpFlags,
  resume: boolean,
): Promise<void> {
  const act = resume ? "resume" : "up";
  return run(
    async (cli) => {
      const ended = await asAct(cli, { act, session, dryRun, json }, async (one) => {
        const { up } = await import("./commands/up.ts");
        // A caller that reads JSON does not watch.
        const isAlone = detach || json;
        return up(one, { ...rest, session, detach: isAlone, dryRun, plain, resume });
      });
      return dryRun ? ended : released(cli, ended);
    },
    { json, trace: dryRun ? undefined : rest.trace },
  );
}

/** After the command itself, releases clones that have long been idle. */
async function released(cli: Cli, outcome: Outcome): Promise<Outcome> {
  if (outcome.ok) await (await import("../actions/up/hibernate.ts")).releaseAllIdle(cli);
  return outcome;
}

interface UpdateFlags {
  readonly branch?: string;
  readonly up: boolean;
  readonly detach?: boolean;
  readonly dryRun?: boolean;
  readonly plain?: boolean;
  readonly plan?: boolean;
  readonly json?: boolean;
}

function addUpdate(program: Command, run: Run): void {
  program
    .command("update")
    .argument("<request>", "the changed request, a text file")
    .argument("[session]", "session id or branch (default: the newest)")
    .description(
      "Changes the request of a session; the planner reconciles its plan, and the session continues.",
    )
    .option("--branch <name>", "the same as [session]")
    .option("--no-up", "only record the change")
    .option("-d, --detach", "return immediately")
    .option(...PLAIN)
    .option(...PLAN)
    .option(...DRY_RUN)
    .option(...JSON_AT_ONCE)
    .addHelpText("after", EXAMPLES.update)
    .action((request: string, session: string | undefined, flags: UpdateFlags) => {
      const { branch = session, up, dryRun = false, plain = false, plan = false } = flags;
      const { detach = false, json = false } = flags;
      return run(
        (cli) =>
          asAct(cli, { act: "update", session: branch, dryRun, json }, async (one) => {
            const { update } = await import("./commands/update.ts");
            const how = { up, detach: detach || json, dryRun, plain, plan };
            return update(one, { request, branch, ...how });
          }),
        { json },
      );
    });
}
