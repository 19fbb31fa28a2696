import { Option, type Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { CODING_CLI_NAMES } from "../engines/coding-clis.ts";
import { EXAMPLES } from "./help.ts";

interface InstallFlags {
  readonly client?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** `wisp mcp`, and how a client comes to know of it. */
export function addMcpCommands(program: Command, run: Run): void {
  const mcp = program
    .command("mcp")
    .description(
      "Serves the sessions to a model, by the Model Context Protocol on standard streams.",
    )
    .addHelpText("after", EXAMPLES.mcp)
    .action(() =>
      run(async (cli) => (await import("./processes/mcp.ts")).mcp(cli, program.version() ?? "")),
    );
  mcp
    .command("install")
    .description("Shows the configuration of a client, or writes it after asking.")
    .addOption(
      new Option("--client <name>", "whose (default: all are shown)").choices(CODING_CLI_NAMES),
    )
    .option("-y, --yes", "write it without asking")
    .option("--dry-run", "only say what would be written")
    .action(({ client, yes = false, dryRun = false }: InstallFlags) =>
      run(async (cli) =>
        (await import("./processes/mcp-install.ts")).installMcp(cli, { client, yes, dryRun }),
      ),
    );
}
