import { Option, type Command } from "commander";
import { INIT_TEMPLATES, type InitTemplate } from "../base/choices.ts";
import { asAct } from "./as-act.ts";
import type { Cli, Outcome, Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

/** Commands that make a session, or change what becomes of it. */
export function addSessionCommands(program: Command, run: Run): void {
  addDemo(program, run);
  addInit(program, run);
  addStart(program, run);
  addUp(program, run);
  addUpdate(program, run);
}

function addDemo(program: Command, run: Run): void {
  program
    .command("demo")
    .description("Runs a whole session on a small project, with an engine that plays a recording.")
    .option("--dir <directory>", "where to put it; must not exist yet, or be empty")
    .addHelpText("after", EXAMPLES.demo)
    .action(({ dir }: { dir?: string }) =>
      run(async (cli) => (await import("./commands/demo.ts")).demo(cli, { directory: dir })),
    );
}

interface InitFlags {
  readonly template: InitTemplate;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function addInit(program: Command, run: Run): void {
  program
    .command("init")
    .description("Writes settings, prompts and reviewers into .wisp/, for you to change.")
    .addOption(
      new Option("--template <name>", "what to begin with")
        .choices(INIT_TEMPLATES)
        .default("default"),
    )
    .option(...DRY_RUN)
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.init)
    .action(({ template, dryRun = false, json = false }: InitFlags) =>
      run(
        async (cli) => (await import("./commands/init.ts")).init(cli, { template, dryRun, json }),
        {
          json,
        },
      ),
    );
}

const DRY_RUN = ["--dry-run", "only say what would be done"] as const;

const JSON_AT_ONCE = ["--json", "return at once, with one JSON object for programs"] as const;

/** Limits, in the form that `budget-setting.ts` reads. */
const BUDGET = [
  "--budget <limits>",
  "what the session may use: usd=5,turns=200,tokens=2M,duration=4h, or some of these",
] as const;
const MILESTONE_BUDGET = ["--milestone-budget <limits>", "the same, for each milestone"] as const;

const PLAN = ["--plan", "have the planner make a plan of the request, whatever its form"] as const;

const PLAIN = ["--plain", "a line for each event instead of the screen"] as const;

const RECORD = [
  "--record <directory>",
  "record what the engines do, as a cassette that the engine replay plays",
] as const;

interface CommonFlags {
  readonly plain?: boolean;
  readonly dryRun?: boolean;
  readonly record?: string;
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
}

function addStart(program: Command, run: Run): void {
  program
    .command("start")
    .argument("<request>", "the request, a text file")
    .description("Makes a session for a request, and runs it.")
    .option("--branch <name>", "the session's branch (default: wisp/<name of the request>)")
    .option("--no-up", "only make the session")
    .option("-d, --detach", "return at once")
    .option(...PLAIN)
    .option(...PLAN)
    .option("--strict", "have warnings and suggestions fixed, too (settings: review.strict)")
    .option("--no-fix", "only report what is found, and leave it to you (settings: review.noFix)")
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .option("--again", "also where a session has the same request")
    .option("-y, --yes", "run what the repository's settings name, without a question")
    .option(...DRY_RUN)
    .option(...JSON_AT_ONCE)
    .addHelpText("after", EXAMPLES.start)
    .action((request: string, options: StartFlags) => {
      const { detach = false, dryRun = false, plain = false, ...rest } = options;
      const { json = false, yes = false } = rest;
      const chosen = { detach, dryRun, plain, json, yes, noFix: !rest.fix };
      return run(
        async (cli) => {
          const { start } = await import("./commands/start.ts");
          const started = await start(cli, { ...rest, ...chosen, request, branch: rest.branch });
          return dryRun ? started : released(cli, started);
        },
        { json },
      );
    });
}

interface UpFlags extends CommonFlags {
  readonly detach?: boolean;
  readonly fix?: boolean;
  readonly json?: boolean;
}

function addUp(program: Command, run: Run): void {
  program
    .command("up")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Makes sure that a session runs, and shows what happens.")
    .option("-d, --detach", "return at once")
    .option(...PLAIN)
    .option(...BUDGET)
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
    .option(...DRY_RUN)
    .option(...JSON_AT_ONCE)
    .addHelpText("after", EXAMPLES.up)
    .action((session: string | undefined, flags: UpFlags) => runUp(run, session, flags, false));
  program
    .command("resume")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Goes on with a session that is stuck, stopped or paused, with fresh attempts.")
    .option("-d, --detach", "return at once")
    .option(...PLAIN)
    .option(...BUDGET)
    .option("--fix", "have what --no-fix left to you fixed from now on")
    .option(...MILESTONE_BUDGET)
    .option(...RECORD)
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
        // Who reads JSON does not watch.
        const isAlone = detach || json;
        return up(one, { ...rest, session, detach: isAlone, dryRun, plain, resume });
      });
      return dryRun ? ended : released(cli, ended);
    },
    { json },
  );
}

/** After what was asked for: clones that nobody has needed for long. */
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
    .argument("<request>", "the request as it is now, a text file")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Changes the request of a session; its plan is reconciled, and it goes on.")
    .option("--branch <name>", "the same as [session]")
    .option("--no-up", "only put it on record")
    .option("-d, --detach", "return at once")
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
