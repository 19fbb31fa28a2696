import { basename, join } from "node:path";
import { createTemplates } from "../../work/turn/templates.ts";
import { tailFile } from "../../work/turn/turn-files.ts";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { numberedList } from "../../session/rules/revision-request.ts";
import { writeDiff } from "../../git/repository/diffs.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { shippedTemplates } from "../settings/reviewer-directories.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** What a plan is made from, including earlier plans and their feedback. */
export interface PlanQuestion {
  readonly problems: readonly string[];
  /** The plan that was not approved; undefined for the first. */
  readonly previous: string | undefined;
  /** The person's feedback on the plans so far, oldest first. */
  readonly feedback: readonly string[];
}

/** Where the material for a plan is, in the state directory: the agent reads it only there. */
export interface MaterialPlace {
  readonly directory: string;
  /** Where an agent that talks to a person writes the plan. */
  readonly planFile: string;
  readonly problemsFile: string;
}

/** Longer texts go into a file that the prompt names. */
const INLINE_CHARS_MAX = 8_000;

/** The folder for planning a session's revision. */
export function materialPlace({ session }: FoundSession): MaterialPlace {
  const directory = join(session.state, "planner", "revise");
  return {
    directory,
    planFile: join(directory, "plan.md"),
    problemsFile: join(directory, "problems.md"),
  };
}

/** How to return the plan, and why the previous one was unusable. */
export interface PlanRequest extends PlanQuestion {
  readonly head: Oid;
  readonly isInteractive: boolean;
  readonly remark: string | undefined;
}

/**
 * Writes the files that the prompt names, and returns the prompt. Throws `CannotGoOn` if it cannot.
 */
export async function planPrompt(
  world: World,
  found: FoundSession,
  request: PlanRequest,
): Promise<string> {
  const { files } = world.host;
  const { session, home } = found;
  const { directory, planFile, problemsFile } = materialPlace(found);
  need(files.makeDirectory(directory));
  const write = (name: string, text: string): string => {
    const path = join(directory, name);
    need(files.replace(path, Buffer.from(`${text}\n`)));
    return path;
  };
  // Not every engine may read files outside of this folder.
  const copy = (path: string, name: string): string => {
    const { bytes } = tailFile(files, path, { name, says: name });
    need(files.replace(join(directory, name), bytes));
    return join(directory, name);
  };
  need(files.remove(planFile));
  const diff = join(directory, "changes.diff");
  const range = { from: session.base, to: request.head, path: diff };
  need(await writeDiff(gitContext(world), session.repository, range));
  const problems = numberedList(request.problems);
  need(files.replace(problemsFile, Buffer.from(`${problems}\n`)));
  const templates = createTemplates(files, [
    join(session.repository, ".wisp", "templates"),
    shippedTemplates(world),
  ]);
  return templates.render("revision-plan-instructions", {
    request: copy(home.request, "request.md"),
    tasks: copy(home.tasks, "TASKS.md"),
    progress: copy(home.progress, "PROGRESS.txt"),
    branch: session.branch,
    diff,
    problems: inline(problems) ?? `It stands in \`${problemsFile}\`.`,
    hint: hintWords(world, home),
    revisions: revisionWords(world, home, copy),
    ...answerWords(request, write),
    delivery: request.isInteractive ? TALK(planFile) : HEADLESS,
  });
}

/** The feedback on earlier plans. */
function answerWords(
  { previous, feedback, remark }: PlanRequest,
  write: (name: string, text: string) => string,
): Readonly<Record<"previous" | "feedback" | "remark", string>> {
  const feedbackList = numberedList(feedback);
  return {
    previous:
      previous === undefined
        ? ""
        : `You made a plan before, which the person did not approve: \`${write("previous-plan.md", previous)}\``,
    feedback:
      feedbackList === ""
        ? ""
        : `What the person said of it, the newest last:\n\n${inline(feedbackList) ?? `It stands in \`${write("feedback.md", feedbackList)}\`.`}`,
    remark:
      remark === undefined ? "" : `Your last answer could not be taken: ${remark}. Answer again.`,
  };
}

const HEADLESS = `End your answer with the whole plan, between \`<revision-plan>\` and \`</revision-plan>\`, and after it one line
of JSON: \`{"status":"DONE","summary":"..."}\`. If you cannot plan without an answer from a person, end instead
with \`{"status":"NEEDS_INPUT","question":"..."}\`.`;

const TALK = (
  path: string,
): string => `A person sits at this terminal: ask what you have to know, and talk the plan over. Then write the whole plan,
between \`<revision-plan>\` and \`</revision-plan>\`, to the file \`${path}\`, and tell the person to leave this
session; it is read from there.`;

/** The hints that a stuck agent was given: they may be the cause of a problem. */
function hintWords({ host: { files } }: World, home: Home): string {
  const path = home.stuckHint;
  const read = need(files.read(path, DOCUMENT_BYTES_MAX));
  const text = read === undefined ? "" : new TextDecoder().decode(read).trim();
  if (text === "") return "";
  const shown = inline(cleanText(text, { charsMax: DOCUMENT_BYTES_MAX, lines: "many" }));
  const where = shown === undefined ? `It stands in \`${path}\`.` : shown.replace(/^/gmu, "> ");
  return `An agent was stuck at this work, and was given this hint:\n\n${where}`;
}

function revisionWords(
  { host: { files } }: World,
  home: Home,
  copy: (path: string, name: string) => string,
): string {
  const paths = need(revisionHomes(files, home)).map(
    ({ directory, request }) => `- \`${copy(request, `${basename(directory)}.md`)}\``,
  );
  return paths.length === 0
    ? ""
    : `The work was revised before. What was wrong then, and what was done about it:\n\n${paths.join("\n")}`;
}

function inline(text: string): string | undefined {
  return text.length > INLINE_CHARS_MAX ? undefined : text;
}
