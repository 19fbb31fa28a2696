import { Command, CommanderError } from "commander";
import { EXIT } from "../base/exit-code.ts";
import { addAgentCommands } from "./agent-commands.ts";
import { addCheckCommands } from "./check-commands.ts";
import type { LoadedCommand, Run } from "../terminal/cli.ts";
import { actingCommand, type ActingCommand } from "./forward/acting-command.ts";
import { addClosingCommands } from "./closing-commands.ts";
import { addCompletionCommands } from "./completion-commands.ts";
import { addFarCommands } from "./far-commands.ts";
import { addFindingsCommands } from "./findings-commands.ts";
import { addHelpCommand, EXAMPLES } from "./help.ts";
import { grouped, headingOf } from "./help/help-groups.ts";
import { addRevisionCommands } from "./revision-commands.ts";
import { addMcpCommands } from "./mcp-commands.ts";
import { addReviewCommands } from "./review-commands.ts";
import { addSessionOption, takeSessionOption } from "./session-option/session-option.ts";
import { addSetupCommands } from "./setup-commands.ts";
import { addSessionCommands } from "./session-commands.ts";
import { asksForJson, keepUsageErrors, usageError } from "./usage-errors.ts";
import { addViewCommands } from "./view-commands.ts";
import { addWordCommands } from "./word-commands.ts";

/** What the program knows about itself. */
export interface ProgramFacts {
  /** Absolute path of the executable script. */
  readonly entry: string;
  /** The digest of the program. */
  readonly code: string;
  readonly version: string;
}

/**
 * Runs one command line and returns its exit code. Only the definitions of the commands are here and in the
 * files named after them; what a command does is imported when the command runs.
 */
export async function runProgram(words: readonly string[], facts: ProgramFacts): Promise<number> {
  let exitCode: number = EXIT.ok;
  let acting: ActingCommand | undefined;
  const run: Run = async (action, options) => {
    const { runCommand } = await import("./run-command.ts");
    const { color, input } = program.opts<{ color: boolean; input: boolean }>();
    const { json = false, trace } = options ?? {};
    const loaded = acting === undefined ? action : whereItRuns(action, acting);
    exitCode = await runCommand(loaded, { ...facts, color, input, json, words, trace });
  };
  const program = createProgram({ words, version: facts.version, run });
  program.hook("preAction", (_program, command) => {
    acting = actingCommand(command, words);
  });
  try {
    await program.parseAsync([...words], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return EXIT.ok;
    if (asksForJson(words)) {
      process.stdout.write(`${JSON.stringify(usageError(thrown), undefined, 2)}\n`);
    }
    return EXIT.usage;
  }
  return exitCode;
}

/** A session may run elsewhere: then a command that changes it is run there. */
function whereItRuns(here: LoadedCommand, acting: ActingCommand): LoadedCommand {
  return async (cli) => {
    const { runWhereItRuns } = await import("./forward/run-where-it-runs.ts");
    return runWhereItRuns(cli, acting, here);
  };
}

interface Group {
  readonly names: readonly string[];
  readonly add: (program: Command, run: Run) => void;
}

/** The commands in the order of the help, by the function that adds them. */
const GROUPS: readonly Group[] = [
  { names: ["demo", "init"], add: addSetupCommands },
  { names: ["start", "up", "resume", "update", "move"], add: addSessionCommands },
  { names: ["plan", "edit", "stop", "attach", "answer", "restart"], add: addWordCommands },
  { names: ["revise"], add: addRevisionCommands },
  { names: ["done", "abandon", "prune"], add: addClosingCommands },
  { names: ["review"], add: addReviewCommands },
  { names: ["mcp"], add: addMcpCommands },
  {
    names: [
      ...["status", "cost", "report", "watch", "list", "engines", "tasks", "log", "logs", "tail"],
      "why",
    ],
    add: addViewCommands,
  },
  { names: ["findings"], add: addFindingsCommands },
  { names: ["fsck", "doctor"], add: addCheckCommands },
  // Not `complete`, which is about all commands.
  { names: ["completion"], add: addCompletionCommands },
  {
    names: [
      ...["agent", "supervise", "queue", "replay-turn", "look-for-secrets", "hold-container"],
      "acp-turn",
    ],
    add: addAgentCommands,
  },
  { names: ["far", "mirror"], add: addFarCommands },
];

/**
 * The commands with their options and arguments: all of them or, if the line begins with the name of one, only
 * those that are added with it, because adding all takes a short command a tenth of its time.
 */
export function createProgram({
  words,
  version,
  run,
}: {
  /** The command line to parse. */
  readonly words: readonly string[];
  readonly version: string;
  readonly run: Run;
}): Command {
  const program = new Command("wisp");
  keepUsageErrors(program, words);
  program
    .description("Turns a written request into a reviewed, tested branch.")
    .version(version)
    .option("--no-color", "print without colours (also: NO_COLOR)")
    .option("--no-input", "never ask; exit with 4 when an answer is needed (also: WISP_NO_INPUT)")
    .addHelpText("after", EXAMPLES.wisp)
    .helpCommand(false)
    .configureHelp({
      groupItems: (_all, shown, headingOfItem) =>
        grouped(shown, headingOfItem, (item) => item.name()),
    })
    .exitOverride()
    .showHelpAfterError("(for help: wisp --help, or wisp <command> --help)");
  const [first = ""] = words;
  const named = GROUPS.filter(({ names }) => names.includes(first));
  for (const { add } of named.length > 0 ? named : GROUPS) add(program, run);
  if (named.length === 0) addHelpCommand(program);
  for (const command of program.commands) {
    const heading = headingOf(command.name());
    if (heading !== undefined) command.helpGroup(heading);
    addSessionOption(command);
  }
  program.hook("preAction", (_program, command) => {
    takeSessionOption(command);
  });
  return program;
}
