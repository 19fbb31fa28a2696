/** Commands in texts for people, up to the end of the command. */
const COMMAND = /`?\bwisp [a-z-]+(?: (?:"[^"\n]*"|'[^'\n]*'|(?:[^\s`;,:"']|:(?=\S))+))*`?/gu;
/** An optional shell word, with or without quotes: the session of a command. */
const SESSION = /^(?!-)(?:'([^']*)'|(\S+))/u;

/**
 * The next step for a model that has the tools of `wisp mcp` but no shell: the tool that
 * corresponds to a command. Says so plainly if only a person may do it; a model must never stop a
 * process.
 *
 * @param command as shown to people, such as `wisp resume invoices`
 */
export function toolWords(command: string): string {
  const [program = "", verb = "", ...words] = command.trim().split(" ");
  const rest = words.join(" ");
  if (program === "kill") return "try again in a moment";
  if (program === "git" && verb === "log" && !rest.startsWith("refs/")) return "review_changes";
  const tool = program === "wisp" ? toolOf(verb, rest) : undefined;
  return tool ?? `ask the user to run: ${command}`;
}

function toolOf(verb: string, rest: string): string | undefined {
  const [, quoted, plain] = SESSION.exec(rest) ?? [];
  const session = quoted ?? plain;
  switch (verb) {
    case "start":
      if (rest.includes("--yes")) return undefined;
      return rest.includes("--again") ? "start_session with again: true" : "start_session";
    case "status":
      return withSession("work_status", session);
    case "up":
    case "resume":
      // Decisions for a person alone: fixing what --no-fix left to them, or spending more.
      return /\s--(?:fix|budget)\b/u.test(rest)
        ? undefined
        : withSession("resume_session", session);
    case "answer":
      return withSession("answer_question", session);
    case "abandon":
      return session?.includes("/revision-") === true
        ? withSession("abandon_revision", session)
        : undefined;
    case "findings":
      return /\b(?:add|dismiss)\b/u.test(rest) ? undefined : withSession("list_findings", session);
    case "review":
      return reviewTool(rest, session);
    default:
      return undefined;
  }
}

function reviewTool(rest: string, session: string | undefined): string {
  if (rest.includes("--request-revision")) return "request_revision";
  if (rest.includes("--approve")) return "approve_changes";
  if (rest.includes("--reject")) return "reject_changes";
  return withSession("review_changes", session);
}

function withSession(tool: string, session: string | undefined): string {
  return session === undefined ? tool : `${tool} with session ${JSON.stringify(session)}`;
}

/** Replaces the commands in a text for people with the next steps for a model. */
export function withTools(text: string): string {
  return text.replaceAll(COMMAND, (command) => {
    const inside = command.replaceAll("`", "");
    const [, verb = "", ...words] = inside.split(" ");
    if (!WORDS.has(verb)) return command;
    return toolOf(verb, words.join(" ")) ?? `\`${inside}\` (which the user runs)`;
  });
}

/** What follows the program's name in a command, as opposed to a mention of the program. */
const WORDS: ReadonlySet<string> = new Set([
  ...[
    "abandon",
    "answer",
    "attach",
    "cost",
    "demo",
    "doctor",
    "done",
    "engines",
    "findings",
    "fsck",
    "init",
  ],
  ...[
    "list",
    "log",
    "logs",
    "mcp",
    "notify",
    "pause",
    "restart",
    "resume",
    "review",
    "revise",
    "start",
  ],
  ...["status", "stop", "tail", "up", "update"],
]);
