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
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How a person looks at finished work, and what they may say of it. */
export function addReviewCommands(program: Command, run: Run): void {
  program
    .command("review")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Shows finished work; approves of it, asks for a revision, or rejects it.")
    .option("--approve", "the work is good as it is")
    .option("--request-revision <feedback>", "have it changed, with what is right kept")
    .option("--comment <words...>", "path:line and what is wrong there; may be repeated")
    .option("--context <text>", "what else is to be known for the revision")
    .option("--no-preserve-correct-parts", "what works may be done anew")
    .option("--preserve-correct-parts", "what works stays as it is (the default)")
    .option("--reject", "refuse the work for good; its commits are kept under a reference")
    .option("--diff-id <id>", "only if the work is still what was looked at")
    .option("--no-start", "only make the revision")
    .option("-d, --detach", "return at once")
    .option("--plain", "a line for each event instead of the screen")
    .option("-y, --yes", "do not ask")
    .option("--stat", "without the diff itself")
    .option("--dry-run", "only say what would be done")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.review)
    .action((session: string | undefined, { json = false, ...flags }: ReviewFlags) =>
      run(
        async (cli) => {
          const { approve = false, reject = false, comment = [], detach = false } = flags;
          const { plain = false, yes = false, stat = false, dryRun = false } = flags;
          const { requestRevision, context, diffId, start, preserveCorrectParts } = flags;
          const words = { approve, reject, comment, requestRevision, context, diffId, dryRun };
          const how = { start, detach, plain, yes, stat, json, preserve: preserveCorrectParts };
          return (await import("./commands/review.ts")).review(cli, { session, ...words, ...how });
        },
        { json },
      ),
    );
}
