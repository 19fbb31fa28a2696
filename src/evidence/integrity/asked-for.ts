import { posix } from "node:path";

/** One or several tests of a file that were changed, or that fail. */
export interface NamedTests {
  /** "" if it is unknown. */
  readonly file: string;
  readonly titles: readonly string[];
}

/** Words with which a task asks for a change. */
const CHANGES =
  /\b(?:add(?:s|ing)?\s+\w+\s+to|adapt|adjust|alter|chang|convert|delet|deprecat|disabl|drop|instead|merg|migrat|mov|no longer|overhaul|port|reformat|reject|remov|renam|reorgani[sz]|replac|restructur|revers|revis|rewrit|rework|skip|split|stop|switch|updat|upgrad)\w*\b/iu;
/** Words that occur in nearly every test's name, and so identify none. */
const COMMON = new Set(
  "test tests spec specs index main with from that this when then into does should returns return works for the and are not".split(
    " ",
  ),
);

/**
 * Whether the plan asks for what happened to a test: a task names its path, its file or its title, or a task
 * asks for a change in words of the file's name or of a title.
 */
export function isAskedFor(tasks: readonly string[], test: NamedTests): boolean {
  return whatAsksFor(tasks, test) !== undefined;
}

/** The first of the tasks that asks for it. */
export function whatAsksFor(tasks: readonly string[], test: NamedTests): string | undefined {
  return tasks.find((task) => namesTest(task, test) || asksForChange(task, test));
}

function namesTest(task: string, { file, titles }: NamedTests): boolean {
  const text = task.toLowerCase();
  const names = [
    file,
    posix.basename(file),
    ...titles.filter((title) => title.length >= NAME_CHARS_MIN),
  ];
  return names.some((name) => name !== "" && text.includes(name.toLowerCase()));
}

/** Shorter titles occur by chance in any text. */
const NAME_CHARS_MIN = 8;

function asksForChange(task: string, { file, titles }: NamedTests): boolean {
  if (!CHANGES.test(task)) return false;
  const taskWords = wordsOf(task);
  const stem = posix.basename(file).split(".")[0] ?? "";
  return [stem, ...titles].some((name) => [...wordsOf(name)].some((word) => taskWords.has(word)));
}

/** The words of a text without simple endings: `durations` becomes `duration`. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/\p{L}{3,}/gu);
  const telling = (words ?? []).filter((word) => !COMMON.has(word) && !CHANGES.test(word));
  return new Set(telling.map((word) => word.replace(/(?:ing|es|s|e)$/u, "")));
}
