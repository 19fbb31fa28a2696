import { basename, dirname } from "node:path";
import type { EditCopy } from "../../fs-protocol/home/edit-copies.ts";
import { sentence, type Sentence } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";

/** What somebody else wrote into a file of the home, which was put back, and what can be done with it. */
export interface KeptEdit {
  /** Name of the file. */
  readonly file: string;
  /** Path of the copy of what was found; of the file itself, where nobody put it back. */
  readonly copy: string;
  /** Who is to see to it, as a sentence. */
  readonly says: string;
  /** Commands that make it count, in their order; none: nothing does. */
  readonly commands: readonly string[];
}

type Whose = "session" | "home" | "state" | "alive";

/** The copies that lie in the home, the plan's and the request's first. */
export function keptEdits(facts: Pick<StatusFacts, Whose | "edits">): readonly KeptEdit[] {
  return (facts.edits ?? []).map((copy) => ({
    file: copy.file,
    copy: copy.path,
    ...whatToDo(copy, facts),
  }));
}

function whatToDo(
  { file, path }: EditCopy,
  { session, home, state, alive }: Pick<StatusFacts, Whose>,
): Pick<KeptEdit, "says" | "commands"> {
  const id = shellWord(session.id);
  const isClosed = state.human.closed !== undefined;
  switch (file) {
    case "TASKS.md": {
      if (path === home.tasks) {
        const says = "TASKS.md was edited: the next wisp up adopts it";
        return { says, commands: isClosed ? [] : [`wisp up ${id}`] };
      }
      const says =
        "TASKS.md was edited while a builder was at work: the edit is no part of the plan";
      if (isClosed) return { says, commands: [] };
      const adopt = [`wisp tasks ${id} --adopt ${shellWord(basename(path))}`, `wisp up ${id}`];
      return { says, commands: alive.has("builder") ? [`wisp stop ${id}`, ...adopt] : adopt };
    }
    case "request.md": {
      const says = "request.md was edited: the request is as it was";
      const update = `wisp update ${shellWord(path)} --branch ${id}`;
      return { says, commands: isClosed || session.parent !== undefined ? [] : [update] };
    }
    case "REVIEWS.md":
    case "BUGS.md": {
      const says = `${file} was edited: nobody works by that`;
      const add = `wisp findings add <file>:<line> "<what is wrong>" --session ${id}`;
      return { says, commands: isClosed ? [] : [add] };
    }
    default:
      return { says: `${file} was edited: it was put back`, commands: [] };
  }
}

/** Each of them in a line or two, the commands below; at the end how they are got rid of. */
export function keptEditLines(edits: readonly KeptEdit[]): readonly string[] {
  const lines = edits.flatMap(({ copy, says, commands }) => [
    plain(isCopy(copy) ? `${says}. Kept: ${copy}` : says),
    ...commands.map((command) => `  ${plain(command)}`),
  ]);
  const isAnyCopy = edits.some(({ copy }) => isCopy(copy));
  return isAnyCopy ? [...lines, "What you have seen to, or do not need: remove it."] : lines;
}

/** In one sentence, for where there is no room for commands. */
export function keptEditNotice(edits: readonly KeptEdit[]): Sentence | undefined {
  const [first, ...others] = edits;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` (and ${String(others.length)} more)`;
  const kept = isCopy(first.copy) ? `; kept as ${first.copy}` : "";
  return sentence("ask", `${first.says}${kept}${more}: see wisp status`);
}

/** What has a kept plan adopted, where nobody has to stop for it first. */
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
