import { basename, dirname } from "node:path";
import type { EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import { sentence, type Sentence } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** An edit by someone else to a file of the home that wisp restored, and what can be done with the edit. */
export interface KeptEdit {
  /** Name of the file. */
  readonly file: string;
  /** Path of the copy of the edited file, or of the file itself if it was not restored. */
  readonly copy: string;
  /** What happened to the edit, as a sentence. */
  readonly says: string;
  /** Commands that apply the edit, in order; empty if nothing can apply it. */
  readonly commands: readonly string[];
}

type Whose = "session" | "home" | "state" | "alive" | "mirrors";

/** The copies in the home, those of the plan and the request first. */
export function keptEdits(facts: Pick<StatusFacts, Whose | "edits">): readonly KeptEdit[] {
  return (facts.edits ?? []).map((copy) => ({
    file: copy.file,
    copy: copy.path,
    ...whatToDo(copy, facts),
  }));
}

function whatToDo(
  { file, path }: EditCopy,
  { session, home, state, alive, mirrors }: Pick<StatusFacts, Whose>,
): Pick<KeptEdit, "says" | "commands"> {
  const id = shellWord(session.id);
  const isClosed = state.human.closed !== undefined;
  switch (file) {
    case "TASKS.md": {
      if (path === home.tasks && mirrors !== undefined) {
        const says =
          "TASKS.md here is only a mirror: what you wrote in it has no effect until you send it with wisp edit";
        return { says, commands: isClosed ? [] : [`wisp edit ${id}`] };
      }
      if (path === home.tasks) {
        const says = "TASKS.md was edited: the next wisp up adopts it";
        return { says, commands: isClosed ? [] : [`wisp up ${id}`] };
      }
      const says =
        "TASKS.md was edited while a builder was at work: the edit is not part of the plan";
      if (isClosed) return { says, commands: [] };
      const adopt = [`wisp tasks ${id} --adopt ${shellWord(basename(path))}`, `wisp up ${id}`];
      return { says, commands: alive.has("builder") ? [`wisp stop ${id}`, ...adopt] : adopt };
    }
    case "request.md": {
      const says = "request.md was edited: the request is unchanged";
      const update = `wisp update ${shellWord(path)} --branch ${id}`;
      return { says, commands: isClosed || session.parent !== undefined ? [] : [update] };
    }
    case "REVIEWS.md":
    case "BUGS.md": {
      const says = `${file} was edited: the edit has no effect`;
      const add = `wisp findings add <file>:<line> "<what is wrong>" --session ${id}`;
      return { says, commands: isClosed ? [] : [add] };
    }
    default:
      return { says: `${file} was edited: it was restored`, commands: [] };
  }
}

/** One line per edit with its commands below, and at the end how to get rid of the copies. */
export function keptEditLines(edits: readonly KeptEdit[]): readonly string[] {
  const lines = edits.flatMap(({ copy, says, commands }) => [
    plain(isCopy(copy) ? `${says}. Kept: ${copy}` : says),
    ...commands.map((command) => `  ${plain(command)}`),
  ]);
  const isAnyCopy = edits.some(({ copy }) => isCopy(copy));
  return isAnyCopy
    ? [...lines, "Remove the copies that you have dealt with or do not need."]
    : lines;
}

/** All edits in one sentence, for places without room for commands. */
export function keptEditNotice(edits: readonly KeptEdit[]): Sentence | undefined {
  const [first, ...others] = edits;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` (and ${String(others.length)} more)`;
  const kept = isCopy(first.copy) ? `; kept as ${first.copy}` : "";
  return sentence("ask", `${first.says}${kept}${more}: see wisp status`);
}

/** The command that adopts a kept plan, if no role has to stop for it first. */
export function adoptCommand(facts: Pick<StatusFacts, Whose | "edits">): string | undefined {
  if (facts.alive.has("builder")) return undefined;
  return keptEdits(facts).findLast(({ file }) => file === "TASKS.md")?.commands[0];
}

function isCopy(path: string): boolean {
  return basename(dirname(path)) === "edits";
}

function plain(text: string): string {
  return sentence("plain", text).text;
}
