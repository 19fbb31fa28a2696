import { Option, type Command } from "commander";
import { ROLE_AND_SESSION } from "./agent-commands.ts";
import { asAct } from "./as-act.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

interface WordFlags {
  readonly session?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const DRY_RUN = ["--dry-run", "only show what would be done"] as const;
const JSON_FLAG = ["--json", "print one JSON object, for programs"] as const;

/** Commands that a person gives to a running session. */
export function addWordCommands(program: Command, run: Run): void {
  addPlan(program, run);
  program
    .command("edit")
    .argument("[session]", "session id or branch (default: the newest)")
    .description(
      "Opens the plan of a stopped session in your editor, and makes your text the plan.",
    )
    .option(...DRY_RUN)
    .addHelpText("after", EXAMPLES.edit)
    .action((session: string | undefined, { dryRun = false }: WordFlags) =>
      run(async (cli) =>
        (await import("./commands/edit-tasks.ts")).editTasks(cli, { session, dryRun }),
      ),
    );
  program
    .command("stop")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Stops a session after the current turns.")
    .option(...DRY_RUN)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.stop)
    .action((session: string | undefined, { dryRun = false, json = false }: WordFlags) =>
      run(
        (cli) =>
          asAct(cli, { act: "stop", session, dryRun, json }, async (one) =>
            (await import("./commands/stop.ts")).stop(one, { session, dryRun }),
          ),
        { json },
      ),
    );
  addRestart(program, run);
  program
    .command("attach")
    .argument("[words...]", "a session (default: the newest), and a role (default: builder)")
    .usage("[session] [role]")
    .description("Opens the engine of a role for you, in the role's clone.")
    .option(...DRY_RUN)
    .addHelpText("after", EXAMPLES.attach)
    .action((words: string[], { session, dryRun = false }: WordFlags) =>
      run(async (cli) =>
        (await import("./commands/attach.ts")).attach(cli, { words, session, dryRun }),
      ),
    );
  addAnswer(program, run);
}

interface AnswerFlags extends WordFlags {
  readonly settings?: boolean;
  readonly commands?: string;
}

function addAnswer(program: Command, run: Run): void {
  program
    .command("answer")
    .argument("[session]", "session id or branch")
    .argument("[words...]", "the question's id, if several are open, and the answer")
    .usage("<session> [question-id] [text]")
    .description("Answers a question of a session.")
    .option("--settings", "to a question about a red base: use the commands of .wisp/config.yaml")
    .option("--no-settings", "keep the session's commands, though .wisp/config.yaml has others")
    // Passed to the place of a session, whose wisp reads no settings of its own.
    .addOption(new Option("--commands <json>").hideHelp())
    .option(...DRY_RUN)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.answer)
    .action((named: string | undefined, words: string[], flags: AnswerFlags, command: Command) => {
      const { dryRun = false, json = false, settings, commands } = flags;
      // Never the newest: an answer must not reach a question of another session.
      const session = named ?? command.error("error: missing required argument 'session'");
      return run(
        (cli) =>
          asAct(cli, { act: "answer", session, dryRun, json }, async (one) =>
            (await import("./commands/answer.ts")).answer(one, {
              ...{ session, words, dryRun, settings, commands },
            }),
          ),
        { json },
      );
    });
}

function addRestart(program: Command, run: Run): void {
  program
    .command("restart")
    .argument("<role...>", ROLE_AND_SESSION)
    .usage("<role> [session]")
    .description("Interrupts the agent of a role, and has it started again.")
    .option(...DRY_RUN)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.restart)
    .action((words: string[], { session: option, dryRun = false, json = false }: WordFlags) =>
      run(
        async (cli) => {
          const { roleNeeded } = await import("../workspace/role-and-session.ts");
          const named = roleNeeded("restart", { words, session: option });
          if (!named.ok) return named;
          const { session } = named.value;
          return asAct(cli, { act: "restart", session, dryRun, json }, async (one) =>
            (await import("./commands/restart.ts")).restart(one, {
              words,
              session: option,
              dryRun,
            }),
          );
        },
        { json },
      ),
    );
}

interface PlanFlags {
  readonly approve?: boolean;
  readonly edit?: boolean;
  readonly reject?: string;
  readonly digest?: string;
  readonly graph?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function addPlan(program: Command, run: Run): void {
  program
    .command("plan")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Shows a session's plan with an estimate of its cost; approves or rejects it.")
    .addOption(
      new Option("--approve", "let the plan that is waiting come into force").conflicts([
        "edit",
        "reject",
        "graph",
      ]),
    )
    .addOption(
      new Option("--edit", "change the plan that is waiting, in your editor").conflicts([
        "reject",
        "graph",
        "json",
      ]),
    )
    .addOption(
      new Option(
        "--reject <text>",
        "have the planner make another plan, as the text says",
      ).conflicts(["graph"]),
    )
    .option("--digest <digest>", "decide only if the plan's digest begins like this")
    .addOption(
      new Option("--graph", "print the milestones as a Mermaid flowchart").conflicts("json"),
    )
    .option(...DRY_RUN)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.plan)
    .action((session: string | undefined, flags: PlanFlags) => runPlan(run, session, flags));
}

function runPlan(run: Run, session: string | undefined, flags: PlanFlags): Promise<void> {
  const { approve = false, edit = false, reject, digest, graph = false } = flags;
  const { dryRun = false, json = false } = flags;
  const decision = approve
    ? "approve"
    : edit
      ? "edit"
      : reject === undefined
        ? undefined
        : { reject };
  return run(
    async (cli) => {
      const { showPlan, decidePlan } = await import("./commands/plan.ts");
      if (decision === undefined) return showPlan(cli, { session, graph, json });
      return asAct(cli, { act: "decide-plan", session, dryRun, json }, (one) =>
        decidePlan(one, { session, decision, digest, dryRun }),
      );
    },
    { json },
  );
}
