import { posix } from "node:path";

/** A test, or several of a file, that something happened to. */
export interface TestNamed {
  /** "": it is not known which. */
  readonly file: string;
  readonly titles: readonly string[];
}

/** Words by which a task asks that something be other than it was. */
const CHANGES =
  /\b(?:add(?:s|ing)?\s+\w+\s+to|adapt|adjust|alter|chang|convert|delet|deprecat|disabl|drop|instead|merg|migrat|mov|no longer|overhaul|port|reformat|reject|remov|renam|reorgani[sz]|replac|restructur|revers|revis|rewrit|rework|skip|split|stop|switch|updat|upgrad)\w*\b/iu;
/** Said of nearly every test: they name none. */
const COMMON = new Set(
  "test tests spec specs index main with from that this when then into does should returns return works for the and are not".split(
    " ",
  ),
);

/**
 * Whether the plan asks for what happened to a test: one of the tasks names it, by its path, the name of its
 * file or its title; or speaks of changing something, in words of the file's name or of a title.
 */
export function isAskedFor(tasks: readonly string[], test: TestNamed): boolean {
  return whatAsksFor(tasks, test) !== undefined;
}

/** The first of them that asks for it. */
export function whatAsksFor(tasks: readonly string[], test: TestNamed): string | undefined {
  return tasks.find((task) => namesIt(task, test) || changesIt(task, test));
}

function namesIt(task: string, { file, titles }: TestNamed): boolean {
  const text = task.toLowerCase();
  const names = [
    file,
    posix.basename(file),
    ...titles.filter((title) => title.length >= NAME_CHARS_MIN),
  ];
  return names.some((name) => name !== "" && text.includes(name.toLowerCase()));
}

/** Shorter titles stand in any text. */
const NAME_CHARS_MIN = 8;

function changesIt(task: string, { file, titles }: TestNamed): boolean {
  if (!CHANGES.test(task)) return false;
  const said = wordsOf(task);
  const stem = posix.basename(file).split(".")[0] ?? "";
  return [stem, ...titles].some((name) => [...wordsOf(name)].some((word) => said.has(word)));
}

/** Words without their endings, as far as that is simple: `durations` is `duration`. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/\p{L}{3,}/gu);
  const kept = (words ?? []).filter((word) => !COMMON.has(word) && !CHANGES.test(word));
  return new Set(kept.map((word) => word.replace(/(?:ing|es|s|e)$/u, "")));
}
