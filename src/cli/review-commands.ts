import type { Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

interface ReviewFlags {
  readonly approve?: boolean;
  readonly requestRevision?: string;
  readonly reject?: boolean;
  readonly comment?: string[];
  readonly context?: string;
  readonly preserveCorrectParts: boolean;
  readonly diffId?: string;
  readonly start: boolean;
  readonly detach?: boolean;
  readonly plain?: boolean;
  readonly yes?: boolean;
  readonly stat?: boolean;
  readonly checkout?: boolean;
  readonly into?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How a person reviews finished work, and what they can decide about it. */
export function addReviewCommands(program: Command, run: Run): void {
  program
    .command("review")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Shows finished work; or approves it, requests a revision, or rejects it.")
    .option("--approve", "the work is good as it is")
    .option("--request-revision <feedback>", "have it changed, keeping what is right")
    .option("--comment <words...>", "path:line and what is wrong there; can be repeated")
    .option("--context <text>", "anything else the revision should know")
    .option("--no-preserve-correct-parts", "working parts may be rewritten")
    .option("--preserve-correct-parts", "working parts stay as they are (the default)")
    .option("--reject", "reject the work for good; its commits are kept under a reference")
    .option("--diff-id <id>", "act only if the work is still the version you reviewed")
    .option("--no-start", "only create the revision")
    .option("-d, --detach", "return immediately")
    .option("--plain", "print one line per event instead of showing the screen")
    .option("-y, --yes", "do not ask")
    .option("--stat", "leave out the diff itself")
    .option("--checkout", "make a work tree with the work, to try it")
    .option("--into <directory>", "where --checkout makes it (default: beside the repository)")
    .option("--dry-run", "only show what would be done")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.review)
    .action((session: string | undefined, { json = false, ...flags }: ReviewFlags) =>
      run(
        async (cli) => {
          const { approve = false, reject = false, comment = [], detach = false } = flags;
          const { plain = false, yes = false, stat = false, dryRun = false } = flags;
          const { requestRevision, context, diffId, start, preserveCorrectParts } = flags;
          const { checkout = false, into } = flags;
          const words = {
            checkout,
            into,
            approve,
            reject,
            comment,
            requestRevision,
            context,
            diffId,
            dryRun,
          };
          const how = { start, detach, plain, yes, stat, json, preserve: preserveCorrectParts };
          return (await import("./commands/review.ts")).review(cli, { session, ...words, ...how });
        },
        { json },
      ),
    );
}
