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
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Says what is wrong with the files of a session.")
    .option("--repair", "repair what follows from its logs; only while nobody works on it")
    .option("--dry-run", "only say what can be repaired")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.fsck)
    .action((session: string | undefined, options: FsckFlags) => {
      const { repair = false, json = false, dryRun = false } = options;
      return run(
        async (cli) =>
          (await import("./looks/fsck.ts")).fsck(cli, { session, repair, dryRun, json }),
        { json },
      );
    });
  program
    .command("doctor")
    .description("Says whether this machine and this repository are fit for wisp.")
    .option("--probe-secrets", "try to read what is protected, as an engine would")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.doctor)
    .action(({ json = false, probeSecrets = false }: DoctorFlags) =>
      run(async (cli) => (await import("./looks/doctor.ts")).doctor(cli, { json, probeSecrets }), {
        json,
      }),
    );
}
