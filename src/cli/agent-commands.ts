import { type Command, Option } from "commander";
import { ROLES } from "../base/role.ts";
import { ok } from "../base/result.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

/** Describes the arguments of a command about one role. */
export const ROLE_AND_SESSION = `a role (${ROLES.join(", ").replace(/, (?=\w+$)/u, " or ")}), and a session (default: the newest)`;

interface AgentFlags {
  readonly whenTold?: boolean;
  readonly session?: string;
}

/** Commands that run as processes of a session. */
export function addAgentCommands(program: Command, run: Run): void {
  program
    .command("agent")
    .argument("<role...>", ROLE_AND_SESSION)
    .usage("<role> [session]")
    .description("Runs one role of a session in this terminal, until it ends.")
    .addOption(new Option("--when-told").hideHelp())
    .addHelpText("after", EXAMPLES.agent)
    .action((words: string[], { whenTold, session }: AgentFlags) =>
      run(async (cli) =>
        (await import("./processes/agent.ts")).agent(cli, { words, session, whenTold }),
      ),
    );
  program
    .command("supervise", { hidden: true })
    .argument("<session>")
    .description("Keeps the roles of a session running; started by up.")
    .addOption(new Option("--when-told").hideHelp())
    .action((session: string, { whenTold }: { readonly whenTold?: boolean }) =>
      run(async (cli) =>
        (await import("./processes/supervise.ts")).supervise(cli, { session, whenTold }),
      ),
    );
  program
    .command("queue", { hidden: true })
    .description("Starts the requests that wait in the queue; started by start.")
    .action(() => run(async (cli) => (await import("./processes/queue.ts")).queue(cli)));
  addEngineCommands(program, run);
}

/** Processes that belong to a single turn of an engine. */
function addEngineCommands(program: Command, run: Run): void {
  program
    .command("replay-turn", { hidden: true })
    .argument("<cassette>")
    .description("Plays one turn of a cassette; started by the engine replay.")
    .action((cassette: string) =>
      run(async () => {
        const { processStage, replayTurn } = await import("../engines/replay/replay-turn.ts");
        return ok(await replayTurn(processStage(cassette)));
      }),
    );
  program
    .command("look-for-secrets", { hidden: true })
    .description("Looks for the secrets it is given; doctor starts it as it would an engine.")
    .action(() =>
      run(async (cli) => (await import("./processes/look-for-secrets.ts")).lookAsEngine(cli)),
    );
  program
    .command("hold-container", { hidden: true })
    .argument("<owner>")
    .argument("<input>")
    .argument("<words...>")
    .description("Runs a command in a container, and ends it with the role; started by roles.")
    .action((owner: string, input: string, words: string[]) =>
      run(async (cli) =>
        (await import("./processes/hold-container.ts")).holdAsOwned(cli, { owner, input, words }),
      ),
    );
  program
    .command("acp-turn", { hidden: true })
    .argument("<task>")
    .description("Takes one turn of an agent that speaks ACP; started by the engine acp.")
    .action((task: string) =>
      run(async () => ok(await (await import("../engines/acp/acp-turn.ts")).runAcpTurn(task))),
    );
}
