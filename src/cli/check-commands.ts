import type { Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

interface FsckFlags {
  readonly repair?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface DoctorFlags {
  readonly json?: boolean;
  readonly probeSecrets?: boolean;
}

/** Commands that look for what is wrong. */
export function addCheckCommands(program: Command, run: Run): void {
  program
    .command("fsck")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Checks the files of a session.")
    .option("--repair", "repair what can be derived from the logs; only while no role is working")
    .option("--dry-run", "only show what can be repaired")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.fsck)
    .action((session: string | undefined, options: FsckFlags) => {
      const { repair = false, json = false, dryRun = false } = options;
      return run(
        async (cli) =>
          (await import("./read-only/fsck.ts")).fsck(cli, { session, repair, dryRun, json }),
        { json },
      );
    });
  program
    .command("doctor")
    .description("Checks whether wisp can work on this machine and in this repository.")
    .option("--probe-secrets", "try to read what is protected, as an engine would")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.doctor)
    .action(({ json = false, probeSecrets = false }: DoctorFlags) =>
      run(
        async (cli) => (await import("./read-only/doctor.ts")).doctor(cli, { json, probeSecrets }),
        {
          json,
        },
      ),
    );
}
