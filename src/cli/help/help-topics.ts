import { CODING_CLIS } from "../../engines/coding-clis.ts";
import { configJsonSchema } from "../../settings/config/load-config.ts";
import { exitCodeTable } from "./exit-codes.ts";

/** A topic of `wisp help` that is not a command. */
export interface HelpTopic {
  /** What it is about, in a few words. */
  readonly summary: string;
  /** The whole text, without a newline at its end. */
  readonly text: () => string;
}

/** The topics by name. What the program itself knows is taken from there, so that no text can be wrong about it. */
export const HELP_TOPICS: Readonly<Record<string, HelpTopic>> = {
  "exit-codes": { summary: "what the exit codes mean", text: exitCodeTable },
  files: { summary: "where everything is", text: () => FILES },
  engines: { summary: "the coding CLIs that do the work", text: enginesText },
  config: { summary: "the settings in .wisp/config.yaml", text: configText },
  requests: { summary: "the forms that a request can have", text: () => REQUESTS },
  sandbox: { summary: "what engines can read and write", text: () => SANDBOX },
  environment: { summary: "the variables that wisp reads and sets", text: () => ENVIRONMENT },
  json: { summary: "what --json prints, and what its versions promise", text: () => JSON_OUTPUT },
};

const FILES = `In the repository:
  .wisp/config.yaml            settings (wisp help config)
  .wisp/templates/*.md         your prompts, in place of wisp's own
  .wisp/reviewers/*.md         your reviewers, one file each
  .wisp/current                points to the newest session's home
  .wisp/sessions/<session>/    the home of a session, never committed:
    session.json               what it began with: branch, base, engines, settings
    request.md                 the request
    TASKS.md                   the plan; tick or edit it while the session is stopped
    REVIEWS.md, BUGS.md        findings of the reviewer, bugs of the tester
    PROGRESS.txt               what happened, in prose
    CHANGES.md                 where the work departs from the request, and why
    logs/milestones.log        name|first commit|last commit, a line per milestone
    logs/*.log                 a log per role, of the supervisor and of people
    logs/turns/                what the engines printed, a file per turn

Outside the repository:
  ~/.local/state/wisp/         clones and verify trees of the sessions, and wisp's caches; wisp prune tidies up
  ~/.config/wisp/config.yaml   your own settings, which no repository can change

Everything is text. tail -f, grep and cat work on all of it, also while a session runs.`;

const REQUESTS = `wisp start reads a request that is a plan without asking the planner, whatever the name of the file:
  user stories       ### US-001: <title>, each with its acceptance criteria; or ralph's prd.json
  TASKS.md           ## Milestone: <name>, each with its tasks (- [ ] <task>)
  a task list        JSON: [{"category", "description", "steps", "passes"}]
  of another tool    spec-kit, Kiro and OpenSpec tasks.md, BMAD stories, ralphex plans, Taskmaster tasks.json
  a checklist        headings with boxes below them

Everything else is prose, and the planner makes the plan. wisp start --dry-run says how a file is read, and
wisp start --plan has the planner plan it, whatever its form. What is ticked, or passes, counts as done.`;

const SANDBOX = `Each turn of an engine, and each command that wisp runs on its work, is in a sandbox: bubblewrap where it works, else
none, which wisp start says in one line.

Inside, the role's clone is writable; your checkout and the machine are read-only; your home is empty but for tool
chains and what the settings name; keys, tokens, browsers and shell histories are hidden.

  sandbox: srt                               another one, also for macOS
  sandbox: { kind: container, image: … }     in containers of podman or docker
  sandbox: none                              without
  sandbox: { network: false }                loopback only
  sandbox: { allow: [~/code/lib], deny: [secrets] }

wisp doctor says whether it works here; wisp doctor --probe-secrets looks for planted secrets as an engine would.`;

const ENVIRONMENT = `wisp reads:
  NO_COLOR, FORCE_COLOR        whether to print in colours
  WISP_NO_INPUT, CI            never ask, as with --no-input; with CI also no screen
  WISP_TRACE                   a file to trace to, as with --trace
  VISUAL, EDITOR               the editor for a plan or an answer
  XDG_STATE_HOME               where clones and caches are, in place of ~/.local/state
  XDG_CONFIG_HOME              where your own settings are, in place of ~/.config
  NODE_DISABLE_COMPILE_CACHE   do not keep the program's compiled form
  OTEL_EXPORTER_OTLP_*         a collector of OpenTelemetry that gets the spans of sessions (docs/OPENTELEMETRY.md)

wisp sets, for a command engine: WISP_ROLE, WISP_PURPOSE, WISP_SESSION, WISP_HOME, WISP_UNIT, WISP_ATTEMPT, WISP_ASK
and, where they apply, WISP_MODEL, WISP_MILESTONE, WISP_START_SHA, WISP_END_SHA, WISP_FOLDER, WISP_TASKS_FILE,
WISP_FINDING.
It sets, for the command of notify: WISP_NOTIFY_TEXT; for build, verify and the commands of bugs: WISP_SLOT, a number
that no other run of them has at the same time.

Of your environment, engines and commands see only what finds programs, and what roles.<role>.env and commands.env name.`;

const JSON_OUTPUT = `With --json, a command asks nothing and prints one object, which names its kind and version:
  {"schema": "wisp.status/1", "session": "invoices", ...}
A failure is a wisp.error/1. wisp log prints an object per line, and wisp tasks a list, which is also a request.

The package has a JSON Schema of each kind in schemas/output/; docs/JSON.md says which command prints which.

For as long as the version is the same:
  - no field goes, or changes its type or meaning
  - fields may be added, and words where a field holds one of several: pass over what you do not know
  - sentences are for people, and may be reworded
  - a field that may be absent is absent if there is nothing to say

What cannot keep that gets a new version: wisp.status/2.`;

function enginesText(): string {
  const rows = CODING_CLIS.map(({ name, install }) => `  ${name.padEnd(10)} ${install}`);
  return [
    "An engine is the coding CLI that takes the turns. wisp drives these, and uses the first one that is installed:",
    ...rows,
    "",
    "Any other is named in .wisp/config.yaml:",
    "  engine: { acp: [my-agent, --acp] }     an agent that speaks the Agent Client Protocol",
    "  engine: { command: [./agent.sh] }      any command: the prompt is its standard input",
    "  engine: replay                         plays back a recording of wisp start --record",
    "  engines: [claude, codex]               the next one takes over at a limit",
    "  roles: { reviewer: { engine: codex } } another one for a role",
    "",
    "wisp engines --probe asks each for a small turn. docs/ENGINES.md says what each can do.",
  ].join("\n");
}

/** Characters of a line of text that is wrapped. */
const LINE_CHARS = 100;
const KEY_CHARS = 15;

function configText(): string {
  const { properties = {} } = configJsonSchema();
  const keys = Object.entries(properties).flatMap(([key, node]) =>
    typeof node === "object" && node.not === undefined
      ? [`  ${key.padEnd(KEY_CHARS)}${wrapped(node.description ?? "", KEY_CHARS + 2)}`]
      : [],
  );
  return [
    "Every key of .wisp/config.yaml is optional:",
    ...keys,
    "",
    "wisp init writes the file, and its JSON Schema beside it, by which an editor completes and explains all keys.",
    "docs/SETTINGS.md shows each with its default. A session keeps the settings that it started with.",
  ].join("\n");
}

/** Words in lines of `LINE_CHARS`, each but the first behind so many spaces. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && indent + line.length + 1 + word.length > LINE_CHARS) lines.push(word);
    else lines.splice(-1, 1, line === "" ? word : `${line} ${word}`);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
