import { blocksOf, documentOf } from "../rig/document.ts";
import type { Example } from "../rig/run-example.ts";

/*
 * The commands of README, docs and logs/README, by the state of a session that the text assumes, each in the
 * order of the documents. Mere names of commands, such as `wisp answer`, are not examples.
 */

/** Exit codes of README: nobody can be asked, or can confirm. */
const NOBODY = 4;
const INTERRUPTED = 130;

/** In a repository with a request and settings, without a session. */
export const FRESH: readonly Example[] = [
  { text: "wisp --help", says: /^Begin:$/mu },
  { text: "wisp engines", says: /^claude +1\.2\.3/mu },
  {
    text: "wisp init [--template NAME] [--prompts]",
    typed: ["wisp init", "wisp init --template minimal", "wisp init --prompts"],
    says: /^(?:wrote|kept) \.wisp\/config\.yaml$/mu,
  },
  {
    text: "wisp completion <shell>",
    typed: ["wisp completion bash", "wisp completion zsh", "wisp completion fish"],
    says: /wisp complete -- /u,
  },
  {
    text: "wisp mcp install",
    says: /To write one of them: wisp mcp install claude/u,
  },
  {
    text: "wisp mcp install claude",
    code: NOBODY,
    says: /wisp mcp install claude --yes/u,
  },
  {
    text: "wisp doctor [--probe-secrets] [--json]",
    typed: ["wisp doctor", "wisp doctor --json"],
    says: /git 2\./u,
  },
  // Its settings have no sandbox.
  {
    text: "wisp doctor --probe-secrets",
    typed: ["wisp doctor --probe-secrets", "wisp doctor --probe-secrets --json"],
    code: 1,
    says: /an engine can read \d+ of them/u,
  },
  {
    text: "wisp engines [--probe] [--json]",
    typed: ["wisp engines --json"],
    says: /"schema": "wisp\.engines\/1"/u,
  },
  // Only one of the stand-ins takes a turn.
  {
    text: "wisp engines [--probe] [--json]",
    typed: ["wisp engines --probe", "wisp engines --probe --json"],
    code: 1,
    says: /^claude .* {2}answers; reads the turn's folder$|"readsFolder": true/mu,
  },
  {
    text: "wisp start <request.md> [--branch NAME] [--no-up]",
    typed: ["wisp start request.md --branch wisp/draft --no-up"],
    says: /Session draft on branch wisp\/draft/u,
  },
  {
    text: "wisp start --plan",
    typed: ["wisp start request.md --plan --no-up --branch wisp/planned"],
    says: /Session planned on branch/u,
  },
  {
    text: "wisp start --dry-run",
    typed: ["wisp start request.md --dry-run --branch wisp/tried"],
    says: /Read as prose/u,
  },
  {
    text: "wisp start --engine codex --model gpt-5",
    typed: ["wisp start request.md --dry-run --engine claude --model opus --branch wisp/tried"],
    says: /^Engines: planner claude with opus, builder claude with opus, /mu,
  },
  {
    text: "wisp start --yes",
    typed: ["wisp start request.md --yes --no-up --branch wisp/agreed"],
    says: /Session agreed on branch/u,
  },
  {
    text: "wisp start --strict",
    typed: ["wisp start request.md --strict --no-up --branch wisp/strict"],
    says: /Session strict on branch/u,
  },
  { text: "wisp abandon", typed: ["wisp abandon draft"], code: NOBODY, says: /--yes/u },
  {
    text: "wisp abandon [session] [--yes] [--json]",
    typed: ["draft", "planned", "agreed", "strict"].map((id) => `wisp abandon ${id} --yes --json`),
    says: /"session": "(?:draft|planned|agreed|strict)"/u,
  },
  { text: "wisp prune", code: NOBODY, says: /^draft .* can be removed/mu },
  {
    text: "wisp prune <session> --force",
    typed: ["wisp prune draft --force"],
    code: NOBODY,
    says: /^draft .* can be removed/mu,
  },
  {
    text: "wisp prune [session] [--older-than 30d] [--force] [--yes]",
    typed: ["wisp prune --older-than 30d", "wisp prune draft --yes"],
    says: /^(?:Nothing can be removed|Removed: 1 session, \d+ KiB)\.$/mu,
  },
];

/** Recorded from the start, and waiting at its first question. */
export const ASKING: readonly Example[] = [
  {
    text: "wisp start request.md --record DIR",
    typed: ["wisp start request.md --record ../recording"],
    code: NOBODY,
    says: /asks \(builder-1\): Which separator\?/u,
  },
  { text: "wisp status", says: /wisp answer invoices builder-1 "<your answer>"/u },
  {
    text: "wisp plan [session] [--approve]",
    typed: ["wisp plan"],
    says: /^The plan of invoices: .*, in force$/mu,
  },
  {
    text: "wisp answer",
    typed: ["wisp answer invoices"],
    code: NOBODY,
    says: /Which separator\?/u,
  },
  {
    text: "wisp answer <session> [text] [--json]",
    typed: ['wisp answer invoices "A comma"'],
    says: /Answered builder-1 of the builder\./u,
  },
];

/** The builder is in a turn. */
export const RUNNING: readonly Example[] = [
  { text: "wisp status", says: /^invoices {2}RUNNING \(building\)/mu },
  {
    text: "wisp log -f",
    isFollowing: true,
    code: INTERRUPTED,
    says: / wisp +\| supervises as process \d/u,
  },
  { text: "wisp logs -f", isFollowing: true, code: INTERRUPTED, says: / supervisor\.start pid=/u },
  {
    text: "git log wisp/<session>",
    typed: ["git log wisp/invoices"],
    says: /^commit [0-9a-f]{40}/u,
  },
  {
    text: "wisp up [session] [--detach] [--json]",
    typed: ["wisp up invoices --detach", "wisp up invoices --json"],
    says: /invoices is running\./u,
  },
  {
    text: "wisp status [session] [--json]",
    typed: ["wisp status invoices --json"],
    says: /"state": "RUNNING"/u,
  },
  { text: "wisp list [--json]", says: /RUNNING/u },
  // There is no terminal for its link.
  { text: "wisp watch --web", code: NOBODY, says: /on a terminal only/u },
  {
    text: "wisp watch [session] --web [--port N]",
    typed: ["wisp watch invoices --web --port 7070"],
    code: NOBODY,
    says: /wisp report --html/u,
  },
  { text: "wisp watch --web --port 7070", code: NOBODY, says: /on a terminal only/u },
  {
    text: "wisp tasks [session] [--json] [--adopt FILE]",
    typed: ["wisp tasks", "wisp tasks invoices --json"],
    says: /Read rows/u,
  },
  {
    text: "wisp log [session] [--since TIME] [-n N] [-f]",
    typed: ["wisp log", "wisp log invoices --since 1d -n 500", "wisp log --json"],
    says: /begins building \\?"Parsing\\?"/u,
  },
  {
    text: "wisp logs [role] [session] [-f]",
    typed: ["wisp logs", "wisp logs builder invoices"],
    says: /^builder +\| .* turn\.begin /mu,
  },
  {
    text: "wisp logs [role] [session] [-f]",
    typed: ["wisp logs builder invoices -f"],
    isFollowing: true,
    code: INTERRUPTED,
    says: /^builder +\| /mu,
  },
  {
    text: "wisp tail [role] [session] [-f] [--raw]",
    typed: ["wisp tail", "wisp tail builder invoices"],
    says: /builder: building "Parsing"/u,
  },
  {
    text: "wisp tail [role] [session] [-f] [--raw]",
    typed: ["wisp tail planner invoices --raw"],
    says: /A plan of one milestone/u,
  },
  {
    text: "wisp tail [role] [session] [-f] [--raw]",
    typed: ["wisp tail builder invoices -f"],
    isFollowing: true,
    code: INTERRUPTED,
    says: /builder: building "Parsing"/u,
  },
  { text: "wisp report --html", says: /report\.html/u },
  {
    text: "wisp report [session] [--html [FILE]] [--md] [--json]",
    typed: ["wisp report invoices --md", "wisp report invoices --json"],
    says: /^# invoices$|"schema": "wisp\.report\/1"/mu,
  },
  {
    text: "wisp cost --by attempt",
    typed: ["wisp cost invoices --by attempt"],
    says: /^build 1 +\d/mu,
  },
  {
    text: "wisp cost [session] [--by WHAT] [--json]",
    typed: ["wisp cost invoices --by milestone", "wisp cost invoices --by model --json"],
    says: /^total |"schema": "wisp\.cost\/1"/mu,
  },
  {
    text: "wisp restart <role> [session] [--json]",
    typed: ["wisp restart tester", "wisp restart reviewer invoices --json"],
    says: /Restarting the \w+\. To see what it does: wisp logs/u,
  },
  { text: "wisp fsck", says: /invoices: in order/u },
  {
    text: "wisp stop [session] [--json]",
    typed: ["wisp stop invoices --json"],
    says: /the builder finishes its turn/u,
  },
];

/** Stopped after the first milestone; somebody has typed a milestone into `TASKS.md` meanwhile. */
export const STOPPED: readonly Example[] = [
  { text: "wisp status", says: /^invoices {2}STOPPED/mu },
  { text: "wisp tasks invoices --adopt TASKS.md.1", says: /was edited: 2 milestones, 2 tasks/u },
  {
    text: "wisp tasks --adopt <file>",
    typed: ["wisp tasks --adopt .wisp/current/TASKS.md"],
    says: /./u,
  },
  { text: "wisp resume --budget turns=400", says: /invoices is complete/u },
  {
    text: "wisp resume [session] [--json]",
    typed: ["wisp resume", "wisp resume invoices --json"],
    says: /invoices is complete/u,
  },
  { text: "wisp up --plain", says: /invoices is complete/u },
];

/** Complete, with an open suggestion. */
export const COMPLETE: readonly Example[] = [
  { text: "wisp status --json", says: /"state": "DONE"/u },
  {
    text: "wisp why <what> [--session S] [--json]",
    typed: ["wisp why Parsing", "wisp why src/csv.js:1 --session invoices --json"],
    says: /^Milestone "Parsing"|"schema": "wisp\.why\/1"/mu,
  },
  {
    text: "wisp findings [session] [--open] [--json]",
    says: /"?open"?.*suggestion|"level": "suggestion"/su,
  },
  {
    text: "wisp agent <role> [session]",
    typed: ["wisp agent builder", "wisp agent builder invoices"],
    says: /has ended: the session has ended/u,
  },
  {
    text: "wisp agent <role>",
    typed: ["wisp agent tester"],
    says: /has ended: the session has ended/u,
  },
  {
    text: "wisp update <request.md> [--branch NAME] [--json]",
    typed: [
      "wisp update request.md --branch wisp/invoices",
      "wisp update request.md --branch wisp/invoices --json",
    ],
    says: /is unchanged/u,
  },
  { text: "wisp update --plan", typed: ["wisp update request.md --plan"], says: /invoices/u },
  { text: "wisp fsck --repair", says: /invoices: in order/u },
  {
    text: "wisp fsck --json",
    says: /"schema": "wisp\.fsck\/1"/u,
  },
  {
    text: "wisp fsck [session] [--repair] [--json]",
    typed: ["wisp fsck invoices --repair --json"],
    says: /"errors": 0/u,
  },
  { text: "wisp done --dry-run", says: /invoices can be shipped: .* Nothing has been done yet\./u },
  {
    text: "wisp revise [session]",
    code: NOBODY,
    says: /wisp revise invoices --file feedback\.md --yes/u,
  },
  { text: "wisp review", says: /^\+\/\/ line 1$/mu },
  {
    text: "wisp review [session] [--stat] [--json]",
    typed: ["wisp review invoices --stat"],
    says: /src\/csv\.js {2}\+20 -0/u,
  },
  {
    text: "wisp review [session] [--stat] [--json]",
    typed: ["wisp review invoices --stat --json"],
    says: /"schema": "wisp\.review\/1"/u,
  },
  { text: "wisp review invoices --checkout", says: /Its HEAD is detached/u },
];

/** The same, revised. */
export const REVISED: readonly Example[] = [
  {
    text: "wisp revise invoices --file feedback.md --yes",
    says: /invoices\/revision-1 is complete/u,
  },
  {
    text: 'wisp review invoices --request-revision "The header is missing" --comment src/csv.js:12 "quotes, too"',
    says: /Requested revision invoices\/revision-2 \(1 of 3\)/u,
  },
  { text: "wisp up", typed: ["wisp up invoices/revision-2"], says: /revision-2 is complete/u },
  { text: "wisp list", says: /revision-2/u },
  { text: "wisp review invoices --approve", says: /approved/iu },
  {
    text: "wisp done --no-push",
    typed: ["wisp done invoices --no-push --dry-run"],
    says: /invoices can be shipped/u,
  },
  {
    text: "wisp done [session] [--dry-run] [--no-verify] [--yes]",
    typed: ["wisp done invoices --dry-run", "wisp done invoices --no-verify --yes"],
    says: /invoices (?:can be shipped|is done)/u,
  },
];

/** Findings are left to a person. */
export const LEFT_OPEN: readonly Example[] = [
  {
    text: "wisp start --no-fix",
    typed: ["wisp start request.md --no-fix --no-up"],
    says: /Session invoices/u,
  },
  {
    text: "wisp up --record DIR",
    typed: ["wisp up --record ../second"],
    code: 5,
    says: /wisp findings dismiss|resume --fix/u,
  },
  { text: "wisp findings", says: /BUG-[0-9a-f]{6} {2}open/u },
  {
    text: "wisp findings dismiss BUG-… --why …",
    typed: ['wisp findings dismiss BUG-… --why "It is meant to be so"'],
    says: /BUG-[0-9a-f]{6}/u,
  },
  {
    text: "wisp findings dismiss <id> --why …",
    typed: ['wisp findings dismiss STY-… --why "It is meant to be so"'],
    says: /STY-[0-9a-f]{6}/u,
  },
  {
    text: 'wisp findings add <path:line> "…"',
    typed: ['wisp findings add src/csv.js:12 "Tabs are separators, too"'],
    says: /HUM-[0-9a-f]{6}/u,
  },
  { text: "wisp resume --fix", says: /is complete/u },
  {
    text: "wisp revise",
    typed: ["wisp revise --file feedback.md --yes --no-start"],
    says: /Revision invoices\/revision-1/u,
  },
  {
    text: "wisp abandon invoices/revision-1",
    code: NOBODY,
    says: /wisp abandon invoices\/revision-1 --yes/u,
  },
  { text: "wisp resume invoices/revision-1", says: /revision-1 is complete/u },
];

/** Commands that are not run, and why. */
export const NOT_RUN: readonly (readonly [text: string, why: string])[] = [
  ["npm ci && npm run demo", "it needs the network; the demo itself: demo.long.test.ts"],
  [
    'claude plugin install wisp --marketplace "$(npm root -g)/wisp-build"',
    "it needs Claude Code: test/engines/plugin.test.ts",
  ],
  [
    'codex plugin marketplace add "$(npm root -g)/wisp-build" && codex plugin add wisp@wisp-build',
    "it needs Codex: test/engines/plugin.test.ts",
  ],
  ["npm ci && npm test", "it needs the network, and is the tests"],
  ["wisp demo", "it is a session of its own: demo.long.test.ts"],
  ["wisp mcp", "it says nothing without a client: mcp.long.test.ts"],
  [
    "wisp attach [session] [role]",
    "it needs a terminal and a CLI with an interactive mode: attach.test.ts",
  ],
  ["wisp start -", "its request comes through a pipe: start-formats.test.ts"],
  [
    "export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318",
    "it needs a collector, and a session: test/host/otlp.test.ts",
  ],
  ["wisp supervise", "it is what `wisp up` starts, and for nobody else"],
  ["wisp mirror", "it is what follows a session elsewhere, and for nobody else"],
  ["wisp queue", "it is what starts several sessions, and for nobody else"],
  ["wisp hold-container", "it is what a turn in a container starts, and for nobody else"],
];

/** A file that people follow while a session runs. */
export const FOLLOWED_FILE = "tail -f .wisp/current/logs/milestones.log";

/** The command of docs/ENGINES.md that plays a recording. */
export const PLAYED = blocksOf(documentOf("docs/ENGINES.md"), "sh")
  .filter((content) => content.includes("cassette.yaml"))
  .flatMap((content) => content.trimEnd().split("\n"))
  .map((line) => line.replace(/\s+# .*$/u, ""));
