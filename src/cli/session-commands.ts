import { Argument, type Command } from "commander";
import type { Role } from "../base/role.ts";
import { ROLE_NAMES } from "./agent-commands.ts";
import type { Run } from "./cli.ts";
import { EXAMPLES } from "./help.ts";

/** Commands that make a session, or change what becomes of it. */
export function addSessionCommands(program: Command, run: Run): void {
  addDemo(program, run);
  addStart(program, run);
  addUp(program, run);
  addWords(program, run);
  addClosing(program, run);
}

function addDemo(program: Command, run: Run): void {
  program
    .command("demo")
    .description("Runs a whole session on a small project, with an engine that plays a recording.")
    .option("--dir <directory>", "where to put it; must not exist yet, or be empty")
    .addHelpText("after", EXAMPLES.demo)
    .action(({ dir }: { dir?: string }) =>
      run(async (cli) => (await import("./demo.ts")).demo(cli, { directory: dir })),
    );
}

/** Limits, in the form that `budget-setting.ts` reads. */
const BUDGET = [
  "--budget <limits>",
  "what the session may use: usd=5,turns=200,tokens=2M,duration=4h, or some of these",
] as const;
const MILESTONE_BUDGET = ["--milestone-budget <limits>", "the same, for each milestone"] as const;

const RECORD = [
  "--record <directory>",
  "record what the engines do, as a cassette that the engine replay plays",
] as const;

interface CommonFlags {
  readonly record?: string;
  readonly budget?: string;
  readonly milestoneBudget?: string;
}

interface StartFlags extends CommonFlags {
  readonly branch?: string;
  readonly up: boolean;
  readonly detach?: boolean;
  readonly strict?: boolean;
  readonly fix: boolean;
}

function addStart(program: Command, run: Run): void {
  program
    .command("start")
    .argument("<request>", "the request, a text file")
    .description("Makes a session for a request, and runs it.")
    .option("--branch <name>", "the session's branch (default: wisp/<name of the request>)")
    .option("--no-up", "only make the session")
    .option("-d, --detach", "return at once")
    .option("--strict", "have warnings and suggestions fixed, too (settings: review.strict)")
    .option("--no-fix", "only report what reviewers find (settings: review.noFix)")
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .addHelpText("after", EXAMPLES.start)
    .action((request: string, options: StartFlags) =>
      run(async (cli) => {
        const { start } = await import("./start.ts");
        const { detach = false, fix, ...rest } = options;
        return start(cli, { ...rest, request, branch: rest.branch, detach, noFix: !fix });
      }),
    );
}

interface UpFlags extends CommonFlags {
  readonly detach?: boolean;
}

function addUp(program: Command, run: Run): void {
  program
    .command("up")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Makes sure that a session runs, and shows what happens.")
    .option("-d, --detach", "return at once")
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .addHelpText("after", EXAMPLES.up)
    .action((session: string | undefined, { detach = false, ...rest }: UpFlags) =>
      run(async (cli) => {
        const { up } = await import("./up.ts");
        return up(cli, { ...rest, session, detach, resume: false });
      }),
    );
  program
    .command("resume")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Goes on with a session that is stuck, stopped or paused, with fresh attempts.")
    .option("-d, --detach", "return at once")
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .addHelpText("after", EXAMPLES.resume)
    .action((session: string | undefined, { detach = false, ...rest }: UpFlags) =>
      run(async (cli) => {
        const { up } = await import("./up.ts");
        return up(cli, { ...rest, session, detach, resume: true });
      }),
    );
}

/** What a person says to a session that runs. */
function addWords(program: Command, run: Run): void {
  program
    .command("stop")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Stops a session when what is being done is done.")
    .addHelpText("after", EXAMPLES.stop)
    .action((session: string | undefined) =>
      run(async (cli) => (await import("./stop.ts")).stop(cli, { session })),
    );
  program
    .command("restart")
    .addArgument(new Argument("<role>", "which of the four").choices(ROLE_NAMES))
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Has a role's process end at once, and another one started that goes on.")
    .addHelpText("after", EXAMPLES.restart)
    .action((role: Role, session: string | undefined) =>
      run(async (cli) => (await import("./restart.ts")).restart(cli, { role, session })),
    );
  program
    .command("answer")
    .argument("<session>", "its id or branch")
    .argument("[words...]", "the question's id, where there are several, and the answer")
    .usage("<session> [question-id] [text]")
    .description("Answers a question of a session.")
    .addHelpText("after", EXAMPLES.answer)
    .action((session: string, words: string[]) =>
      run(async (cli) => (await import("./answer.ts")).answer(cli, { session, words })),
    );
}

interface DoneFlags {
  readonly remote?: string;
  readonly base?: string;
  readonly push: boolean;
  readonly pr: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How a person ends a session for good. */
function addClosing(program: Command, run: Run): void {
  program
    .command("done")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Takes the work of a complete session: pushes it, and opens a pull request.")
    .option("--remote <name>", "where to push (default: publish.remote, else origin)")
    .option("--base <branch>", "the branch to merge it into (default: what gh chooses)")
    .option("--no-push", "push nothing, and open no pull request")
    .option("--no-pr", "open no pull request")
    .option("--dry-run", "only say what would be done")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.done)
    .action((session: string | undefined, { dryRun = false, json = false, ...flags }: DoneFlags) =>
      run(
        async (cli) => (await import("./done.ts")).done(cli, { ...flags, session, dryRun, json }),
        { json },
      ),
    );
  program
    .command("abandon")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Gives a session up; its commits are kept under a reference.")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only say what would be done")
    .addHelpText("after", EXAMPLES.abandon)
    .action((session: string | undefined, { yes = false, dryRun = false }: AbandonFlags) =>
      run(async (cli) => (await import("./abandon.ts")).abandon(cli, { session, yes, dryRun })),
    );
}

interface AbandonFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}
