import type { Command } from "commander";
import type { Run } from "../terminal/cli.ts";

interface ShippedFlags {
  readonly at: string;
  readonly remote?: string;
  readonly url?: string;
}

/** What passes to a place, or from it, in the course of a session. */
function addPassedCommands(far: Command, run: Run): void {
  far
    .command("take-commits")
    .argument("<session>")
    .requiredOption("--at <commit>")
    .description("Takes commits that a person made where the session is mirrored.")
    .action((session: string, options: { readonly at: string }) =>
      run(async (cli) =>
        (await import("./far/take-commits.ts")).takeSentCommits(cli, session, options),
      ),
    );
  far
    .command("close")
    .argument("<session>")
    .requiredOption("--at <commit>")
    .option("--remote <name>")
    .option("--url <url>")
    .description("Records that the work of a session was shipped, and saves what its clones hold.")
    .action((session: string, shipped: ShippedFlags) =>
      run(async (cli) => (await import("./far/close.ts")).close(cli, session, shipped)),
    );
  far
    .command("handover")
    .argument("<session>")
    .description("Looks at a session that moves, or does a step of the move.")
    .action((session: string) =>
      run(async (cli) => (await import("./far/handover.ts")).handover(cli, session)),
    );
}

/** Commands for sessions that run elsewhere: those that a wisp here runs at the place, and the one that follows it. */
export function addFarCommands(program: Command, run: Run): void {
  const far = program
    .command("far", { hidden: true })
    .description("What another machine's wisp asks of the one at a place.");
  far
    .command("take")
    .description("Makes the repository of a session from what was sent.")
    .action(() => run(async (cli) => (await import("./far/take.ts")).take(cli)));
  far
    .command("fit")
    .description("Tries what a session needs that is to move to this place.")
    .action(() => run(async (cli) => (await import("./far/fit.ts")).fit(cli)));
  far
    .command("keep")
    .argument("<session>")
    .description("Keeps a session supervised until it is over.")
    .action((session: string) =>
      run(async (cli) => (await import("./far/keep.ts")).keepSession(cli, session)),
    );
  far
    .command("mirror")
    .argument("<session>")
    .option("--once", "only what is there now")
    .description("Sends a session to its follower.")
    .action((session: string, options: { readonly once?: boolean }) =>
      run(async (cli) => (await import("./far/mirror.ts")).sendSession(cli, session, options)),
    );
  addPassedCommands(far, run);
  addShareCommands(far, run);
  program
    .command("mirror", { hidden: true })
    .argument("<session>")
    .description("Follows a session that runs elsewhere; started by the commands that show it.")
    .action((session: string) =>
      run(async (cli) => (await import("./processes/mirror.ts")).mirror(cli, session)),
    );
}

interface GiveFlags {
  readonly share: string;
  readonly to: string;
  readonly amounts: string;
  readonly givenUp?: boolean;
}

type GrantFlags = Pick<GiveFlags, "share" | "amounts"> & { readonly from: string };

function addShareCommands(far: Command, run: Run): void {
  far
    .command("give")
    .argument("<session>")
    .requiredOption("--share <id>")
    .requiredOption("--to <session>")
    .requiredOption("--amounts <limits>")
    .option("--given-up", "its fleet does not run it again")
    .description("Records that a finished session gives a share of its budget.")
    .action((session: string, flags: GiveFlags) =>
      run(async (cli) => (await import("./far/pass-share.ts")).giveShare(cli, session, flags)),
    );
  far
    .command("grant")
    .argument("<session>")
    .requiredOption("--share <id>")
    .requiredOption("--from <session>")
    .requiredOption("--amounts <limits>")
    .description("Records that a session was granted a share of another one's budget.")
    .action((session: string, flags: GrantFlags) =>
      run(async (cli) => (await import("./far/pass-share.ts")).grantShare(cli, session, flags)),
    );
}
