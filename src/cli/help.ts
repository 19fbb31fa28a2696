import type { Command } from "commander";
import { PAGE_EXAMPLES } from "./help/page-examples.ts";

/** Examples below the help of each command. */
export const EXAMPLES = {
  wisp: `
Examples:
  wisp demo                     see a whole run, without an engine or an API key
  wisp start request.md         turn a request into a branch, and watch it happen
  wisp status                   the state of the newest session

More: wisp help <command>, and wisp help <topic>:
  exit-codes, files, engines, config, requests, sandbox, environment, json`,
  demo: `
Examples:
  wisp demo
  wisp demo --dir ./wisp-demo   keep it in a directory of your choice`,
  start: `
Examples:
  wisp start request.md
  wisp start request.md --branch feature/invoices
  wisp start request.md --detach
  wisp start request.md --plan  have the planner plan it, although it looks like a plan
  wisp start request.md --strict
  wisp start request.md --budget usd=5,turns=200 --milestone-budget duration=1h
  wisp start request.md --record ../recording
  wisp start request.md --trace trace.json
  wisp start request.md --no-up
  wisp start requests/*.md --max 3   a session for each, three unfinished at a time
  wisp start - < prd.json       read the request from standard input
  wisp start request.md --yes   run the commands in the repository's settings without asking
  wisp start request.md --json | jq -r .session`,
  up: `
Examples:
  wisp up                       the newest session
  wisp up invoices --detach
  wisp up invoices --json | jq -r .status.state

On a terminal it shows a screen: ? lists the keys, esc leaves it with the session running. With --plain, CI,
--no-input or TERM=dumb it prints one line per event. Ctrl-C interrupts the engines and stops the session;
a second Ctrl-C stops it immediately. Closing the window does not stop it.`,
  resume: `
Examples:
  wisp resume
  wisp resume invoices          after you have fixed what it was stuck on
  wisp resume --fix             after --no-fix: have the findings fixed after all
  wisp resume --budget turns=400
                                after its budget has been used up`,
  update: `
Examples:
  wisp update request.md        after you have changed it
  wisp update request.md --branch wisp/invoices --detach
  wisp update request.md --plan have the planner plan it, although it looks like a plan

Work in progress is finished first. Completed milestones stay; what is no longer right gets its own task.`,
  plan: `
Examples:
  wisp plan                     the plan, what to look at in it, and what it may cost
  wisp plan invoices --approve --digest 5f0c2a9b1e7d
                                only if it is still the plan that you looked at
  wisp plan invoices --edit     change it in $VISUAL or $EDITOR; your version comes into force
  wisp plan invoices --reject "Leave the old API as it is"
  wisp plan --graph             as a Mermaid flowchart

With \`plan: ask\` in .wisp/config.yaml, nothing is built before you have approved the plan.`,
  stop: `
Examples:
  wisp stop
  wisp stop invoices`,
  revise: `
Examples:
  wisp revise                   describe what is wrong, review the plan, and have it revised
  wisp revise invoices --problem "the total is wrong for refunds" --problem "no test covers an empty file"
  wisp revise invoices --file feedback.md --yes
                                without asking, for programs
  wisp revise invoices --file feedback.md --dry-run

The planner's engine turns the problems into a plan; you approve it, say what to change, or edit it.
Then a revision runs on the same branch, with the same roles: invoices/revision-1, then revision-2, and so on.
In a file, each list item and each paragraph is one problem.`,
  done: `
Examples:
  wisp done                     push the branch, open a pull request, remove the clones
  wisp done invoices --dry-run  see the pull request's text first
  wisp done --base develop
  wisp done --no-push           ship it without a remote: the branch stays in this repository
  wisp done --no-verify         push without your pre-push hook, which otherwise runs on a terminal

Only a complete session can be shipped. wisp never force-pushes, and removes nothing before it is pushed.`,
  review: `
Examples:
  wisp review                   the summary and the diff of the newest session
  wisp review invoices --stat
  wisp review invoices --checkout    a work tree to try it in, with a detached HEAD
  wisp review invoices --approve
  wisp review invoices --request-revision "The header is missing"
  wisp review invoices --request-revision "See the remarks" --comment "src/csv.js:12 quotes, too"
  wisp review invoices --reject

A requested revision is built in the same clones and conversations as the original work, and is reviewed
and tested like any other work; then you review it again. A rejection is permanent.`,
  mcp: `
Examples:
  claude mcp add wisp -- wisp mcp
  wisp mcp install              show what each client needs
  wisp mcp install claude --yes
  wisp mcp install codex --dry-run

A client runs it in the repository: it speaks the Model Context Protocol on standard input and output.`,
  abandon: `
Examples:
  wisp abandon
  wisp abandon invoices --dry-run
  wisp abandon invoices --yes`,
  restart: `
Examples:
  wisp restart builder
  wisp restart tester invoices  works after a crash loop, too

The engine is interrupted; the new agent resumes the interrupted work, and nothing on record is lost.`,
  attach: `
Examples:
  wisp attach                   the builder of the newest session
  wisp attach invoices reviewer

wisp interrupts the role and opens its engine in its clone, with its latest session. When you leave,
the role continues: what you committed as the builder is on the branch and will be reviewed; what you did
not commit is saved under refs/wisp/rescue/, and wisp prints where.`,
  answer: `
Examples:
  wisp answer invoices "Port 8080"
  wisp answer invoices builder-2 "Use the existing table"
  wisp answer invoices again --settings

If verify was red before any work, an answer other than "accept" has it run again. If the commands in
.wisp/config.yaml differ from the session's by then, wisp shows how and asks which are to run.`,
  status: `
Examples:
  wisp status
  wisp status invoices --json`,
  list: `
Examples:
  wisp list
  wisp list --all               of all your repositories, with where each session runs
  wisp list --json | jq '.sessions[] | select(.state == "NEEDS_INPUT")'`,
  tasks: `
Examples:
  wisp tasks
  wisp tasks wisp/invoices --json
  wisp tasks invoices --json > tasks.json   a list that wisp start accepts
  wisp tasks invoices --adopt TASKS.md.1    an edit that wisp status names`,
  init: `
Examples:
  wisp init
  wisp init --template strict
  wisp init --prompts           also .wisp/templates/ (the prompts) and .wisp/reviewers/
  wisp init --dry-run           only show what would be written

Writes .wisp/config.yaml with the engine and the verify command that it finds, and the JSON Schema by which an
editor completes and checks it. Change and commit them. None of the files is required: wisp's own apply where yours
are missing. Existing files are never overwritten, except for the schema. Sessions are kept out of git by
.git/info/exclude.`,
  tail: `
Examples:
  wisp tail builder
  wisp tail builder -f          live, turn by turn, until the session ends
  wisp tail reviewer invoices
  wisp tail builder --raw | jq .

For viewing only: it does not affect the session.`,
  ...PAGE_EXAMPLES,
  cost: `
Examples:
  wisp cost
  wisp cost invoices --by milestone
  wisp cost --by model --json

What an engine does not report is shown as unknown, and does not count towards a budget in US dollars.`,
  log: `
Examples:
  wisp log                      all that happened in the newest session
  wisp log invoices -n 20
  wisp log --since 2h -f        the last two hours, and what happens from now on
  wisp log --since 2026-11-20T12:00 --json | jq -r .text

It reads the records of all roles, of the supervisor and of people, and tells them in plain words and local time,
also after the end of the session. wisp logs prints the same records as they are in the files; wisp tail shows
what an engine says in a turn; wisp why explains a single commit, line, finding or milestone.`,
  logs: `
Examples:
  wisp logs                     all logs, by time
  wisp logs builder -f
  wisp logs tester --session invoices --no-prefix

It prints the files' own lines, for grep and for programs. wisp log tells the same in plain words.`,
  why: `
Examples:
  wisp why 3f9c1e0a             which turn made this commit, who reviewed it, and what was found
  wisp why HEAD~2
  wisp why src/parse.js:12      the commit that last changed this line of the session's branch
  wisp why COR-7f3a91           who opened it, each attempt to fix it, and how it was closed
  wisp why "Read CSV" --session invoices
  wisp why API --as milestone   if a branch has the same name
  wisp why 3f9c1e0a --json | jq .story.making

It tells only what is on record, and names the files with the output of each turn; prompts are not kept.`,
  findings: `
Examples:
  wisp findings --open
  wisp findings invoices --json
  wisp findings show COR-7f3a91
  wisp findings dismiss COR-7f3a91 --why "the format defines no header"
  wisp findings add src/parse.js:12 "a tab is a separator, too"`,
  findingsShow: `
Examples:
  wisp findings show COR-7f3a91
  wisp findings show BUG-40c2d8 --session invoices --json`,
  findingsDismiss: `
Examples:
  wisp findings dismiss COR-7f3a91 --why "the format defines no header"
  wisp findings dismiss BUG-40c2d8 --why "its command tests something else"`,
  findingsAdd: `
Examples:
  wisp findings add src/parse.js:12 "a tab is a separator, too"
  wisp findings add README.md "it does not say how to start" --level suggestion --dry-run`,
  fsck: `
Examples:
  wisp fsck                     the newest session
  wisp fsck invoices --repair
  wisp fsck --repair --dry-run  what it can repair
  wisp fsck --json              includes the next step for each issue

It can check while roles are working, and changes nothing without --repair, which first makes sure that no
role is working. Exit code 1: something is wrong.`,
  doctor: `
Examples:
  wisp doctor
  wisp doctor --json
  wisp doctor --probe-secrets   plants canaries in a fake home, and looks for them as an engine would

Exit code 1: a problem prevents wisp from working.`,
  engines: `
Examples:
  wisp engines
  wisp engines --probe          one small turn each, which may cost a little
  wisp engines --json`,
  completion: `
Examples:
  wisp completion bash          for ~/.bashrc: source <(wisp completion bash)
  wisp completion zsh           for ~/.zshrc, after compinit: source <(wisp completion zsh)
  wisp completion fish          for config.fish: wisp completion fish | source

It completes commands, options and their values, sessions, roles, findings and topics; elsewhere, files.`,
  help: `
Examples:
  wisp help start
  wisp help exit-codes          what the exit codes mean
  wisp help files               where everything is
  wisp help engines             the coding CLIs that do the work
  wisp help config              the settings in .wisp/config.yaml
  wisp help requests            the forms that a request can have
  wisp help sandbox             what engines can read and write
  wisp help environment         the variables that wisp reads and sets
  wisp help json                what --json prints, and what its versions promise`,
  agent: `
Examples:
  wisp agent builder
  wisp agent reviewer invoices

You can run a session by hand: start each role in its own terminal, in any order.`,
} as const;

/** The topics of `wisp help`, in `help/help-topics.ts`, without their texts. */
export const TOPIC_NAMES = [
  ...["exit-codes", "files", "engines", "config", "requests", "sandbox", "environment", "json"],
] as const;

/** `wisp help [topic]`: a command's help, one of the topics that are not commands, or both. */
export function addHelpCommand(program: Command): void {
  program
    .command("help")
    .argument("[topic]", "a command, or one of the topics that wisp --help lists")
    .description("Shows help for a command, or for a topic.")
    .addHelpText("after", EXAMPLES.help)
    .action(async (name: string | undefined) => {
      const command = program.commands.find((other) => other.name() === name);
      if (name === undefined) {
        program.outputHelp();
        return;
      }
      const { HELP_TOPICS } = await import("./help/help-topics.ts");
      const topic = Object.entries(HELP_TOPICS).find(([key]) => key === name)?.[1];
      if (topic === undefined && command === undefined) {
        program.error(`error: there is no help for '${name}'`);
      }
      if (topic !== undefined) process.stdout.write(`${topic.text()}\n`);
      if (topic !== undefined && command !== undefined) process.stdout.write("\n");
      command?.outputHelp();
    });
}
