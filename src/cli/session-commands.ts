import type { Command } from "commander";
import { asAct } from "./as-act.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";
import { MOVE_EXAMPLES } from "./help/move-examples.ts";
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
import { addStart } from "./start-command.ts";

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
