import type { Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { Story } from "./stories.ts";
import type { ListedTask } from "../tasks/task-list.ts";
import { listFailure, readTaskList, type TaskListFailure } from "./read-task-list.ts";
import { isUserStories, readUserStories } from "./read-user-stories.ts";

/** A request in JSON, read by the kind of list that it is. */
export type JsonRequest =
  | { readonly kind: "list"; readonly tasks: Result<readonly ListedTask[], TaskListFailure> }
  | { readonly kind: "stories"; readonly stories: Result<readonly Story[], TaskListFailure> };

/** The whole text is one block of code, as what a model printed. */
const FENCED =
  /^\s*(?<fence>`{3,}|~{3,})[ \t]*(?:json)?[ \t]*\r?\n(?<inside>[^]*?)\r?\n[ \t]*\k<fence>\s*$/i;
/** A list of objects, or an object with stories, whether JSON can read it or not. */
const BEGINS_AS_LIST = /^\s*\[\s*(?:\{\s*["}]|\]\s*$)/;
const BEGINS_AS_STORIES = /^\s*\{\s*"(?:[^]*")?userStories"\s*:/;

/**
 * Reads a request in JSON: a list of tasks, or an object with `userStories`. A text that begins as one of them
 * and is no JSON is one with a mistake in it. Undefined: it is another text, also where it is other JSON, whose
 * meaning is not certain.
 */
export function readJsonRequest(given: string): JsonRequest | undefined {
  const text = insideFence(given) ?? given.replace(/^\ufeff/, "");
  if (BEGINS_AS_LIST.test(text)) {
    const items = jsonOf(text);
    const noJson = listFailure(undefined, "it begins like a JSON list, but is no JSON");
    return { kind: "list", tasks: Array.isArray(items) ? readTaskList(items) : noJson };
  }
  if (!BEGINS_AS_STORIES.test(text)) return undefined;
  const parsed = jsonOf(text);
  if (parsed === undefined) {
    const problem = "it begins like a JSON object with `userStories`, but is no JSON";
    return { kind: "stories", stories: listFailure(undefined, problem) };
  }
  const items: unknown = isObject(parsed) ? parsed["userStories"] : undefined;
  if (!Array.isArray(items) || !isUserStories(items)) return undefined;
  return { kind: "stories", stories: readUserStories(items) };
}

/** Undefined: it is no block of code, or there are several. */
function insideFence(text: string): string | undefined {
  const { fence = "", inside = "" } = FENCED.exec(text)?.groups ?? {};
  return fence === "" || inside.includes(fence) ? undefined : inside;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
