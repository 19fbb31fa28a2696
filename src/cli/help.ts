import type { Command } from "commander";
import { exitCodeTable } from "./exit-codes.ts";

/** Examples below the help of each command. */
export const EXAMPLES = {
  wisp: `
Examples:
  wisp demo                     see a whole run, without any engine or key
  wisp start request.md         turn a request into a branch, and watch it happen
  wisp status                   where the newest session stands
  wisp help exit-codes          what the exit codes mean`,
  demo: `
Examples:
  wisp demo
  wisp demo --dir ./wisp-demo   keep it where you want it`,
  start: `
Examples:
  wisp start request.md
  wisp start request.md --branch feature/invoices
  wisp start request.md --detach
  wisp start request.md --plan  have it planned, though it looks like a plan
  wisp start request.md --strict
  wisp start request.md --budget usd=5,turns=200 --milestone-budget duration=1h
  wisp start request.md --record ../recording
  wisp start request.md --no-up
  wisp start request.md --yes   run what the repository's settings name, without a question
  wisp start request.md --json | jq -r .session`,
  up: `
Examples:
  wisp up                       the newest session
  wisp up invoices --detach
  wisp up invoices --json | jq -r .status.state

On a terminal it is a screen: ? shows its keys, esc leaves it with the session running. With --plain, CI,
--no-input or TERM=dumb it is a line for each event. Ctrl-C stops the session after the engines were
interrupted; twice: at once. Closing the window does not stop it.`,
  resume: `
Examples:
  wisp resume
  wisp resume invoices          after you fixed what it was stuck at
  wisp resume --fix             after --no-fix: have what was found fixed after all
  wisp resume --budget turns=400
                                after its budget was used up`,
  update: `
Examples:
  wisp update request.md        after you changed it
  wisp update request.md --branch wisp/invoices --detach
  wisp update request.md --dry-run
  wisp update request.md --plan have it planned, though it looks like a plan

What is begun is finished first. Completed milestones stay; what is no longer right gets a task of its own.`,
  stop: `
Examples:
  wisp stop
  wisp stop invoices`,
  revise: `
Examples:
  wisp revise                   describe what is wrong, look at the plan, and have it repaired
  wisp revise invoices --problem "the total is wrong for refunds" --problem "no test covers an empty file"
  wisp revise invoices --file feedback.md --yes
                                without a question, for programs
  wisp revise invoices --file feedback.md --dry-run

The planner's engine makes a plan of the problems; you approve it, say what to change, or edit it.
Then a revision runs on the same branch, with the same roles: invoices/revision-1, then revision-2, and so on.
In a file each item of a list is a problem, and each paragraph.`,
  done: `
Examples:
  wisp done                     push the branch, open a pull request, remove the clones
  wisp done invoices --dry-run  see the pull request's text first
  wisp done --base develop
  wisp done --no-push           take it from this repository yourself

Only a complete session can be taken. Nothing is ever forced, and nothing is removed before it is pushed.`,
  review: `
Examples:
  wisp review                   the summary and the diff of the newest session
  wisp review invoices --stat
  wisp review invoices --approve
  wisp review invoices --request-revision "The header is missing"
  wisp review invoices --request-revision "See the remarks" --comment "src/csv.js:12 quotes, too"
  wisp review invoices --reject --dry-run
  wisp review invoices --reject

A requested revision is built in the clones and conversations in which the work was built, and is reviewed
and tested like everything else; then it is looked at again. A rejection is for good.`,
  mcp: `
Examples:
  claude mcp add wisp -- wisp mcp
  wisp mcp install              what each client needs
  wisp mcp install --client claude --yes
  wisp mcp install --client codex --dry-run

Run by a client, in the repository: it speaks the Model Context Protocol on its standard streams.`,
  abandon: `
Examples:
  wisp abandon
  wisp abandon invoices --dry-run
  wisp abandon invoices --yes`,
  restart: `
Examples:
  wisp restart builder
  wisp restart tester invoices  also when it was given up after a crash loop

Its engine is interrupted; what was begun is taken up again, nothing that is on record is lost.`,
  attach: `
Examples:
  wisp attach                   the builder of the newest session
  wisp attach invoices reviewer

The role is interrupted, and its engine opened with its newest session, in its clone. When you leave it,
the role goes on: what you committed as the builder is on the branch and will be reviewed, what you did
not commit is saved under refs/wisp/rescue/, and you are told where.`,
  answer: `
Examples:
  wisp answer invoices "Port 8080"
  wisp answer invoices builder-2 "Use the existing table"`,
  status: `
Examples:
  wisp status
  wisp status invoices --json`,
  list: `
Examples:
  wisp list
  wisp list --json | jq '.sessions[] | select(.state == "NEEDS_INPUT")'`,
  tasks: `
Examples:
  wisp tasks
  wisp tasks wisp/invoices --json
  wisp tasks invoices --json > tasks.json   a list that wisp start takes
  wisp tasks invoices --adopt TASKS.md.1    an edit that wisp status names`,
  init: `
Examples:
  wisp init
  wisp init --template strict
  wisp init --dry-run           only say what would be written

Writes .wisp/config.yaml, .wisp/templates/ (the prompts) and .wisp/reviewers/, for you to change and commit;
with minimal the settings alone. None of them is required: what is not there is as it is shipped. What is
there is never overwritten. Sessions stay out of git, by .git/info/exclude.`,
  tail: `
Examples:
  wisp tail builder
  wisp tail builder -f          live, turn after turn, until the session ends
  wisp tail reviewer invoices
  wisp tail builder --raw | jq .

Only for the eyes: nothing of it reaches the session.`,
  cost: `
Examples:
  wisp cost
  wisp cost invoices --by milestone
  wisp cost --by model --json

What an engine does not tell is shown as unknown; a budget in US dollars does not see it.`,
  logs: `
Examples:
  wisp logs                     all logs, by time
  wisp logs builder -f
  wisp logs tester --session invoices --no-prefix`,
  findings: `
Examples:
  wisp findings --open
  wisp findings invoices --json
  wisp findings show COR-7f3a91
  wisp findings dismiss COR-7f3a91 --why "the file has no header by contract"
  wisp findings add src/parse.js:12 "a tab is a separator, too"`,
  findingsShow: `
Examples:
  wisp findings show COR-7f3a91
  wisp findings show BUG-40c2d8 --session invoices --json`,
  findingsDismiss: `
Examples:
  wisp findings dismiss COR-7f3a91 --why "the file has no header by contract"
  wisp findings dismiss BUG-40c2d8 --why "its command tests something else"
  wisp findings dismiss COR-7f3a91 --why "as agreed" --dry-run`,
  findingsAdd: `
Examples:
  wisp findings add src/parse.js:12 "a tab is a separator, too"
  wisp findings add README.md "it does not say how to start" --level suggestion --dry-run`,
  fsck: `
Examples:
  wisp fsck                     the newest session
  wisp fsck invoices --repair
  wisp fsck --repair --dry-run  what it can repair
  wisp fsck --json              with what leads on from each issue

It may look while roles work; it changes nothing without --repair, which first sees to it that nobody
works. Exit code 1: something is wrong.`,
  doctor: `
Examples:
  wisp doctor
  wisp doctor --json
  wisp doctor --probe-secrets   plants canaries in a made-up home, and looks for them as an engine

Exit code 1: something is wrong that wisp cannot work with.`,
  engines: `
Examples:
  wisp engines
  wisp engines --probe          one small turn of each: it may cost a little
  wisp engines --json`,
  help: `
Examples:
  wisp help start
  wisp help exit-codes`,
  agent: `
Examples:
  wisp agent builder
  wisp agent reviewer invoices

The four roles, each started by hand in a terminal of its own and in any order, finish a session.`,
} as const;

/** `wisp help [topic]`: a command's help, or one of the topics that are no command. */
export function addHelpCommand(program: Command): void {
  program
    .command("help")
    .argument("[topic]", "a command, or exit-codes")
    .description("Tells more about a command, or about exit-codes.")
    .addHelpText("after", EXAMPLES.help)
    .action((topic: string | undefined) => {
      if (topic === "exit-codes") {
        process.stdout.write(`${exitCodeTable()}\n`);
        return;
      }
      const command = program.commands.find((other) => other.name() === topic);
      if (topic !== undefined && command === undefined) {
        program.error(`error: there is no help on '${topic}'`);
      }
      (command ?? program).outputHelp();
    });
}
