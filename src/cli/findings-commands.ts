import { LEVELS } from "../base/choices.ts";
import { Option, type Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

type LevelName = (typeof LEVELS)[number];

const SESSION = ["--session <session>", "session id or branch (default: the newest)"] as const;

const DRY_RUN = ["--dry-run", "only show what would be done"] as const;
const JSON_FLAG = ["--json", "print one JSON object, for programs"] as const;

/** `wisp findings` and the commands below it. */
export function addFindingsCommands(program: Command, run: Run): void {
  const findings = program
    .command("findings")
    .argument("[session]", "session id or branch (default: the newest)")
    .usage("[session] [--open] [--json]")
    .description("Lists the findings and bugs of a session; or shows, dismisses or adds one.")
    .option("--open", "only the open ones")
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.findings)
    .action((session: string | undefined, options: { open?: boolean; json?: boolean }) => {
      const { open = false, json = false } = options;
      return run(
        async (cli) =>
          (await import("./read-only/findings.ts")).findings(cli, { session, open, json }),
        { json },
      );
    });
  addShow(findings, run);
  addDismiss(findings, run);
  addAdd(findings, run);
}

function addShow(findings: Command, run: Run): void {
  findings
    .command("show")
    .argument("<id>", "id of a finding or bug")
    .description("Shows a finding or bug, with its fixes.")
    .option(...SESSION)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.findingsShow)
    .action((id: string, { session }: { session?: string }, command: Command) => {
      const json = isJson(command);
      return run(
        async (cli) =>
          (await import("./read-only/findings.ts")).showFinding(cli, { session, id, json }),
        { json },
      );
    });
}

interface DismissFlags {
  readonly why: string;
  readonly session?: string;
  readonly dryRun?: boolean;
}

function addDismiss(findings: Command, run: Run): void {
  findings
    .command("dismiss")
    .argument("<id>", "id of a finding or bug")
    .description("Closes a finding or bug for good: it stays closed even if it is found again.")
    .requiredOption("--why <reason>", "why it is not a problem")
    .option(...SESSION)
    .option(...DRY_RUN)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.findingsDismiss)
    .action((id: string, { why, session, dryRun = false }: DismissFlags, command: Command) => {
      const json = isJson(command);
      return run(
        async (cli) => {
          const { dismissFinding } = await import("./commands/findings-dismiss.ts");
          return dismissFinding(cli, { session, id, why, dryRun, json });
        },
        { json },
      );
    });
}

interface AddFlags {
  readonly level: LevelName;
  readonly session?: string;
  readonly dryRun?: boolean;
}

function addAdd(findings: Command, run: Run): void {
  findings
    .command("add")
    .argument("<place>", "path:line or path of a file on the session's branch")
    .argument("<text...>", "what is wrong")
    .description("Adds a finding of your own; it is fixed and reviewed like any other.")
    .addOption(new Option("--level <level>", "its level").choices(LEVELS).default("blocking"))
    .option(...SESSION)
    .option(...DRY_RUN)
    .option(...JSON_FLAG)
    .addHelpText("after", EXAMPLES.findingsAdd)
    .action((place: string, words: string[], options: AddFlags, command: Command) => {
      const json = isJson(command);
      const { level, session, dryRun = false } = options;
      return run(
        async (cli) => {
          const { addFinding } = await import("./commands/findings-add.ts");
          const text = words.join(" ");
          return addFinding(cli, { session, place, text, level, dryRun, json });
        },
        { json },
      );
    });
}

/** The parent command has this option, too, and claims it wherever it appears. */
function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json ?? false;
}
