import { Option, type Command } from "commander";
import { asAct } from "./as-act.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

interface PlanFlags {
  readonly approve?: boolean;
  readonly edit?: boolean;
  readonly reject?: string;
  readonly digest?: string;
  readonly graph?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The command with which a person looks at a plan and decides about it. */
export function addPlanCommand(program: Command, run: Run): void {
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
    .option("--dry-run", "only show what would be done")
    .option("--json", "print one JSON object, for programs")
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
      return asAct(cli, { act: "plan", session, dryRun, json }, (one) =>
        decidePlan(one, { session, decision, digest, dryRun }),
      );
    },
    { json },
  );
}
