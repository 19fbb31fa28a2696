import { fail, ok, type Result } from "../../base/result.ts";

/** The tasks to tick: by number, from 1, or by a text that only one of them contains. */
export interface Ticks {
  readonly milestone: string;
  readonly tasks: readonly (number | string)[];
}

const HEADING = /^##\s+Milestone:\s*(.*?)\s*$/u;
const TASK = /^[-*+] \[([ xX])\] (.*)$/u;

/**
 * Ticks tasks in the text of a TASKS.md, line by line as a careless editor would; the builder judges the edit. The
 * failure is a sentence that names what is missing.
 */
export function tickTasks(text: string, { milestone, tasks }: Ticks): Result<string, string> {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => HEADING.exec(line)?.[1] === milestone);
  if (start === -1) return fail(`there is no milestone ${JSON.stringify(milestone)}`);
  const next = lines.findIndex((line, index) => index > start && /^##?\s/u.test(line));
  const end = next === -1 ? lines.length : next;
  const found = [...lines.keys()].filter((i) => i > start && i < end && TASK.test(lines[i] ?? ""));
  for (const task of tasks) {
    const hits =
      typeof task === "number"
        ? found.slice(task - 1, task)
        : found.filter((index) => TASK.exec(lines[index] ?? "")?.[2]?.includes(task));
    const [index] = hits;
    if (index === undefined || hits.length > 1) {
      const count = hits.length === 0 ? "no task" : `${hits.length} tasks`;
      return fail(`${count} ${JSON.stringify(task)} in milestone ${JSON.stringify(milestone)}`);
    }
    lines[index] = (lines[index] ?? "").replace("[ ]", "[x]");
  }
  return ok(lines.join("\n"));
}
