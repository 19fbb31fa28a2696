import { Option, type Command } from "commander";
import type { Cli, Run } from "../terminal/cli.ts";
import { wholeNumber } from "./fleet/whole-number.ts";
import { EXAMPLES } from "./help.ts";
import {
  BUDGET,
  DRY_RUN,
  JSON_AT_ONCE,
  MILESTONE_BUDGET,
  PLAIN,
  PLAN,
  RECORD,
  released,
  TRACE,
  type CommonFlags,
} from "./running-commands.ts";

/** Given by the command that starts several requests, which splits a budget among them. */
const FLEET = () => new Option("--fleet <id>", "the sessions that share a budget").hideHelp();

const ENGINE = [
  "--engine <name>",
  "the engine of all roles, or of one, as in --engine reviewer=codex; may be repeated",
] as const;
const MODEL = ["--model <name>", "the model, in the same form"] as const;

/** Collects the values of an option that may be repeated. */
function repeated(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
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
  readonly engine?: readonly string[];
  readonly model?: readonly string[];
  readonly fleet?: string;
  readonly on?: string;
  readonly sandbox: boolean;
  readonly max?: number;
}

/** `wisp start`: a session for a request, or one for each of several. */
export function addStart(program: Command, run: Run): void {
  program
    .command("start")
    .argument("<request...>", "the request, a text file, or - for standard input; or several files")
    .description("Creates a session for a request, or for each of several, and runs it.")
    .option("--branch <name>", "the session's branch (default: wisp/<name of the request>)")
    .option("--no-up", "only create the session")
    .option("-d, --detach", "return immediately")
    .option(...PLAIN)
    .option(...PLAN)
    .addOption(new Option(...ENGINE).argParser(repeated))
    .addOption(new Option(...MODEL).argParser(repeated))
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
